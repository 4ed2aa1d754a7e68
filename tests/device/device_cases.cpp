// SPDX-License-Identifier: Apache-2.0
#include "tests/device/device_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "models/core/error.hpp"
#include "models/execution/operations/operation.hpp"
#include "testbenches/contract/kernels.hpp"
#include "testbenches/corpus/programs.hpp"
#include "testbenches/random/program_tree.hpp"
#include "tests/contract/operation_forms.hpp"
#include "tests/corpus/compiler.hpp"
#include "tests/device/definite.hpp"
#include "tests/device/departures.hpp"
#include "tests/device/form_agreement.hpp"
#include "tests/device/random_job.hpp"

namespace reconverge::tests {

namespace {

using device::BufferAddress;
using device::Buffers;
using device::Job;

/// A job with the three buffers of the contract suite and the corpus: input, output, sums.
Job three_buffers(const std::vector<std::uint32_t>& input, std::uint64_t output_bytes) {
  Job job;
  const auto words = std::as_bytes(std::span(input));
  job.buffers = {{words.begin(), words.end()},
                 std::vector<std::byte>(output_bytes),
                 std::vector<std::byte>(contract::sum_words * 4)};
  job.arguments = {BufferAddress{0}, BufferAddress{1}, BufferAddress{2}};
  return job;
}

Job job_of(const contract::Case& test_case) {
  Job job = three_buffers(test_case.input, test_case.output_bytes);
  job.name = test_case.name;
  job.ptx = test_case.ptx;
  job.entry = test_case.program.name;
  job.grid = test_case.grid;
  job.block = test_case.block;
  job.dynamic_shared_bytes = test_case.dynamic_shared_bytes;
  return job;
}

/// From the program with that name: sections of two operands and the results of instructions on them.
std::string approximation_difference(const Buffers& expected, const Buffers& found) {
  constexpr std::array<const char*, 9> instructions = {"rcp.approx.f32", "sqrt.approx.f32", "rsqrt.approx.f32",
                                                       "sin.approx.f32", "cos.approx.f32",  "lg2.approx.f32",
                                                       "ex2.approx.f32", "div.approx.f32",  "div.full.f32"};
  constexpr std::size_t stretch = 16;
  static const std::map<std::string, contract::Form> forms = [] {
    std::map<std::string, contract::Form> all;
    for (contract::Form& form : contract::operation_forms()) all.emplace(form.mnemonic, form);
    return all;
  }();
  Buffers near = found;  // with our results where the GPU's may replace them
  const auto word = [](const Buffers& buffers, std::size_t index) {
    float value = 0;
    std::memcpy(&value, buffers[1].data() + 4 * index, sizeof value);
    return value;
  };
  for (std::size_t first = 0; first + stretch <= expected[1].size() / 4; first += stretch) {
    for (std::size_t i = 0; i < instructions.size(); ++i) {
      const std::size_t at = first + 2 + i;
      const double nearest = word(expected, at);
      const double allowed =
          tolerance(forms.at(instructions[i]), word(expected, first), word(expected, first + 1), nearest);
      if (std::abs(word(found, at) - nearest) <= allowed) {
        std::copy_n(expected[1].begin() + static_cast<std::ptrdiff_t>(4 * at), 4,
                    near[1].begin() + static_cast<std::ptrdiff_t>(4 * at));
      }
    }
  }
  return exact_difference(expected, near);
}

DeviceCase corpus_case(const corpus::CorpusProgram& program, const std::string& ptx, const std::string& variant) {
  Job job = three_buffers(contract::random_words(), corpus::output_words * 4);
  job.name = fmt::format("{} ({})", program.name, variant);
  job.ptx = ptx;
  job.entry = program.name;
  job.grid = {program.grid.x, program.grid.y, program.grid.z};
  job.block = {program.block.x, program.block.y, program.block.z};
  job.dynamic_shared_bytes = program.dynamic_shared_bytes;
  return {job, false, program.name == "approximations" ? approximation_difference : exact_difference};
}

/// The front end accepts these, but PTX cannot express them: f16 as the type of loads and stores, four elements of 64
/// bits outside global memory or by ldu, cache hints on shared memory, and .ftz without a float to flush.
bool is_beyond_ptx(const contract::Form& form) {
  const auto says = [&](std::string_view word) {
    return std::find(form.modifiers.begin(), form.modifiers.end(), word) != form.modifiers.end();
  };
  const bool moves = form.rule->operation_class == kernel::OperationClass::load ||
                     form.rule->operation_class == kernel::OperationClass::store;
  const bool has_hint = form.mnemonic.find(".L1::") != std::string::npos;
  const bool is_large = says("v4") && kernel::bytes_of(form.types.front()) == 8;
  if (moves && (says("f16") || (is_large && (form.space != "global" || form.rule->mnemonic == "ldu")))) return true;
  if (form.space == "shared" && has_hint) return true;
  // ptxas no longer supports 32-bit addresses.
  if (form.rule->opcode == kernel::Opcode::cvta && says("u32")) return true;
  return form.rule->opcode == kernel::Opcode::slct && says("ftz") && says("s32");
}

/// Where the windows of state spaces are in the generic address space depends on the machine, and the operands of these
/// forms are no addresses. An NVIDIA H100 has other windows than our machine.
bool asks_for_windows(const contract::Form& form) {
  if (form.rule->opcode == kernel::Opcode::isspacep) return true;
  return form.rule->opcode == kernel::Opcode::cvta && form.space != "global";
}

/// The line of the form's instruction.
std::string instruction_of(const contract::Form& form, const std::string& ptx) {
  const std::size_t first = ptx.find("  " + form.mnemonic + " ");
  return ptx.substr(first, ptx.find('\n', first) - first);
}

/// Lanes of one warp that wait for each other need independent thread scheduling, which a GPU provides only for PTX of
/// sm_70 and later.
bool needs_independent_threads(std::string_view program) { return program == "locks"; }

}  // namespace

std::string exact_difference(const Buffers& expected, const Buffers& found) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    std::string text = contract::difference(expected[i], found.at(i));
    if (!text.empty()) return fmt::format("buffer {}: {}", i, text);
  }
  return {};
}

std::vector<DeviceCase> nvcc_cases() {
  std::map<std::string, std::filesystem::path> files;  // by name, so that the order is always the same
  for (const auto& entry : std::filesystem::directory_iterator(RECONVERGE_SOURCE_DIR "/testbenches/corpus/nvcc")) {
    if (entry.path().extension() == ".ptx") files[entry.path().filename()] = entry.path();
  }
  std::vector<DeviceCase> all;
  for (const auto& [name, path] : files) {
    std::ifstream file(path);
    const std::string ptx(std::istreambuf_iterator<char>(file), {});
    const std::string program = name.substr(0, name.find('.'));
    for (const corpus::CorpusProgram& each : corpus::cuda_programs()) {
      if (each.name == program && !(needs_independent_threads(program) && device::target_of(ptx) < 70)) {
        all.push_back(corpus_case(each, ptx, name));
      }
    }
  }
  return all;
}

std::vector<DeviceCase> clang_cases() {
  std::vector<DeviceCase> all;
  if (!have_clang()) return all;
  for (const Compilation& compilation : {Compilation{"-O2", 70}, Compilation{"-O0", 75}}) {
    const std::string variant = fmt::format("clang 14, sm_{} {}", compilation.machine, compilation.options);
    for (const corpus::CorpusProgram& program : corpus::cuda_programs()) {
      if (!program.by_clang) continue;
      // At -O0 clang takes the address of an undefined function (__cxa_pure_virtual).
      if (compilation.options == "-O0" && program.name == "virtual_shapes") continue;
      all.push_back(corpus_case(program, ptx_of_cuda(program.name, compilation), variant));
    }
    for (const corpus::CorpusProgram& program : corpus::opencl_programs()) {
      all.push_back(corpus_case(program, ptx_of_opencl(program.name, compilation), variant));
    }
  }
  return all;
}

std::vector<DeviceCase> contract_cases() {
  std::vector<DeviceCase> all;
  for (const contract::Case& each : contract::cases()) all.push_back({job_of(each)});
  return all;
}

std::vector<DeviceCase> operation_cases() {
  std::vector<DeviceCase> all;
  for (const contract::Form& form : contract::operation_forms()) {
    if (is_beyond_ptx(form)) continue;
    try {
      const contract::Case test_case = contract::operation_case(form);
      select_operations(test_case.program);
      DeviceCase device_case{job_of(test_case), true};
      device_case.job.ptx = with_safe_operands(test_case.ptx);
      device_case.departure = asks_for_windows(form) ? "the windows of state spaces are the machine's own"
                                                     : departure(instruction_of(form, test_case.ptx));
      device_case.difference = [form](const Buffers& expected, const Buffers& found) {
        return form_difference(form, expected, found);
      };
      all.push_back(std::move(device_case));
    } catch (const InputError&) {
      continue;  // the front end or the lanes reject the form; operation_test counts those
    }
  }
  return all;
}

std::vector<DeviceCase> random_cases(std::uint64_t first_seed, std::uint64_t count) {
  std::vector<DeviceCase> all;
  for (std::uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
    Job job = random_job(random_programs::generate(seed));
    job.name = fmt::format("random program {}", seed);
    all.push_back({std::move(job), true});
  }
  return all;
}

}  // namespace reconverge::tests
