// SPDX-License-Identifier: Apache-2.0
/// The waveform of a lock-step difference shows the preceding cycles: they are run again from a saved state.

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "VDrs.h"
#include "models/cosim/dynamic_ray_shuffling/bench/lock_step.hpp"
#include "models/cosim/dynamic_ray_shuffling/traffic/traffic.hpp"

using namespace reconverge;

namespace {

using Recorder = twin::Recorder<RayPorts>;

/// The lanes that the block reads in a cycle, as port read_lanes_o encodes them, and whether it is idle.
struct Seen {
  std::string read_lanes;
  std::string idle;
};

/// A partner of the model that records the outputs and keeps them.
class Recorded {
 public:
  Recorded(const DynamicRayShufflingParameters& parameters, std::size_t warps, unsigned width)
      : rtl_(std::make_unique<twin::Verilated<RayPorts, VDrs>>(
            RayPorts::shape_of(RayPorts::sizes_of(parameters, warps), width))) {}

  void cycle(const PinInputs& inputs, const PinOutputs& /*expected*/) {
    recorder_.add(*rtl_, inputs);
    rtl_->settle(inputs);
    seen_.push_back({fmt::format("{:032b}", rtl_->rtl().read_lanes_o), fmt::format("{}", rtl_->rtl().idle_o)});
    rtl_->clock();
  }

  std::string waveform() const { return recorder_.waveform(*rtl_); }
  const std::vector<Seen>& seen() const { return seen_; }

 private:
  std::unique_ptr<twin::Verilated<RayPorts, VDrs>> rtl_;
  Recorder recorder_;
  std::vector<Seen> seen_;
};

/// The values of two ports before each clock edge, by cycle.
std::vector<Seen> read_waveform(const std::string& text) {
  std::istringstream in(text);
  std::map<std::string, std::string> names;  // of codes
  std::map<std::string, std::string> values;
  std::vector<Seen> cycles;
  std::string line;
  std::uint64_t time = 0;
  const auto end_of_time = [&] {
    if (time % 10 == 0 && !values.empty()) cycles.push_back({values["read_lanes_o"], values["idle_o"]});
  };
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (first == "$var") {
      std::string kind, width, code, name;
      words >> kind >> width >> code >> name;
      names.emplace(code, name);
    } else if (first.front() == '#') {
      end_of_time();
      time = std::stoull(first.substr(1));
    } else if (first.front() == 'b') {
      std::string code;
      words >> code;
      values[names[code]] = first.substr(1);
    } else if (first.front() == '0' || first.front() == '1') {
      values[names[first.substr(1)]] = first.substr(0, 1);
    }
  }
  end_of_time();
  return cycles;
}

}  // namespace

TEST_CASE("the waveform of a lock step shows its last cycles, wherever states were saved") {
  for (const std::size_t cycles : {std::size_t{200}, std::size_t{1000}, Recorder::interval + 5, 2 * Recorder::interval,
                                   2 * Recorder::interval + 1000}) {
    INFO(cycles);
    Traffic<PinsWithRays<Recorded>> traffic({}, {58, 32}, 20'000, 1, {.granted = 0.7});
    while (traffic.shuffler.cycles() < cycles) traffic.cycle();
    const std::vector<Seen>& seen = traffic.shuffler.partner().seen();
    const std::vector<Seen> shown = read_waveform(traffic.shuffler.partner().waveform());
    REQUIRE(shown.size() == std::min(cycles, Recorder::shown));
    bool equal = true;
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const Seen& then = seen[seen.size() - shown.size() + i];
      equal = equal && shown[i].read_lanes == then.read_lanes && shown[i].idle == then.idle;
    }
    CHECK(equal);
    CHECK(std::any_of(shown.begin(), shown.end(), [](const Seen& one) { return one.idle == "0"; }));
  }
}
