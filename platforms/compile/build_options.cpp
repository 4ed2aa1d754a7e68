// SPDX-License-Identifier: Apache-2.0
// The command line of `reconverge build`.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "models/core/error.hpp"
#include "platforms/compile/builder.hpp"

namespace reconverge::compile {

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// The treatment of an option of nvcc or clang.
enum class Use {
  common,   ///< for both compilations
  device,   ///< for device code
  host,     ///< for host code
  link,     ///< for the linker
  ignored,  ///< changes nothing: code for other GPUs, or advice that a simulator does not need
  refused,
};

struct Option {
  std::string_view name;
  Use use = Use::ignored;
  bool has_value = false;  ///< as the next word, or after `=`
};

constexpr auto options = std::to_array<Option>({
    {"-I", Use::common, true},
    {"-isystem", Use::common, true},
    {"-include", Use::common, true},
    {"-D", Use::common, true},
    {"-U", Use::common, true},
    {"-MF", Use::host, true},
    {"-MT", Use::host, true},
    {"-MQ", Use::host, true},
    {"-L", Use::link, true},
    {"-l", Use::link, true},
    {"-Xlinker", Use::link, true},
    {"-arch", Use::ignored, true},
    {"--gpu-architecture", Use::ignored, true},
    {"-code", Use::ignored, true},
    {"--gpu-code", Use::ignored, true},
    {"-gencode", Use::ignored, true},
    {"--generate-code", Use::ignored, true},
    {"-cudart", Use::ignored, true},
    {"--cudart", Use::ignored, true},
    {"-Xptxas", Use::ignored, true},
    {"--ptxas-options", Use::ignored, true},
    {"-Xcudafe", Use::ignored, true},
    {"-Xnvlink", Use::ignored, true},
    {"-maxrregcount", Use::ignored, true},
    {"--maxrregcount", Use::ignored, true},
    {"-ccbin", Use::ignored, true},
    {"--compiler-bindir", Use::ignored, true},
    {"-diag-suppress", Use::ignored, true},
    {"--diag-suppress", Use::ignored, true},
    {"-t", Use::ignored, true},
    {"--threads", Use::ignored, true},
    {"--keep-dir", Use::ignored, true},
    {"-keep-dir", Use::ignored, true},
    {"--default-stream", Use::ignored, true},
    {"-default-stream", Use::ignored, true},
    {"--resource-usage", Use::ignored},
    {"-res-usage", Use::ignored},
    {"-keep", Use::ignored},
    {"--keep", Use::ignored},
    {"--source-in-ptx", Use::ignored},
    {"-src-in-ptx", Use::ignored},
    {"-restrict", Use::ignored},
    {"--restrict", Use::ignored},
    {"--display-error-number", Use::ignored},
    {"-forward-unknown-to-host-compiler", Use::ignored},
    {"--forward-unknown-to-host-compiler", Use::ignored},
    {"-lineinfo", Use::ignored},
    {"--generate-line-info", Use::ignored},
    {"-G", Use::ignored},
    {"--device-debug", Use::ignored},
    {"-m64", Use::ignored},
    {"--expt-relaxed-constexpr", Use::ignored},
    {"-expt-relaxed-constexpr", Use::ignored},
    {"--expt-extended-lambda", Use::ignored},
    {"-expt-extended-lambda", Use::ignored},
    {"--extended-lambda", Use::ignored},
    {"-extended-lambda", Use::ignored},
    // Functions stay as exact as without it.
    {"-use_fast_math", Use::ignored},
    {"--use_fast_math", Use::ignored},
    {"-rdc=false", Use::ignored},
    {"-W"
     "no-deprecated-gpu-targets",
     Use::ignored},
    // Divisions and square roots are always exact, and subnormal numbers are kept.
    {"-prec-div", Use::ignored, true},
    {"--prec-div", Use::ignored, true},
    {"-prec-sqrt", Use::ignored, true},
    {"--prec-sqrt", Use::ignored, true},
    {"-ftz", Use::ignored, true},
    {"--ftz", Use::ignored, true},
    {"-rdc=true", Use::refused},
    {"--relocatable-device-code=true", Use::refused},
    {"-dc", Use::refused},
    {"-dlink", Use::refused},
    {"-ptx", Use::refused},
    {"-cubin", Use::refused},
    {"-fatbin", Use::refused},
    {"-E", Use::refused},
    {"-S", Use::refused},
    {"-M", Use::refused},
    {"-MM", Use::refused},
});

/// Libraries of CUDA that are part of ours.
constexpr std::array own_libraries = {"cudart", "cudart_static", "cuda", "cudadevrt"};
constexpr std::array refused_libraries = {"cublas", "cublasLt", "cufft",  "curand", "cusparse", "cusolver", "cudnn",
                                          "nppc",   "nppi",     "nppial", "npps",   "nvrtc",    "nccl",     "nvgraph"};

std::string advice_for(std::string_view option) {
  if (option == "-ptx") return "use reconverge compile";
  if (option == "-rdc=true" || option == "-dc" || option == "-dlink" || option.starts_with("--relocatable"))
    return "device code of several files cannot call each other; leave it out, and put such functions into headers";
  return "leave it out";
}

class Reader {
 public:
  explicit Reader(std::span<const std::string> words) : words_(words) {}

  BuildPlan read() {
    while (at_ < words_.size()) read_word(words_[at_++]);
    if (plan_.sources.empty() && plan_.link.empty())
      throw InputError({}, "there is nothing to build", "name sources, such as app.cu");
    if (plan_.objects_only && !plan_.output.empty() && plan_.sources.size() > 1)
      throw InputError({"-o " + plan_.output}, "several sources make several object files", "leave -o or -c out");
    return std::move(plan_);
  }

 private:
  void read_word(const std::string& word) {
    if (!word.starts_with('-') || word == "-") return add_file(word);
    if (word == "-c" || word == "--compile") {
      plan_.objects_only = true;
    } else if (word == "-o" || word == "--output-file") {
      plan_.output = value_of(word);
    } else if (word == "-x") {
      plan_.all_cuda = value_of(word).starts_with("cu");
    } else if (word == "-Xcompiler" || word == "--compiler-options") {
      add_for_host(value_of(word));
    } else if (word.starts_with("-Xcompiler=") || word.starts_with("--compiler-options=")) {
      add_for_host(word.substr(word.find('=') + 1));
    } else if (word == "-Werror" && at_ < words_.size() && words_[at_] == "all-warnings") {
      ++at_;
    } else if (word == "-fmad=false" || word == "--fmad=false") {
      // Placed after the option of compiler.cpp, which it overrides.
      plan_.device.insert(plan_.device.end(), {"-Xclang", "-ffp-contract=off"});
    } else if (word == "-fmad=true" || word == "--fmad=true") {
      return;
    } else if (word.starts_with("-O")) {
      // As with nvcc, of host code; device code always gets all optimisations.
      plan_.host.push_back(word);
    } else if (word.starts_with("--std=") || word.starts_with("-std=")) {
      plan_.common.push_back("-std=" + word.substr(word.find('=') + 1));
    } else if (word == "-std" || word == "--std") {
      plan_.common.push_back("-std=" + value_of(word));
    } else {
      read_option(word);
    }
  }

  void add_file(const std::string& word) {
    const std::string kind = fs::path(word).extension().string();
    constexpr std::array sources = {".cu", ".cpp", ".cc", ".cxx", ".C", ".c"};
    if (plan_.all_cuda || std::ranges::find(sources, kind) != sources.end()) {
      plan_.sources.emplace_back(word);
      // Keeps its position, which determines where a library is searched.
      plan_.link.emplace_back();
    } else {
      plan_.link.push_back(word);
    }
  }

  void read_option(const std::string& word) {
    if (const Option* const same = find([&](std::string_view name) { return word == name; }))
      return apply(*same, {word, same->has_value ? value_of(word) : ""});
    const std::string before = word.substr(0, word.find('='));
    if (const Option* const given = find([&](std::string_view name) { return before == name && before != word; }))
      return apply(*given, {before, word.substr(before.size() + 1)});
    // -Ifolder, -lm
    const auto is_joined = [&](std::string_view name) { return name.size() == 2 && word.starts_with(name); };
    const Option* const joined = find(is_joined);
    if (joined != nullptr && joined->has_value && joined->use != Use::ignored)
      return apply(*joined, {word.substr(0, 2), word.substr(2)});
    constexpr std::array for_linker = {"-Wl,", "-pthread", "-rdynamic", "-shared", "-static", "-fopenmp", "-no-pie"};
    const bool links = std::ranges::any_of(for_linker, [&](const char* one) { return word.starts_with(one); });
    if (links) plan_.link.push_back(word);
    if (word.starts_with("-Wl,") || word == "-rdynamic") return;
    // Warnings, code generation, debugging: as clang understands them.
    plan_.host.push_back(word);
  }

  template <typename Fits>
  static const Option* find(Fits fits) {
    const auto* const found = std::ranges::find_if(options, fits, &Option::name);
    return found == options.end() ? nullptr : found;
  }

  void apply(const Option& option, const std::pair<std::string, std::string>& given) {
    const std::string& name = given.first;
    const std::string& value = given.second;
    const auto add = [&](Words& words) {
      words.push_back(name);
      if (option.has_value) words.push_back(value);
    };
    switch (option.use) {
      case Use::common:
        return add(plan_.common);
      case Use::device:
        return add(plan_.device);
      case Use::host:
        return add(plan_.host);
      case Use::link:
        if (name == "-l") check_library(value);
        if (name == "-l" && std::ranges::find(own_libraries, value) != own_libraries.end()) return;
        plan_.link.push_back(name == "-l" || name == "-L" ? name + value : name);
        if (name == "-Xlinker") plan_.link.push_back(value);
        return;
      case Use::ignored:
        return;
      case Use::refused:
        throw InputError({name}, "reconverge build does not support this option", advice_for(option.name));
    }
  }

  static void check_library(const std::string& name) {
    if (std::ranges::find(refused_libraries, name) == refused_libraries.end()) return;
    throw InputError({"-l" + name}, "this library of CUDA is for real GPUs", "the program cannot run here");
  }

  /// nvcc separates several options for the host's compiler by commas.
  void add_for_host(std::string text) {
    std::erase(text, '"');
    std::ranges::replace(text, ',', ' ');
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find(' ', begin), text.size());
      const std::string word = text.substr(begin, end - begin);
      if (!word.empty()) plan_.host.push_back(word);
      if (word == "-fopenmp" || word == "-pthread") plan_.link.push_back(word);
      begin = end + 1;
    }
  }

  std::string value_of(const std::string& option) {
    if (at_ >= words_.size()) throw InputError({option}, "the option needs a value");
    return words_[at_++];
  }

  std::span<const std::string> words_;
  std::size_t at_ = 0;
  BuildPlan plan_;
};

}  // namespace

BuildPlan read_build(const std::vector<std::string>& words) { return Reader(words).read(); }

}  // namespace reconverge::compile
