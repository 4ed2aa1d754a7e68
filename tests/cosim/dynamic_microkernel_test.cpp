/// The RTL of dynamic warp formation in lock step with its model: every output of every cycle, under random spawns of
/// an SM whose warps begin and end in any order.

#include <VFormation.h>
#include <VFormationSmall.h>
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <random>

#include "models/twin/compared.hpp"
#include "models/twin/verilated.hpp"
// SystemC's headers behind those of Verilator.
#include "models/core/elaborate.hpp"
#include "models/core/simulation_context.hpp"
#include "models/dynamic_microkernel/twin/formation_pins.hpp"
#include "models/protocols/ask.hpp"
#include "tests/unit/dynamic_ray_shuffling/asker.hpp"

using namespace reconverge;
using namespace reconverge::tests;

namespace {

using Compared = twin::Compared<FormationPorts>;

/// What happened, by name.
using Coverage = std::map<std::string, std::uint64_t>;

struct Shape {
  std::size_t lines;
  std::size_t fifo;
  std::uint32_t regions;  // of the RTL
  std::uint32_t warps;    // of the SM
  unsigned locations;
};

template <typename Class>
std::uint64_t run(const Shape& shape, std::uint32_t parts, std::uint64_t seed, std::uint64_t cycles,
                  Coverage& coverage) {
  const SimulationContext context;
  FormationPins<Compared> pins("formation", shape.lines, shape.fifo);
  Asker<WarpPop> pop("pop", pins.model().full_warps());
  Asker<PartialWarp> force("force", pins.model().partial_warps());
  elaborate();
  pins.begin(parts, std::make_unique<Compared>(std::make_unique<twin::Verilated<FormationPorts, Class>>(
                        FormationPorts::Shape{shape.regions})));
  std::mt19937 random(static_cast<std::uint32_t>(seed));
  struct Running {
    std::optional<NewWarp> warp;
    LaneMask left = all_lanes;
  };
  std::vector<Running> running;
  for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
    bool forced = false;
    if (running.size() < shape.warps && random() % 2 == 0) {
      if (const auto warp = pop().warp) {
        pins.popped();
        running.push_back({warp, all_lanes});
        ++coverage["a full warp begins"];
      } else if (random() % 8 == 0) {
        const auto partial = force().warp;
        if (partial) {
          pins.forced();
          forced = true;
          running.push_back({partial, all_lanes >> (warp_size - partial->threads)});
          ++coverage["a partial warp begins"];
        }
      } else if (random() % 4 == 0) {
        running.push_back({});  // of the launch
      }
    }
    if (!running.empty() && !forced && random() % 4 != 0) {
      Running& one = running[random() % running.size()];
      LaneMask lanes = one.left & random() & (random() % 2 == 0 ? all_lanes : static_cast<LaneMask>(random()));
      if (random() % 4 == 0) lanes = one.left;
      if (lanes != 0) {
        const kernel::Pc pc = 100 + 7 * (random() % shape.locations);
        const auto offer = pins.offer(pc, lanes);
        ++coverage[fmt::format("stall {}", static_cast<int>(offer.stall))];
        if (offer.full) ++coverage["a warp is completed"];
        // Now and then another unit refuses the instruction.
        if (offer.stall == WarpFormation::Stall::none && random() % 8 != 0) {
          pins.create(pc, lanes);
          one.left &= ~lanes;
        } else if (random() % 2 == 0) {
          one.left &= ~lanes;  // these end
        }
      }
    }
    for (std::size_t i = running.size(); i-- > 0;) {
      if (running[i].left != 0 && random() % 64 != 0) continue;
      if (running[i].warp) pins.release(*running[i].warp);
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
    }
    pins.step();
  }
  return cycles;
}

template <typename Class>
void check(const Shape& shape, std::uint64_t cycles, Coverage& coverage) {
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    INFO("seed " << seed);
    // Areas as large as the RTL has them, and smaller ones, in which spawns stall.
    const std::uint32_t parts = shape.regions - static_cast<std::uint32_t>(seed % 4) * shape.regions / 4;
    try {
      compared += run<Class>(shape, parts, seed, cycles, coverage);
    } catch (const LockStepDifference& difference) {
      const std::string file = fmt::format("formation_{}_{}.vcd", shape.regions, seed);
      std::ofstream(file) << difference.waveform();
      FAIL(difference.what() << "; waveform in " << file);
    }
  }
  fmt::print("dynamic warp formation, {} lines, {} parts: {} cycles compared\n", shape.lines, shape.regions, compared);
}

}  // namespace

TEST_CASE("RTL and model of dynamic warp formation agree in every cycle, in every case that matters") {
  Coverage coverage;
  check<VFormation>({64, 64, 54, 200, 3}, 100'000, coverage);
  check<VFormationSmall>({3, 2, 12, 12, 4}, 100'000, coverage);
  for (const auto& [name, times] : coverage) fmt::print("  {}: {}\n", name, times);
  for (const char* bin :
       {"a full warp begins", "a partial warp begins", "a warp is completed", "stall 0", "stall 1", "stall 2"}) {
    INFO(bin);
    CHECK(coverage[bin] > 0);
  }
}
