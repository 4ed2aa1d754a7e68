// SPDX-License-Identifier: Apache-2.0
// Compiled ordinary programs leave the same memory as the programs themselves compiled for the host: on the untimed
// machine, on the scalar interpreter, on the timed GPU under every scheme, and, for programs of independent threads, on
// stream processors. Environment: RECONVERGE_CORPUS_PTX is a folder with <program>.<whatever>.ptx to run instead of
// nvcc's output; with RECONVERGE_CORPUS_ALL set, clang is run with every option for every target;
// RECONVERGE_WIDE_DIVISIONS is the number of operands for wide_division.

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <random>
#include <span>

#include "models/core/error.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "testbenches/contract/machines.hpp"
#include "testbenches/contract/pass_ways.hpp"
#include "testbenches/contract/stream_ways.hpp"
#include "testbenches/corpus/programs.hpp"
#include "tests/corpus/compiler.hpp"
#include "tests/repetition.hpp"

namespace reconverge::tests {
namespace {

using corpus::CorpusProgram;

/// The result of the native twin. A twin's variables keep the values of a run, so each twin runs once.
const std::vector<std::byte>& expected(const CorpusProgram& program) {
  static std::map<std::string_view, std::vector<std::byte>> known;
  const auto [place, is_new] = known.try_emplace(program.name);
  if (is_new) {
    const auto words = corpus::run_native(program, contract::random_words());
    const auto bytes = std::as_bytes(std::span(words));
    place->second.assign(bytes.begin(), bytes.end());
  }
  return place->second;
}

contract::Case case_of(const CorpusProgram& program, const std::string& ptx, const std::string& variant) {
  contract::Case result;
  result.name = fmt::format("{} ({})", program.name, variant);
  result.program = kernel::load_program_text(ptx, result.name, program.name);
  result.grid = {program.grid.x, program.grid.y, program.grid.z};
  result.block = {program.block.x, program.block.y, program.block.z};
  result.output_bytes = corpus::output_words * 4;
  result.dynamic_shared_bytes = program.dynamic_shared_bytes;
  return result;
}

/// Runs the PTX on every machine and reports differences.
std::string check(const CorpusProgram& program, const std::string& ptx, const std::string& variant) {
  std::string machine = "loading";
  try {
    const contract::Case test_case = case_of(program, ptx, variant);
    const auto compare = [&](const contract::Outcome& found) {
      const std::string text = contract::difference(expected(program), found.memory);
      return text.empty() ? text : fmt::format("{}, {}: {}", test_case.name, machine, text);
    };
    machine = "functional machine";
    std::string text = compare(contract::run_functional(test_case));
    machine = "scalar interpreter";
    text += compare(contract::run_scalar(test_case));
    for (const std::string_view scheme : contract::schemes) {
      // There, warps that spin wait for another warp of their block, which compaction cannot run before the other side
      // of a branch (models/schemes/thread_block_compaction/README.md, "Programs that cannot go on").
      if (scheme == "thread_block_compaction" && program.name == "locks") continue;
      machine = scheme;
      text += compare(
          contract::run_timed(test_case, contract::parameters_of(contract::shapes().front(), scheme, test_case)));
    }
    return text;
  } catch (const std::exception& error) {
    return fmt::format("{} ({}), {}: {}", program.name, variant, machine, error.what());
  }
}

/// Runs the program on stream processors, if it is suited to them, with every `step`-th way to make a graph from
/// `first` on; returns how many ran, and reports differences.
std::uint64_t check_streams(const CorpusProgram& program, const contract::Case& test_case, std::uint64_t first,
                            std::uint64_t step) {
  try {
    kernel::StreamOptions with_atomics;
    with_atomics.atomics = true;
    kernel::refuse_what_cannot_stream(test_case.program, with_atomics);
  } catch (const InputError&) {
    return 0;
  }
  std::uint64_t ran = 0;
  for (std::uint64_t way = first; way < contract::stream_ways; way += step) {
    INFO(test_case.name << ", way " << way);
    StreamProcessorParameters parameters = contract::stream_parameters(way, way);
    parameters.atomics = true;  // nearly all programs of the corpus add to sums
    try {
      const auto outcome = contract::run_streams(test_case, parameters);
      CHECK_THAT(contract::difference(expected(program), outcome.memory), Catch::Equals(""));
      ++ran;
    } catch (const ParameterError&) {
      continue;  // records too large for its stream registers
    }
  }
  return ran;
}

/// The same in passes on a machine that has only guards.
std::uint64_t check_passes(const CorpusProgram& program, const contract::Case& test_case, std::uint64_t first,
                           std::uint64_t step) {
  try {
    kernel::PartitionOptions with_atomics;
    with_atomics.atomics = true;
    kernel::refuse_what_cannot_be_partitioned(test_case.program, with_atomics);
  } catch (const InputError&) {
    return 0;
  }
  std::uint64_t ran = 0;
  for (std::uint64_t way = first; way < contract::pass_ways; way += step) {
    INFO(test_case.name << ", way " << way);
    MultiPassParameters parameters = contract::pass_parameters(way, way);
    parameters.atomics = true;
    const auto outcome = contract::run_passes(test_case, parameters);
    CHECK_THAT(contract::difference(expected(program), outcome.memory), Catch::Equals(""));
    ++ran;
  }
  return ran;
}

/// Programs that clang 14 itself miscompiles; testbenches/README.md has the details.
bool clang_is_wrong(std::string_view program, const Compilation& compilation) {
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), program) != names.end();
  };
  if (compilation.options == "-Os" && is_one_of({"bytecode", "local_arrays", "sha256", "tree_walk"})) return true;
  if (compilation.options.find("-O3") == 0 && is_one_of({"radix_sort"})) return true;
  return compilation.machine < 32 && is_one_of({"bit_tricks", "warp_reduce", "warp_votes"});
}

using Compiler = std::string (*)(std::string_view name, const Compilation& compilation);

void check_compiler(std::span<const CorpusProgram> programs, Compiler compiler,
                    const std::vector<Compilation>& compilations) {
  if (!have_clang()) {
    std::cout << "skipped: no clang 14 here (apt-get install clang-14)\n";
    return;
  }
  for (const Compilation& compilation : compilations) {
    const std::string variant = fmt::format("clang 14, sm_{} {}", compilation.machine, compilation.options);
    for (const CorpusProgram& program : programs) {
      if (!program.by_clang || clang_is_wrong(program.name, compilation)) continue;
      const std::string ptx = compiler(program.name, compilation);
      CHECK_THAT(check(program, ptx, variant), Catch::Equals(""));
      check_streams(program, case_of(program, ptx, variant), compilation.machine % 17, 17);
      check_passes(program, case_of(program, ptx, variant), compilation.machine % 31, 31);
    }
  }
}

/// The same options for every target, if requested.
std::vector<Compilation> with_all_machines(const std::vector<Compilation>& some) {
  if (std::getenv("RECONVERGE_CORPUS_ALL") == nullptr) return some;
  std::vector<Compilation> all;
  for (const Compilation& one : some) {
    for (const unsigned machine : {20U, 35U, 50U, 60U, 70U, 75U}) all.push_back({one.options, machine});
  }
  return all;
}

void check_cuda(const std::vector<Compilation>& compilations) {
  check_compiler(corpus::cuda_programs(), ptx_of_cuda, with_all_machines(compilations));
}

const char* other_folder() { return std::getenv("RECONVERGE_CORPUS_PTX"); }

/// nvcc's output: texts by file name, so that the order is always the same.
std::map<std::string, std::string> nvcc_files() {
  const char* const other = other_folder();
  const std::filesystem::path folder =
      other != nullptr ? other : std::filesystem::path(RECONVERGE_SOURCE_DIR) / "testbenches/corpus/nvcc";
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".ptx") continue;
    std::ifstream file(entry.path());
    files[entry.path().filename()].assign(std::istreambuf_iterator<char>(file), {});
  }
  return files;
}

__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

struct Division {
  Wide a = 0;
  Wide b = 1;
};

/// 0, powers of two at and near word boundaries, and their neighbours.
std::vector<Wide> edges() {
  std::vector<Wide> all;
  for (const unsigned bit : {0U, 2U, 31U, 32U, 33U, 63U, 64U, 65U, 95U, 96U, 97U, 126U, 127U}) {
    const Wide power = Wide{1} << bit;
    all.insert(all.end(), {power - 1, power, power + 1, ~power, ~power + 1});
  }
  return all;
}

Wide drawn(std::mt19937_64& random) {
  const Wide bits = Wide{random()} << 64U | random();
  const unsigned first = random() % 128;
  const unsigned last = random() % 128;
  const Wide ones = ~Wide{0} << first ^ ~Wide{0} << last;
  switch (random() % 3) {
    case 0:
      return bits >> first;
    case 1:
      return ones;
    default:
      return ones ^ bits >> 64U << last;
  }
}

/// Every pair of edge values, then random ones; every second dividend is at or just below a multiple of its divisor.
class Divisions {
 public:
  Division next() {
    Division one{drawn(random_), drawn(random_)};
    if (pairs_ < edges_.size() * edges_.size()) {
      one = {edges_[pairs_ % edges_.size()], edges_[pairs_ / edges_.size()]};
      ++pairs_;
    }
    if (one.b == 0) one.b = 1;
    if (pairs_ == edges_.size() * edges_.size() && random_() % 2 != 0) one.a = one.a / one.b * one.b - random_() % 3;
    return one;
  }

 private:
  std::mt19937_64 random_{20260901};
  std::vector<Wide> edges_ = edges();
  std::size_t pairs_ = 0;
};

void append(std::vector<std::uint32_t>& words, Wide value) {
  for (unsigned i = 0; i < 4; ++i) words.push_back(static_cast<std::uint32_t>(value >> (32 * i)));
}

/// Divides with the PTX of corpus/wide_division.cu, and compares with the host's 128-bit integers. `count` is a
/// multiple of 32.
std::string check_divisions(const std::string& ptx, Divisions& divisions, std::uint32_t count) {
  contract::Case test_case;
  test_case.program = kernel::load_program_text(ptx, "wide_division", "wide_division");
  test_case.grid = {count / 32};
  test_case.block = {32};
  test_case.output_bytes = std::uint64_t{80} * count;
  test_case.input.clear();
  std::vector<std::uint32_t> expected;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Division one = divisions.next();
    append(test_case.input, one.a);
    append(test_case.input, one.b);
    test_case.input.insert(test_case.input.end(), {0, 0});
    const SignedWide half = static_cast<SignedWide>(one.a) >> 1U;
    const auto divisor = static_cast<SignedWide>(one.b);
    for (const Wide value : {one.a * one.b, one.a / one.b, one.a % one.b, static_cast<Wide>(half / divisor),
                             static_cast<Wide>(half % divisor)}) {
      append(expected, value);
    }
  }
  expected.resize(expected.size() + contract::sum_words);
  const contract::Outcome found = contract::run_functional(test_case);
  const auto bytes = std::as_bytes(std::span(expected));
  return contract::difference({bytes.begin(), bytes.end()}, found.memory);
}

}  // namespace

TEST_CASE("128-bit products and quotients and remainders by nvcc match the host", "[nvcc]") {
  const std::uint64_t count = tests::from_environment("RECONVERGE_WIDE_DIVISIONS", 32'768);
  constexpr std::uint32_t step = 8192;
  std::uint64_t done = 0;
  for (const auto& [name, ptx] : nvcc_files()) {
    if (name.find("wide_division.") != 0) continue;
    Divisions divisions;
    for (std::uint64_t first = 0; first < count; first += step) {
      INFO(name << ", operands from " << first);
      REQUIRE_THAT(check_divisions(ptx, divisions, step), Catch::Equals(""));
      done += step;
    }
  }
  if (other_folder() == nullptr) CHECK(done >= count);
}

TEST_CASE("kernels compiled by nvcc give correct results", "[nvcc]") {
  const char* const other = other_folder();
  const std::map<std::string, std::string> files = nvcc_files();
  CHECK(files.size() >= (other != nullptr ? 1 : 40));
  std::uint64_t on_streams = 0;
  std::uint64_t runs = 0;
  std::uint64_t as_passes = 0;
  for (const auto& [name, ptx] : files) {
    const std::string program = name.substr(0, name.find('.'));
    const auto known = corpus::cuda_programs();
    const auto found = std::find_if(known.begin(), known.end(), [&](const auto& one) { return one.name == program; });
    INFO(name);
    REQUIRE(found != known.end());
    CHECK_THAT(check(*found, ptx, name), Catch::Equals(""));
    const std::uint64_t ran = check_streams(*found, case_of(*found, ptx, name), 0, 1);
    on_streams += ran != 0 ? 1 : 0;
    runs += ran;
    as_passes += check_passes(*found, case_of(*found, ptx, name), 0, 1) != 0 ? 1 : 0;
  }
  if (other == nullptr) CHECK(on_streams > 10);
  CHECK(runs > 80 * on_streams);
  if (other == nullptr) CHECK(as_passes > 10);
}

// Every optimisation level and every target that clang 14 and the corpus have in common; all our machines for the two
// that differ most.
TEST_CASE("clang -O0 for CUDA is right", "[clang]") { check_cuda({{"-O0", 35}, {"-O0 -g", 75}}); }
TEST_CASE("clang -O1 for CUDA is right", "[clang]") { check_cuda({{"-O1", 20}, {"-O1 -g", 50}}); }
TEST_CASE("clang -O2 for CUDA is right", "[clang]") { check_cuda({{"-O2", 70}, {"-O2 -g", 60}}); }
TEST_CASE("clang -O3 for CUDA is right", "[clang]") { check_cuda({{"-O3", 75}, {"-O3 -g", 35}}); }
TEST_CASE("clang -Os for CUDA is right", "[clang]") { check_cuda({{"-Os", 60}}); }

TEST_CASE("clang for OpenCL is right", "[clang]") {
  check_compiler(corpus::opencl_programs(), ptx_of_opencl,
                 with_all_machines({{"-O0", 20}, {"-O2", 50}, {"-O3 -g", 70}}));
}

}  // namespace reconverge::tests
