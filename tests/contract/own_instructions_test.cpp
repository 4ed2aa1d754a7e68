// SPDX-License-Identifier: Apache-2.0
// Instructions that an external scheme declares: every part of the machine follows the scheme's table.

#include <catch2/catch.hpp>
#include <string>

#include "models/kernel/decode/load_program.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "testbenches/contract/kernels.hpp"
#include "tests/contract/own_kinds.hpp"

namespace reconverge::contract {
namespace {

using kernel::DataType;
using kernel::ExtensionInstruction;

std::span<const ExtensionInstruction> own_instructions() {
  static const std::array all = {
      ExtensionInstruction{.mnemonic = "ld.own", .memory = true, .space = kernel::Space::global},
      ExtensionInstruction{.mnemonic = "st.own", .memory = true, .space = kernel::Space::global},
      ExtensionInstruction{.mnemonic = "twice.u32",
                           .destinations = {DataType::u32},
                           .sources = {DataType::u32},
                           .type = DataType::u32,
                           .value = [](std::uint32_t source) { return 2 * source; }},
      ExtensionInstruction{.mnemonic = "mark.u32", .sources = {DataType::u32}, .type = DataType::u32},
      ExtensionInstruction{.mnemonic = "st.quiet", .memory = true, .told = false, .space = kernel::Space::global}};
  return all;
}

/// Delays each of its own instructions by a cycle and counts the ones that issue.
class Owner final : public Scheme {
 public:
  explicit Owner(sc_core::sc_module_name name, const SmParameters& sm) : Scheme(name, sm.scheduler.count) {}
  void add_statistics(Statistics& totals) const override { totals.of<SmStatistics>().barriers += issued_; }

 private:
  void ask(SchemeRequest& request) override {
    if (!(held_ = !held_)) return;
    request.answer = SchemeAnswer::wait;
    request.until = request.now + 1;
  }
  void issued(SchemeRequest& /*request*/) override { ++issued_; }

  bool held_ = false;
  std::uint64_t issued_ = 0;  // shown among the barriers: the scheme has no statistics
};

const SchemeKind& owner() {
  static constexpr CauseDescription cause{"own", "for its turn"};
  static const BlockDescription block = [] {
    BlockDescription made;
    made.name = "owner";
    made.causes = std::span(&cause, 1);
    return made;
  }();
  static const SchemeKind kind{.part = {"owner", &block, nullptr},
                               .beside = true,
                               .make = [](const char* name, const SchemePlace& place) -> std::unique_ptr<Scheme> {
                                 return std::make_unique<Owner>(name, place.parameters);
                               },
                               .extensions = own_instructions};
  return kind;
}

Case case_of(std::string_view body) {
  Case result;
  result.name = "own";
  result.ptx = kernel_text(body);
  result.program = kernel::load_program_text(result.ptx, "own.ptx", "kernel", extensions_of(kinds_with(owner())));
  result.grid = {2, 1, 1};
  result.block = {96, 1, 1};
  result.output_bytes = result.threads() * slice_words * 4;
  return result;
}

/// Line of the text in which `part` first occurs.
std::string line_of(const Case& test_case, std::string_view part) {
  const std::size_t place = test_case.ptx.find(part);
  return std::to_string(1 + std::count(test_case.ptx.begin(), test_case.ptx.begin() + static_cast<long>(place), '\n'));
}

constexpr std::string_view body =
    "mul.wide.u32 %rd1, %gid, 4;\nadd.u64 %rd1, %in, %rd1;\n"
    "ld.own.u32 %r1, [%rd1];\ntwice.u32 %r2, %r1;\nsetp.gt.u32 %p1, %r1, %r2;\n"
    "@%p1 twice.u32 %r1, %r2;\nst.own.v2.u32 [%slice+8], {%r1, %r2};\n";

}  // namespace

TEST_CASE("loads, stores and values of a scheme's own instructions are the same on every machine", "[own]") {
  const Case test_case = case_of(body);
  const Outcome expected = run_scalar(test_case);
  std::uint32_t word = 0;
  std::memcpy(&word, expected.memory.data() + 12, 4);
  CHECK(word == 2 * test_case.input[0]);
  CHECK(difference(expected.memory, run_functional(test_case).memory).empty());
  for (const Shape& shape : shapes()) {
    INFO(shape.name);
    GpuParameters parameters = parameters_of(shape, "owner", test_case);
    const TimedOutcome run = run_timed(test_case, parameters, kinds_with(owner()));
    CHECK_THAT(difference(expected.memory, run.memory), Catch::Equals(""));
    CHECK(run.thread_instructions == expected.thread_instructions);
    // Four by each of six warps.
    CHECK(run.totals.of<SmStatistics>().barriers == 4 * 6);
    CHECK(slots_of(run, owner(), 0) > 0);
    CHECK(run.totals.of<LoadStoreStatistics>().instructions[LoadStoreInstructions::global] == 3 * 6);  // including %x
  }
}

TEST_CASE("a scheme is not asked about extension instructions that it opts out of", "[own]") {
  const Case test_case = case_of(std::string(body) + "st.quiet.u32 [%slice+16], %r1;\n");
  const Outcome expected = run_scalar(test_case);
  const TimedOutcome run =
      run_timed(test_case, parameters_of(shapes().front(), "owner", test_case), kinds_with(owner()));
  CHECK_THAT(difference(expected.memory, run.memory), Catch::Equals(""));
  CHECK(run.totals.of<SmStatistics>().barriers == 4 * 6);
}

TEST_CASE("extension instructions are refused at their line if their scheme is absent", "[own]") {
  const Case test_case = case_of(body);
  CHECK_THROWS_WITH(run_own(test_case, {}, *built_in_schemes().front()),
                    Catch::StartsWith("own.ptx:" + line_of(test_case, "ld.own") + ": 'ld.own' is of a scheme"));
  // A value that only the scheme provides does not exist on a machine without schemes.
  const Case marks = case_of("mark.u32 %x;\n");
  CHECK_THROWS_WITH(run_functional(marks), Catch::StartsWith("own.ptx:" + line_of(marks, "mark.u32") + ": 'mark.u32'"));
  CHECK_THROWS_WITH(kernel::load_program_text(marks.ptx, "own.ptx", "kernel"),
                    Catch::Contains("instruction 'mark.u32' is not supported"));
}

}  // namespace reconverge::contract
