// SPDX-License-Identifier: Apache-2.0
// Measures the host's cost of a request to the memory below the L1 caches, in nanoseconds of processor time: for hits
// in the L2 cache, for streams through memory, and for reads of random rows. Prints one JSON object a line for each
// figure.

#include <benchmark/benchmark.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <memory>
#include <random>
#include <systemc>

#include "benchmarks/line_reporter.hpp"
#include "models/core/simulation_context.hpp"
#include "models/memory/memory_hierarchy.hpp"

// SystemC's library needs this symbol.
extern "C" int sc_main(int /*argc*/, char** /*argv*/) { return 0; }

namespace reconverge {
namespace {

constexpr unsigned sms = 15;
constexpr unsigned outstanding = 32;  // of each SM

/// The next address that an SM reads.
using Next = std::function<DeviceAddress()>;

/// An SM that sends the next read when the previous one is answered.
class Reader : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Reader> socket;

  Reader(sc_core::sc_module_name name, std::uint32_t sm, Next next)
      : sc_module(name), socket("socket"), sm_(sm), next_(std::move(next)) {
    socket.register_nb_transport_bw(this, &Reader::answer);
  }
  void begin() {
    for (unsigned i = 0; i < outstanding; ++i) send(sc_core::SC_ZERO_TIME);
  }
  std::uint64_t answers() const { return answers_; }

 private:
  void send(sc_core::sc_time delay) {
    auto [payload, notes] = payloads_.acquire(tlm::TLM_READ_COMMAND, next_(), 128);
    notes.sectors = 0xf;
    notes.sm = sm_;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    socket->nb_transport_fw(payload, phase, delay);
  }
  tlm::tlm_sync_enum answer(tlm::tlm_generic_payload& payload, tlm::tlm_phase& /*phase*/, sc_core::sc_time& delay) {
    payload.release();
    ++answers_;
    send(delay);
    return tlm::TLM_COMPLETED;
  }

  std::uint32_t sm_;
  Next next_;
  PayloadPool payloads_;
  std::uint64_t answers_ = 0;
};

/// Runs SMs that read the addresses of `of_sm(sm)`. The first reads, which fill caches and pools, are not counted.
void run(benchmark::State& state, const std::function<Next(unsigned)>& of_sm) {
  const SimulationContext context;
  MemoryHierarchy memory({}, {}, {}, sms, /*sm_clock=*/980'000'000);
  std::vector<std::unique_ptr<Reader>> readers;
  for (unsigned sm = 0; sm < sms; ++sm) {
    readers.push_back(std::make_unique<Reader>(fmt::format("reader_{}", sm).c_str(), sm, of_sm(sm)));
    readers.back()->socket.bind(memory.requests().add());
  }
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
  for (auto& reader : readers) reader->begin();
  sc_core::sc_start(sc_core::sc_time(50, sc_core::SC_US));
  const std::uint64_t before = memory.crossbar_statistics().replies;
  for (auto iteration : state) {
    (void)iteration;
    sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_US));
  }
  const auto requests = static_cast<double>(memory.crossbar_statistics().replies - before);
  state.counters["ns"] = benchmark::Counter(requests * 1e-9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

Next hits(unsigned sm) {
  return [random = std::minstd_rand(sm + 1)]() mutable { return random() % 4096 * 128; };
}

Next stream(unsigned sm) {
  return [line = DeviceAddress{sm}]() mutable { return (line += sms) * 128; };
}

Next random_rows(unsigned sm) {
  return [random = std::mt19937(sm)]() mutable { return static_cast<DeviceAddress>(random()) * 128; };
}

}  // namespace
}  // namespace reconverge

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const auto add = [](const char* name, reconverge::Next (*of_sm)(unsigned)) {
    benchmark::RegisterBenchmark(name, [of_sm](benchmark::State& state) { reconverge::run(state, of_sm); })
        ->Repetitions(5)
        ->ReportAggregatesOnly();
  };
  add("memory.second_level_hits", reconverge::hits);
  add("memory.stream", reconverge::stream);
  add("memory.random_rows", reconverge::random_rows);
  reconverge::LineReporter reporter("ns/request", [](const auto& run) { return run.counters.at("ns"); });
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return 0;
}
