// SPDX-License-Identifier: Apache-2.0
#include "platforms/compile/compiler.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <initializer_list>
#include <iomanip>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "models/core/error.hpp"
#include "models/core/input_file.hpp"
#include "platforms/compile/child_process.hpp"
#include "platforms/host/installation.hpp"

namespace reconverge::compile {

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

enum class Language { cuda, opencl };
enum class Kind { clang, nvcc };

Language language_of(const fs::path& source) {
  check_input(source, input::source);  // a compiler would block on a pipe
  if (source.extension() == ".cu") return Language::cuda;
  if (source.extension() == ".cl") return Language::opencl;
  throw InputError({source.generic_string()}, "is neither CUDA C++ nor OpenCL C by its name",
                   "name it .cu or .cl; PTX needs no compiling");
}

void append(Words& words, std::initializer_list<std::string> more) { words.insert(words.end(), more); }

void append_common(Words& words, const CompileOptions& options) {
  for (const std::string& folder : options.include_folders) append(words, {"-I", folder});
  for (const std::string& definition : options.definitions) append(words, {"-D", definition});
}

/// Mathematics for device code: LLVM's library for OpenCL C, by the functions' names there.
constexpr const char* device_library = "/usr/lib/clc/nvptx64--nvidiacl.bc";

/// The options of platforms/kernels/CMakeLists.txt, which gives the reasons; but multiply-adds are fused, as in CUDA.
Words clang_words(const std::string& program, Language language, const CompileOptions& options) {
  Words words{program};
  if (language == Language::cuda) {
    append(words, {"-x", "cuda", "--cuda-device-only", "-std=c++17"});
    const Words common = clang_cuda_words();
    words.insert(words.end(), common.begin(), common.end());
    // The library's error compensation must not be fused into multiply-adds.
    if (fs::exists(device_library))
      append(words, {"-Xclang", "-mlink-builtin-bitcode", "-Xclang", device_library, "-Xclang",
                     "-ffp-contract=fast-honor-pragmas"});
  } else {
    append(words, {"-x", "cl", "-cl-std=CL1.2", "-cl-no-stdinc", "-target", "nvptx64", "-Xclang", "-target-cpu",
                   "-Xclang", "sm_75", "-include", "opencl.h", "-isystem", device_headers().string()});
  }
  append(words, {"-O" + options.level, options.unroll ? "-funroll-loops" : "-fno-unroll-loops", "-mllvm",
                 "-disable-block-placement", "-fno-crash-diagnostics",
                 // Keeps folders of this machine out of the text.
                 "-fdebug-compilation-dir=.",
                 // Votes and shuffles with named members need a PTX version that has them.
                 "-Xclang", "-target-feature", "-Xclang", "+ptx64", "-S", "-o", "-"});
  if (options.line_information) words.emplace_back("-gline-tables-only");
  append_common(words, options);
  words.insert(words.end(), options.more.begin(), options.more.end());
  return words;
}

Words nvcc_words(const std::string& program, const CompileOptions& options) {
  Words words{program, "-ptx", "-arch=sm_75", "-std=c++17", "-Xcicc", "-O" + options.level, "-o", "/dev/stdout"};
  if (options.line_information) words.emplace_back("-lineinfo");
  append_common(words, options);
  return words;
}

/// Names of compilers to try; first the one that makes the checked-in kernels. Debian's names for clang include the
/// version.
Words candidates(const CompileOptions& options, Language language) {
  Words clangs{"clang-14", "clang", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15"};
  if (options.compiler == "clang") return clangs;
  if (!options.compiler.empty()) return {options.compiler};
  if (language == Language::cuda) clangs.emplace_back("nvcc");
  return clangs;
}

Kind kind_of(const std::string& program) {
  return fs::path(program).filename().string().find("nvcc") == std::string::npos ? Kind::clang : Kind::nvcc;
}

struct Include {
  std::string name;  ///< empty: the line is no `#include`, or one of a macro
  bool quoted = false;
};

Include include_of(const std::string& line) {
  std::istringstream text(line);
  char mark = 0;
  if (!(text >> mark) || mark != '#' || !(text >> std::ws)) return {};
  for (const char expected : std::string_view("include")) {
    if (text.get() != expected) return {};
  }
  if (!(text >> mark) || (mark != '"' && mark != '<')) return {};
  Include include{{}, mark == '"'};
  std::getline(text, include.name, include.quoted ? '"' : '>');
  return include;
}

/// The file that the compiler would include; empty if it is not one of the user's files.
fs::path find_included(const Include& include, const fs::path& file, const CompileOptions& options) {
  std::vector<fs::path> folders(options.include_folders.begin(), options.include_folders.end());
  if (include.quoted) folders.insert(folders.begin(), file.parent_path());
  for (const fs::path& folder : folders) {
    const fs::path found = (folder / include.name).lexically_normal();
    std::error_code error;
    if (fs::exists(found, error) && !fs::is_directory(found, error)) return found;
  }
  return {};
}

/// Throws InputError if a file includes, directly or indirectly, something other than a plain file: a compiler would
/// block on a pipe.
void check_includes(const fs::path& source, const CompileOptions& options) {
  std::set<fs::path> seen{source};
  for (std::vector<fs::path> open{source}; !open.empty();) {
    const fs::path file = std::move(open.back());
    open.pop_back();
    std::istringstream lines(read_input(file, input::source));
    std::string line;
    for (std::uint32_t number = 1; std::getline(lines, line); ++number) {
      const Include include = include_of(line);
      const fs::path included = include.name.empty() ? fs::path() : find_included(include, file, options);
      if (included.empty()) continue;
      std::error_code error;
      if (!fs::is_regular_file(included, error)) {
        throw InputError({file.generic_string(), number},
                         fmt::format("{} is a pipe or a device, and the compiler would wait for it", included.string()),
                         "include a plain file");
      }
      if (seen.insert(included).second) open.push_back(included);
    }
  }
}

struct Call {
  std::string program;
  ChildResult result;
};

Call call_compiler(const fs::path& source, Language language, const CompileOptions& options,
                   const std::function<bool()>& interrupted) {
  for (const std::string& program : candidates(options, language)) {
    const Kind kind = kind_of(program);
    if (kind == Kind::nvcc && language == Language::opencl) {
      throw InputError({source.generic_string()}, "nvcc compiles no OpenCL C", "give --compiler clang");
    }
    Words words = kind == Kind::nvcc ? nvcc_words(program, options) : clang_words(program, language, options);
    // A name that begins with a dash is still a file.
    words.push_back(source.is_absolute() ? source.string() : (fs::path(".") / source).lexically_normal().string());
    const Messages messages = options.quiet ? Messages::captured : Messages::inherited;
    if (std::optional<ChildResult> result = run_child(words, interrupted, messages))
      return {program, std::move(*result)};
  }
  throw InputError({},
                   options.compiler.empty() ? std::string("there is no compiler: neither clang nor nvcc")
                                            : fmt::format("there is no compiler {}", options.compiler),
                   "install clang (Debian: apt-get install clang-14), or give --compiler the path of a clang or nvcc");
}

/// `FILE:LINE:COLUMN: error: TEXT` of clang, or `FILE(LINE): error: TEXT` of nvcc; nothing in other lines.
std::optional<InputError> error_in(const std::string& line, const std::string& all) {
  static const std::regex clang("^(.*?):([0-9]+):([0-9]+): (?:fatal )?error: (.*)$");
  static const std::regex nvcc("^(.*?)\\(([0-9]+)\\): (?:fatal )?error(?: #[0-9-D]*)?: (.*)$");
  const auto number = [](const std::string& digits) { return static_cast<std::uint32_t>(std::stoul(digits)); };
  std::smatch found;
  if (std::regex_match(line, found, clang))
    return InputError({found[1], number(found[2]), number(found[3])}, found[4].str(), all);
  if (std::regex_match(line, found, nvcc)) return InputError({found[1], number(found[2])}, found[3].str(), all);
  return {};
}

[[noreturn]] void refuse(const fs::path& source, const Call& call) {
  const std::string& messages = call.result.messages;
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);) {
    if (const std::optional<InputError> error = error_in(line, "messages of " + call.program + ":\n" + messages))
      throw InputError(*error);
  }
  throw InputError({source.generic_string()},
                   fmt::format("{} refuses it, with exit code {}", call.program, call.result.exit_code),
                   messages.empty() ? "its messages are above" : messages);
}

}  // namespace

fs::path device_headers() {
  const fs::path folder = data_folder() / "device";
  if (fs::is_directory(folder)) return folder;
  throw InputError({folder.generic_string()}, "the headers for clang are not where they were installed",
                   "install the program as a whole, or give --compiler nvcc");
}

std::vector<std::string> clang_cuda_words() {
  Words words;
  // Templates declare variadic functions for device code, and never call them; nvcc accepts that.
  append(words,
         {"--cuda-gpu-arch=sm_75", "-nocudainc", "-nocudalib", "--cuda-path=/nonexistent", "-Xclang",
          "-fcuda-allow-variadic-functions", "-include", "cuda_runtime.h", "-isystem", device_headers().string()});
  if (fs::exists(device_library)) words.emplace_back("-DRECONVERGE_LIBCLC");
  return words;
}

std::string find_clang() {
  CompileOptions options;
  options.compiler = "clang";
  for (const std::string& program : candidates(options, Language::cuda)) {
    const std::optional<ChildResult> answer = run_child({program, "--version"}, [] { return false; });
    if (answer && answer->exit_code == 0) return program;
  }
  throw InputError({}, "there is no compiler clang", "install it (Debian: apt-get install clang-14)");
}

Compiled compile(const fs::path& source, const CompileOptions& options, const std::function<bool()>& interrupted) {
  const Language language = options.is_cuda ? Language::cuda : language_of(source);
  check_includes(source, options);
  Call call = call_compiler(source, language, options, interrupted);
  if (call.result.stopped) return {true, std::move(call.program), {}};
  if (call.result.exit_code != 0) refuse(source, call);
  return {false, std::move(call.program), std::move(call.result.output)};
}

std::string source_line(const std::string& ptx, std::size_t line) {
  std::istringstream lines(ptx);
  std::map<unsigned, std::string> files;
  unsigned file = 0;
  unsigned number = 0;
  std::string text;
  for (std::size_t i = 1; std::getline(lines, text); ++i) {
    std::istringstream words(text);
    std::string directive;
    words >> directive;
    unsigned index = 0;
    if (directive == ".loc" && i <= line) words >> file >> number;
    if (directive != ".file" || !(words >> index)) continue;
    // Some compilers write the folder separately, and time and size after the name.
    for (std::string name; words >> std::ws && words.peek() == '"' && words >> std::quoted(name);) files[index] = name;
  }
  return number == 0 ? std::string() : fmt::format("{}:{}", fs::path(files[file]).filename().string(), number);
}

}  // namespace reconverge::compile
