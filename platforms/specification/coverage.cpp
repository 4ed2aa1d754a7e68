// SPDX-License-Identifier: Apache-2.0
#include "platforms/specification/coverage.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <stdexcept>
#include <system_error>

#include "models/core/lines.hpp"
#include "models/cosim/benes_network/bench/coverage.hpp"
#include "models/cosim/benes_network/traffic/traffic.hpp"
#include "models/cosim/dynamic_microkernel/bench/coverage.hpp"
#include "models/cosim/dynamic_microkernel/traffic/traffic.hpp"
#include "models/cosim/dynamic_ray_shuffling/bench/coverage.hpp"
#include "models/cosim/dynamic_ray_shuffling/traffic/pins_with_rays.hpp"
#include "models/cosim/dynamic_ray_shuffling/traffic/traffic.hpp"
#include "models/cosim/dynamic_ray_shuffling/traffic/vectors.hpp"
#include "models/cosim/subwarp_interleaving/bench/coverage.hpp"
#include "models/cosim/subwarp_interleaving/traffic/traffic.hpp"

namespace reconverge::specification {

namespace {

/// A partner of pins, in the place of the RTL: notes what is at the pins.
template <typename Inputs, typename Outputs>
struct Seen {
  void cycle(const Inputs& now, const Outputs& then) {
    inputs = now;
    outputs = then;
  }
  Inputs inputs;
  Outputs outputs;
};

/// A partner of pins that hands each cycle to the coverage.
template <typename Cases, typename Inputs, typename Outputs>
struct Counted {
  explicit Counted(Cases& counted) : cases(counted) {}
  void cycle(const Inputs& inputs, const Outputs& outputs) { cases.cycle(inputs, outputs); }
  void within(const Inputs& inputs, const Outputs& outputs) { cases.within(inputs, outputs); }
  Cases& cases;
};

using RayParameters = decltype(RayVectorsOptions::parameters);

/// A partner that ignores all cycles.
struct Ignored {
  Ignored(const RayParameters& /*parameters*/, std::size_t /*warps*/, unsigned /*width*/) {}
  void cycle(const PinInputs& /*inputs*/, const PinOutputs& /*outputs*/) {}
};

/// From the lines `<count> <name>`.
std::vector<CoveredCase> cases_of(std::string_view text) {
  std::vector<CoveredCase> cases;
  for (std::string_view line : lines_of(text)) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.empty()) continue;
    CoveredCase& one = cases.emplace_back();
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), one.count);
    if (error != std::errc() || *end != ' ') throw std::logic_error("a line of coverage has no count");
    one.name = line.substr(static_cast<std::size_t>(end - line.data()) + 1);
  }
  return cases;
}

/// A block of dynamic ray shuffling.
struct RayBlock {
  std::size_t warps;
  unsigned width;
  std::uint64_t backup_rows;
  std::uint64_t swap_buffers;
};

Coverage of_rays() {
  using Shuffler = Covered<PinsWithRays<Ignored>>;
  // The paper's two sizes, and small blocks, where rare cases come more often.
  constexpr std::array<RayBlock, 4> blocks{{{58, 32, 1, 6}, {60, 32, 8, 18}, {2, 8, 1, 2}, {1, 8, 1, 8}}};
  RayCoverage coverage;
  std::uint64_t cycles = 0;
  for (const RayBlock& block : blocks) {
    RayParameters parameters;
    parameters.backup_rows = block.backup_rows;
    parameters.swap_buffers = block.swap_buffers;
    for (std::uint32_t seed = 0; seed < 8; ++seed) {
      const TrafficChances chances{.granted = 0.3 + 0.1 * (3 * seed % 8),
                                   .alike = seed % 4 == 3 ? 0.0 : 1.0,
                                   .impatient = seed % 2 == 0 ? 0.02 : 1.0,
                                   .split = 0.4 * (seed % 3)};
      Traffic<Shuffler> traffic(parameters, {block.warps, block.width}, 60 * block.width, seed, chances);
      traffic.shuffler.coverage = &coverage;
      coverage.reset();
      while (!traffic.done()) traffic.cycle();
      cycles += traffic.shuffler.cycles();
    }
  }
  return {cycles, cases_of(coverage.text())};
}

Coverage of_formation() {
  using Partner = Counted<FormationCoverage, FormationInputs, FormationOutputs>;
  constexpr std::uint64_t cycles = 20'000;
  FormationCoverage coverage;
  std::uint64_t all = 0;
  const FormationTrafficShape small{.lut_lines = 3, .fifo = 2, .regions = 12, .warps = 8, .micro_kernels = 3};
  for (FormationTrafficShape shape : {FormationTrafficShape{}, small}) {
    const std::uint32_t regions = shape.regions;
    for (std::uint32_t seed = 0; seed < 8; ++seed) {
      shape.regions = regions - seed % 4 * regions / 4;
      shape.micro_kernels = 3 + seed / 4;
      FormationTraffic<Partner> traffic(shape, seed,
                                        [&](std::uint32_t /*regions*/) { return std::make_unique<Partner>(coverage); });
      coverage.look(traffic.pins().model());
      for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
        traffic.cycle();
        coverage.look(traffic.pins().model());
      }
      all += cycles;
    }
  }
  return {all, cases_of(coverage.text())};
}

Coverage of_subwarps() {
  using Partner = Seen<SubwarpInputs, SubwarpOutputs>;
  constexpr std::uint64_t cycles = 20'000;
  SubwarpCoverage coverage;
  std::uint64_t all = 0;
  for (const unsigned entries : {32U, 6U, 2U}) {
    for (std::uint32_t seed = 1; seed <= 3; ++seed) {
      const SubwarpTrafficShape shape{
          .warps = entries == 6 ? 3U : 8U, .entries = entries, .trigger = static_cast<SelectTrigger>(seed % 3)};
      SubwarpTraffic<Partner> traffic(shape, seed, [] { return std::make_unique<Partner>(); });
      for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
        traffic.cycle();
        const Partner& seen = traffic.pins().partner();
        coverage.cycle(traffic.pins().model(), seen.inputs, seen.outputs);
      }
      all += cycles;
    }
  }
  return {all, cases_of(coverage.text())};
}

Coverage of_network() {
  using Partner = Counted<NetworkCoverage, NetworkInputs, NetworkOutputs>;
  constexpr std::uint64_t cycles = 50'000;
  constexpr unsigned ports = 16;
  NetworkCoverage coverage(ports);
  std::uint64_t all = 0;
  for (const unsigned register_every : {0U, 3U}) {
    NetworkTraffic<Partner> traffic({.ports = ports, .register_every = register_every}, 1,
                                    std::make_unique<Partner>(coverage));
    for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) traffic.cycle();
    all += cycles;
  }
  return {all, cases_of(coverage.text())};
}

}  // namespace

Coverage coverage_of(std::string_view block) {
  if (block == "dynamic_ray_shuffling") return of_rays();
  if (block == "dynamic_microkernel") return of_formation();
  if (block == "subwarp_interleaving") return of_subwarps();
  if (block == "benes_network") return of_network();
  return {};
}

}  // namespace reconverge::specification
