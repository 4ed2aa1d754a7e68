// SPDX-License-Identifier: Apache-2.0
/// The waveform file of a run, read back by GTKWave's code, and by its program fst2vcd if that is installed.

#include "models/cosim/twin/waves.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <random>
#include <system_error>
#include <systemc>

#include "models/core/error.hpp"
#include "models/core/simulation_context.hpp"
#include "models/cosim/benes_network/network_ports.hpp"
#include "models/stream/benes_network/twin.hpp"
#include "tests/cosim/waves_reader.hpp"
#include "tests/unit/core/file_size_limit.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge;
using namespace reconverge::tests;
using Catch::Contains;

namespace {

constexpr unsigned ports = 16;
constexpr unsigned register_every = 2;

bool is_built() {
  if (twin::is_built<NetworkPorts>({ports, register_every})) return true;
  WARN("skipped: RECONVERGE_BENES_RTL has no 16,2");
  return false;
}

struct Network : sc_core::sc_module {
  Network(sc_core::sc_module_name name, NetworkTwin twin)
      : sc_module(name),
        packing(BenesRouting(ports)),
        unit(make_network_twin(packing, register_every, twin)),
        latency(packing.routing().latency(register_every)) {}

  RecordPacking packing;
  std::unique_ptr<NetworkUnit> unit;
  unsigned latency;
};

/// Values applied to some pins in a clock cycle.
struct PinsOfClock {
  bool valid;
  PortMask active;
};

/// Random groups, one after the other, and the values of each clock cycle as ClockedNetwork applies them.
std::vector<PinsOfClock> drive(Network& network, unsigned requests) {
  std::mt19937 random(7);
  std::vector<PinsOfClock> clocks;
  for (unsigned i = 0; i < requests; ++i) {
    NetworkRequest request;
    request.kind = NetworkKind::pack;
    request.group = {random() & 0xffffU, 0, static_cast<unsigned>(random() % ports), 0};
    request.group.taken = request.group.active;
    network.unit->move(request);
    clocks.insert(clocks.end(), request.clocks, {true, request.group.active});
    clocks.insert(clocks.end(), network.latency, {false, request.group.active});
  }
  return clocks;
}

ReadSignals read(const std::string& fst) {
  const TemporaryFolder place;
  return read_fst(place.write("waves.fst", fst));
}

std::string binary(std::uint64_t value, unsigned width) {
  std::string text;
  for (unsigned bit = width; bit-- > 0;) text += (value >> bit & 1U) != 0 ? '1' : '0';
  return text;
}

}  // namespace

TEST_CASE("a waveform file has the inputs and outputs of RTL and model in the cycles of the window") {
  if (!is_built()) return;
  const SimulationContext context;
  twin::Waves waves({5, 40});
  std::vector<PinsOfClock> clocks;
  {
    Network network("network", NetworkTwin::lockstep);
    CHECK(waves.connect() == 1);
    clocks = drive(network, 30);
  }
  REQUIRE(clocks.size() > 41);
  const ReadSignals signals = read(waves.fst());

  const auto& inner_clock = signals.at("network.rtl.benes_network.clk_i");
  for (const std::string scope : {"network.rtl.", "network.model."}) {
    INFO(scope);
    CHECK(signals.at(scope + "active_i").width == ports);
    CHECK(signals.at(scope + "data_i").width == ports * NetworkPorts::built_data_bits);
    CHECK(signals.at(scope + "valid_i").width == 1);
    bool equal = true;
    for (std::uint64_t cycle = 5; cycle <= 40; ++cycle) {
      const std::uint64_t time = cycle * twin::ticks_of_cycle;
      equal = equal && signals.at(scope + "valid_i").at(time) == binary(clocks[cycle].valid ? 1 : 0, 1);
      equal = equal && signals.at(scope + "active_i").at(time) == binary(clocks[cycle].active, ports);
      equal = equal && inner_clock.at(time) == "0" && inner_clock.at(time + twin::ticks_of_cycle / 2) == "1";
    }
    CHECK(equal);
  }
  CHECK_FALSE(signals.contains("network.model.clk_i"));

  // The waveform contains nothing outside of the window.
  for (const auto& [name, signal] : signals) {
    INFO(name);
    CHECK(signal.changes.begin()->first >= 5 * twin::ticks_of_cycle);
    CHECK(std::prev(signal.changes.end())->first < 41 * twin::ticks_of_cycle);
  }

  // Where the model defines a value, the RTL has the same; only records have data.
  bool equal = true;
  std::uint64_t unsaid = 0, said = 0;
  for (std::uint64_t time = 50; time <= 400; time += twin::ticks_of_cycle) {
    for (const std::string port : {"valid_o", "data_o", "bank_o", "ready_o", "next_first_o"}) {
      const std::string model = signals.at("network.model." + port).at(time);
      const std::string rtl = signals.at("network.rtl." + port).at(time);
      for (std::size_t bit = 0; bit < model.size(); ++bit) {
        ++(model[bit] == 'x' ? unsaid : said);
        equal = equal && (model[bit] == 'x' || model[bit] == rtl[bit]);
      }
    }
    const std::string valid = signals.at("network.model.valid_o").at(time);
    const std::string data = signals.at("network.model.data_o").at(time);
    for (unsigned port = 0; port < ports; ++port) {
      const bool there = data.substr(port * NetworkPorts::built_data_bits, NetworkPorts::built_data_bits).find('x') ==
                         std::string::npos;
      equal = equal && there == (valid[port] == '1');
    }
  }
  CHECK(equal);
  CHECK(said > 1000);
  CHECK(unsaid > 1000);
}

TEST_CASE("waves of RTL only have no model and are identical for the same run") {
  if (!is_built()) return;
  std::vector<std::string> files;
  for (int i = 0; i < 2; ++i) {
    const SimulationContext context;
    twin::Waves waves({0, 99});
    {
      Network network("network", NetworkTwin::rtl);
      CHECK(waves.connect() == 1);
      drive(network, 10);
    }
    files.push_back(waves.fst());
  }
  CHECK(files[0] == files[1]);
  const ReadSignals signals = read(files[0]);
  CHECK(signals.at("network.rtl.active_i").changes.size() > 2);
  for (const auto& [name, signal] : signals) CHECK_THAT(name, !Contains("model"));
}

TEST_CASE("fst2vcd reads the file as the reader of GTKWave does") {
  if (!is_built()) return;
  if (std::system("command -v fst2vcd >/dev/null") != 0) {
    WARN("skipped: no fst2vcd (apt-get install gtkwave)");
    return;
  }
  const SimulationContext context;
  twin::Waves waves({0, 60});
  {
    Network network("network", NetworkTwin::lockstep);
    waves.connect();
    drive(network, 30);
  }
  const TemporaryFolder place;
  const std::string fst = place.write("waves.fst", waves.fst());
  const std::string vcd = (place.path() / "waves.vcd").string();
  REQUIRE(std::system(("fst2vcd -f " + fst + " -o " + vcd).c_str()) == 0);
  std::ifstream in(vcd);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  CHECK_THAT(text, Contains("100ps"));
  const ReadSignals by_code = read_fst(fst);
  const ReadSignals by_program = read_vcd(text);
  REQUIRE(by_code.size() == by_program.size());
  CHECK(by_code.size() > 50);
  CHECK(by_code.at("network.rtl.active_i").changes.size() > 2);
  bool equal = true;
  for (const auto& [name, signal] : by_code) {
    const ReadSignal& other = by_program.at(name);
    equal = equal && other.width == signal.width;
    for (std::uint64_t time = 0; time < 610; time += 5) equal = equal && other.at(time) == signal.at(time);
  }
  CHECK(equal);
}

TEST_CASE("streams of blocks merge into one file by time with a separate scope for other RTL") {
  const std::string small = "$scope module top $end\n$var wire 1 ! go_i $end\n$upscope $end\n$enddefinitions $end\n";
  const std::string wide =
      "$scope module top $end\n$var wire 4 ! go_i [3:0] $end\n$scope module core $end\n$var wire 4 ! all [3:0] $end\n"
      "$var wire 1 # clk_i $end\n$upscope $end\n$upscope $end\n$enddefinitions $end\n";
  twin::Signals first("gpu.sm_0.block", {0, 9});
  twin::Signals second("gpu.sm_1.block", {0, 9});
  first.body("rtl", small).append("#10\n1!\n#30\n0!\n");
  second.body("rtl", small).append("#0\n0!\n#20\n1!\n");
  first.body("rtl", wide).append("\n\n#40\nb1010 !\n1#\n");
  first.body("rtl", small).append("#50\n1!\n");
  std::vector<twin::SignalStream*> streams;
  for (twin::Signals* const block : {&first, &second}) {
    for (const auto& stream : block->streams()) streams.push_back(stream.get());
  }
  const ReadSignals signals = read(twin::fst_of(streams));
  CHECK(signals.size() == 5);
  CHECK(signals.at("gpu.sm_0.block.rtl.go_i").changes ==
        std::map<std::uint64_t, std::string>{{10, "1"}, {30, "0"}, {50, "1"}});
  CHECK(signals.at("gpu.sm_1.block.rtl.go_i").changes == std::map<std::uint64_t, std::string>{{0, "0"}, {20, "1"}});
  CHECK(signals.at("gpu.sm_0.block.rtl_2.go_i").at(40) == "1010");
  CHECK(signals.at("gpu.sm_0.block.rtl_2.core.all").at(40) == "1010");
  CHECK(signals.at("gpu.sm_0.block.rtl_2.core.clk_i").changes == std::map<std::uint64_t, std::string>{{40, "1"}});
}

TEST_CASE("a file that the disk takes only in part is no file") {
  const std::string header = "$scope module top $end\n$var wire 1 ! go_i $end\n$upscope $end\n$enddefinitions $end\n";
  const auto made = [&](rlim_t limit) {
    twin::Signals block("gpu.sm_0.block", {0, 9});
    block.body("rtl", header).append("#0\n0!\n#10\n1!\n");
    const FileSizeLimit disk(limit);
    return twin::fst_of({block.streams().front().get()});
  };
  const std::string whole = made(1'000'000);
  CHECK(made(whole.size()) == whole);
  for (std::size_t size = 400; size < whole.size(); ++size) {  // the writer maps its first bytes into memory
    INFO(size);
    CHECK_THROWS_AS(made(size), std::system_error);
  }
}

TEST_CASE("a window that no block reached is reported") {
  if (!is_built()) return;
  const SimulationContext context;
  twin::Waves waves({100'000, 200'000});
  Network network("network", NetworkTwin::rtl);
  waves.connect();
  const std::size_t clocks = drive(network, 3).size();
  CHECK_THROWS_WITH(waves.fst(), Contains("100000") && Contains(std::to_string(clocks)));
}
