// SPDX-License-Identifier: Apache-2.0
// Asynchronous instructions of a scheme: they read memory, the scheme decides when their results arrive, and they leave
// the same memory as the functional machines.

#include <catch2/catch.hpp>
#include <cstring>
#include <deque>
#include <string>

#include "models/kernel/decode/load_program.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "testbenches/contract/kernels.hpp"
#include "tests/contract/own_kinds.hpp"

namespace reconverge::contract {
namespace {

using kernel::DataType;
using kernel::ExtensionInstruction;

constexpr std::uint8_t purpose = 7;

/// Returns three times the word at an address, and whether it is odd.
void fetch_word(kernel::ExtensionThread& thread) {
  std::uint32_t word = 0;
  thread.read(thread.sources[0], std::as_writable_bytes(std::span(&word, 1)));
  thread.fetch(thread.sources[0], sizeof(word), purpose);
  if (thread.sources[1] != 0) throw std::domain_error("the second source is for zero");
  thread.destinations = {3 * std::uint64_t{word}, word & 1U, 0, 0};
}

std::span<const ExtensionInstruction> fetch_instructions() {
  static const std::array all = {ExtensionInstruction{.mnemonic = "fetch.u32",
                                                      .destinations = {DataType::u64, DataType::pred},
                                                      .sources = {DataType::u64, DataType::u32},
                                                      .type = DataType::u32,
                                                      .compute = fetch_word,
                                                      .asynchronous = true}};
  return all;
}

/// Delivers results `later` cycles after the operands have arrived.
class Later final : public Scheme {
 public:
  Later(sc_core::sc_module_name name, const SmParameters& sm, Cycle later)
      : Scheme(name, sm.scheduler.count), later_(later) {}
  void add_statistics(Statistics& totals) const override { totals.of<SmStatistics>().barriers += fetched_; }
  std::vector<MemoryFetch>* fetches() override { return &fetches_; }

 private:
  struct Pending {
    WritebackRequest result;
    Homes homes;
  };

  void begin(const SchemeLaunch& /*launch*/) override {
    pending_.clear();
    fetches_.clear();
    next_event_ = never;
  }
  void issued(SchemeRequest& request) override {
    if (request.lanes == 0) return;
    for (const MemoryFetch& fetch : fetches_) {
      if (fetch.purpose != purpose || fetch.bytes != 4 || (request.lanes >> fetch.lane & 1U) == 0)
        throw std::logic_error("an unexpected fetch");
    }
    if (fetches_.size() != count_lanes(request.lanes)) throw std::logic_error("a fetch is missing");
    fetches_.clear();
    ++fetched_;
    Pending& one = pending_.emplace_back();
    one.result = {request.slot, nullptr, request.pc, request.path.lanes, request.result + later_};
    if (request.homes != nullptr) {
      one.homes = *request.homes;
      one.result.homes = &one.homes;
    }
    next_event_ = std::min(next_event_, one.result.result - 1);
  }
  void tick(Cycle now) override {
    next_event_ = never;
    for (auto one = pending_.begin(); one != pending_.end();) {
      if (one->result.result > now + 1) {
        next_event_ = std::min(next_event_, one->result.result - 1);
        ++one;
        continue;
      }
      one->result.now = now;
      send(writeback, one->result);
      one = pending_.erase(one);
    }
  }

  Cycle later_;
  std::deque<Pending> pending_;
  std::vector<MemoryFetch> fetches_;
  std::uint64_t fetched_ = 0;  // shown among the barriers: the scheme has no statistics
};

template <Cycle later>
const SchemeKind& later_kind() {
  static const BlockDescription block = [] {
    BlockDescription made;
    made.name = "later";
    return made;
  }();
  static const SchemeKind kind{.part = {"later", &block, nullptr},
                               .beside = true,
                               .make = [](const char* name, const SchemePlace& place) -> std::unique_ptr<Scheme> {
                                 return std::make_unique<Later>(name, place.parameters, later);
                               },
                               .extensions = fetch_instructions};
  return kind;
}

Case case_of(std::string_view body, Dim3 grid, Dim3 block) {
  Case result;
  result.name = "later";
  result.ptx = kernel_text(body);
  result.program =
      kernel::load_program_text(result.ptx, "later.ptx", "kernel", extensions_of(kinds_with(later_kind<50>())));
  result.grid = grid;
  result.block = block;
  result.output_bytes = result.threads() * slice_words * 4;
  return result;
}

constexpr std::string_view divergent =
    "mul.wide.u32 %rd1, %gid, 4;\nadd.u64 %rd1, %in, %rd1;\n"
    "fetch.u32 %rd2, %p1, %rd1, 0;\n"
    "@%p1 bra ODD;\n"
    "fetch.u32 %rd3, %p2, %in, 0;\nadd.u64 %rd2, %rd2, %rd3;\nbra JOIN;\n"
    "ODD: fetch.u32 %rd4, _, %rd1, 0;\nfetch.u32 %rd4, _, %rd1, 0;\nsub.u64 %rd2, %rd4, %rd2;\nadd.u64 %rd2, %rd2, 5;\n"
    "JOIN: setp.lt.u32 %p3, %lane, 7;\n@%p3 fetch.u32 %rd2, %p1, %in, 0;\n"
    "@!%p3 fetch.u32 %rd5, %p1, %in, 0;\n"
    "st.global.u64 [%slice+8], %rd2;\n";

Cycle cycles_of(std::string_view body, const SchemeKind& kind) {
  const Case test_case = case_of(body, {1, 1, 1}, {32, 1, 1});
  GpuParameters parameters;
  parameters.sms = 1;
  return run_own(test_case, parameters, kind).totals.of<GpuStatistics>().cycles;
}

}  // namespace

TEST_CASE("results of asynchronous instructions do not depend on when they answer", "[own]") {
  const Case test_case = case_of(divergent, {2, 1, 1}, {96, 1, 1});
  const Outcome expected = run_scalar(test_case);
  CHECK(difference(expected.memory, run_functional(test_case).memory).empty());
  for (const std::string_view paths : {"reconvergence_stack", "thread_block_compaction"}) {
    for (const Shape& shape : shapes()) {
      INFO(paths << ", " << shape.name);
      GpuParameters parameters = parameters_of(shape, paths, test_case);
      parameters.sm.scheme.emplace_back("later");
      const TimedOutcome soon = run_timed(test_case, parameters, kinds_with(later_kind<1>()));
      const TimedOutcome late = run_timed(test_case, parameters, kinds_with(later_kind<700>()));
      CHECK_THAT(difference(expected.memory, soon.memory), Catch::Equals(""));
      CHECK_THAT(difference(expected.memory, late.memory), Catch::Equals(""));
      CHECK(soon.thread_instructions == expected.thread_instructions);
      CHECK(late.totals.of<GpuStatistics>().cycles >= soon.totals.of<GpuStatistics>().cycles + 3 * 600);
    }
  }
}

TEST_CASE("a warp continues past an asynchronous instruction until it needs the result or ends", "[own]") {
  const auto grows = [](std::string_view body) {
    return cycles_of(body, later_kind<1100>()) - cycles_of(body, later_kind<100>());
  };
  // Each needs the previous one; they are independent; no instruction reads the result, and the end of the warp waits.
  CHECK(grows("fetch.u32 %rd1, _, %in, 0;\nand.b64 %rd1, %rd1, 0;\nadd.u64 %rd1, %rd1, %in;\n"
              "fetch.u32 %rd2, _, %rd1, 0;\nst.global.u64 [%slice+8], %rd2;\n") == 2000);
  CHECK(grows("fetch.u32 %rd1, _, %in, 0;\nfetch.u32 %rd2, _, %in, 0;\nadd.u64 %rd1, %rd1, %rd2;\n"
              "st.global.u64 [%slice+8], %rd1;\n") == 1000);
  CHECK(grows("fetch.u32 %rd1, _, %in, 0;\nst.global.u32 [%slice+8], %x;\n") > 700);  // overlaps the load of %x
  // The predicate is also a result.
  CHECK(grows("fetch.u32 _, %p1, %in, 0;\n@%p1 fetch.u32 %rd1, _, %in, 0;\n@!%p1 fetch.u32 %rd1, _, %in, 0;\n") >=
        2000);
}

TEST_CASE("an asynchronous instruction refuses addresses outside memory and wrong operands", "[own]") {
  const auto fails = [](const std::string& body, const std::string& what) {
    const Case test_case = case_of(body, {1, 1, 1}, {32, 1, 1});
    CHECK_THROWS_WITH(run_scalar(test_case), Catch::Contains(what));
    CHECK_THROWS_WITH(run_functional(test_case), Catch::Contains("later.ptx:") && Catch::Contains(what));
    CHECK_THROWS_WITH(run_own(test_case, {}, later_kind<50>()), Catch::Contains("later.ptx:") && Catch::Contains(what));
  };
  fails("fetch.u32 %rd1, _, %in, 1;\n", "the second source is for zero");
  fails("add.u64 %rd1, %in, 2;\nfetch.u32 %rd1, _, %rd1, 0;\n", "misaligned");
  const Case nowhere = case_of("mov.u64 %rd1, 64;\nfetch.u32 %rd1, _, %rd1, 0;\n", {1, 1, 1}, {32, 1, 1});
  CHECK_THROWS_WITH(run_functional(nowhere), Catch::Contains("read outside every buffer at address 0x40"));
  CHECK_THROWS_WITH(run_scalar(nowhere), Catch::Contains("address 0x40 is in no buffer"));
}

}  // namespace reconverge::contract
