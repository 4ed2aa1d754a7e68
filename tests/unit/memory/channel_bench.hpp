// SPDX-License-Identifier: Apache-2.0
#pragma once
/// One channel of DRAM under traffic.

#include "models/memory/dram_channel.hpp"
#include "tests/unit/memory/traffic.hpp"

namespace reconverge::tests {

struct ChannelBench {
  /// Timing parameters that differ from each other; a burst moves 32 bytes in two cycles.
  static DramParameters simple() {
    DramParameters parameters;
    parameters.clock = 1'000'000'000;
    parameters.latency = 50;
    parameters.banks = 4;
    parameters.row_bytes = 2048;
    parameters.bank_order = DramBankOrder::plain;
    parameters.burst_bytes = 32;
    parameters.burst_cycles = 2;
    parameters.t_rcd = 12;
    parameters.t_cl = 10;
    parameters.t_wl = 4;
    parameters.t_rp = 11;
    parameters.t_ras = 30;
    parameters.t_rc = 45;
    parameters.t_rrd = 6;
    parameters.t_ccd = 2;
    parameters.t_wtr = 5;
    parameters.t_wr = 13;
    parameters.t_rtp = 3;
    return parameters;
  }
  static L2CacheParameters one_slice() {
    L2CacheParameters parameters;
    parameters.slices = 1;
    return parameters;
  }

  explicit ChannelBench(const DramParameters& with = simple()) : ChannelBench(with, with.clock) {}
  ChannelBench(const DramParameters& with, std::uint64_t traffic_clock)
      : parameters(with),
        map(one_slice(), 1),
        timeline("timeline"),
        calendar(timeline, Clock(with.clock)),
        channel("channel", with, map, calendar, with.latency),
        traffic("traffic", Clock(traffic_clock)) {
    traffic.socket.bind(channel.requests.add());
    traffic.run(0);
  }

  DeviceAddress at(std::uint64_t bank, std::uint64_t row, std::uint64_t burst = 0) const {
    return (row * parameters.banks + bank) * parameters.row_bytes + burst * parameters.burst_bytes;
  }
  /// Sends one read of a burst, runs until everything ends, and returns the latency.
  Cycle isolated(DeviceAddress address) {
    const Cycle start = traffic.now();
    const auto number = traffic.send(read(address, 0x1));
    traffic.run(1000);
    return traffic.answered(number) - start;
  }
  /// From a read command to the response, for one burst.
  Cycle data() const { return parameters.t_cl + parameters.burst_cycles + parameters.latency; }
  const DramStatistics& statistics() const { return channel.statistics(); }

  const SimulationContext context;
  DramParameters parameters;
  AddressMap map;
  Timeline timeline;
  Calendar calendar;
  DramChannel channel;
  Traffic traffic;
};

}  // namespace reconverge::tests
