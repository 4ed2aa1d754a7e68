/// `transform microkernels`: a file that the front end takes and a table, or a complaint and nothing.

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
using Catch::StartsWith;

namespace {

constexpr const char* collatz = RECONVERGE_SOURCE_DIR "/testbenches/kernels/collatz.ptx";
constexpr const char* reduce = RECONVERGE_SOURCE_DIR "/testbenches/kernels/reduce.ptx";

ProgramResult transform(const std::vector<std::string>& more, const ProgramOptions& options = {}) {
  std::vector<std::string> arguments = {"transform", "microkernels"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_program(arguments, options);
}

}  // namespace

TEST_CASE("transform microkernels writes a kernel and says what it costs") {
  const TemporaryFolder place;
  const std::string out = place.path() / "out.ptx";
  const ProgramResult result = transform({collatz, "--kernel", "collatz", "--out", out});
  INFO(result.errors);
  CHECK(result.exit_code == 0);
  CHECK(result.errors.empty());
  CHECK_THAT(result.output, StartsWith("kernel collatz: 24 bytes of state a thread, 2 micro-kernels\n\n") &&
                                Contains("micro-kernel") && Contains("passed  loaded") && Contains("stored"));
  const std::string text = read_file(out);
  CHECK_THAT(text,
             StartsWith("// Micro-kernels of 'collatz', made by: reconverge transform microkernels --split loops\n"
                        "// 24 bytes of state a thread, 2 micro-kernels."));
  CHECK(run_program({"inspect", "program", out}).exit_code == 0);
  CHECK(names_in(place.path()) == std::vector<std::string>{"out.ptx"});

  const ProgramResult again = transform({out, "--out", place.path() / "twice.ptx"});
  CHECK(again.exit_code == 2);
  CHECK_THAT(again.errors, Contains("spawns threads already"));
}

TEST_CASE("transform microkernels complains in one line and leaves nothing") {
  const TemporaryFolder place;
  const std::string out = place.path() / "out.ptx";
  const auto complaint = [&](const std::vector<std::string>& arguments, int code) {
    const ProgramResult result = transform(arguments);
    CHECK(result.exit_code == code);
    CHECK(is_one_complaint(result.errors));
    CHECK(result.output.empty());
    CHECK(names_in(place.path()).empty());
    return result.errors;
  };
  CHECK_THAT(complaint({reduce, "--out", out}, 2),
             Contains("reduce.ptx:39:2: shared memory: a micro-kernel's threads"));
  CHECK_THAT(complaint({collatz, "--kernel", "colatz", "--out", out}, 2), Contains("did you mean collatz?"));
  CHECK_THAT(complaint({"nobody.ptx", "--out", out}, 2), Contains("nobody.ptx: cannot be read"));
  CHECK_THAT(complaint({collatz, "--out", collatz}, 2), Contains("this is the kernel that is to be read"));
  CHECK_THAT(complaint({collatz, "--split", "lines", "--out", out}, 2), Contains("--split"));
  CHECK_THAT(complaint({collatz, "--split", "branches", "--depth", "1", "--out", out}, 2),
             Contains("--depth is about"));
  CHECK_THAT(complaint({collatz}, 2), Contains("--out is required"));
  complaint({collatz, "--out", place.path() / "nowhere" / "out.ptx"}, 4);
}
