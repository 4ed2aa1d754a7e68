// SPDX-License-Identifier: Apache-2.0
#include "platforms/compile/builder.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "models/core/error.hpp"
#include "models/core/host_error.hpp"
#include "platforms/compile/child_process.hpp"
#include "platforms/compile/compiler.hpp"

namespace reconverge::compile {

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

/// A folder that is removed with all its files.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_((fs::temp_directory_path() / "reconverge.XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr)
      throw HostError(fmt::format("cannot make a temporary folder: {}", std::strerror(errno)));
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  fs::path file(const std::string& name) const { return fs::path(path_) / name; }

 private:
  std::string path_;
};

class Builder {
 public:
  Builder(const BuildPlan& plan, const BuildTools& tools) : plan_(plan), tools_(tools), clang_(find_clang()) {}

  bool run() {
    std::vector<fs::path> objects;
    for (const fs::path& source : plan_.sources) {
      objects.push_back(object_of(source, objects.size()));
      const bool done = is_cuda(source) ? compile_cuda(source, objects.back()) : compile_host(source, objects.back());
      if (!done) return false;
    }
    return plan_.objects_only || link(objects);
  }

 private:
  bool is_cuda(const fs::path& source) const { return plan_.all_cuda || source.extension() == ".cu"; }

  fs::path object_of(const fs::path& source, std::size_t number) const {
    if (!plan_.objects_only) return folder_.file(fmt::format("{}.o", number));
    return plan_.output.empty() ? fs::path(source.filename()).replace_extension(".o") : fs::path(plan_.output);
  }

  bool compile_cuda(const fs::path& source, const fs::path& object) {
    CompileOptions options;
    options.compiler = clang_;
    options.level = std::string("3");  // as nvcc
    options.unroll = true;
    options.is_cuda = true;
    options.more = plan_.common;
    append(options.more, plan_.device);
    const Compiled device = compile(source, options, tools_.interrupted);
    if (device.stopped) return false;
    const fs::path embedded = folder_.file("device_code");
    std::ofstream(embedded, std::ios::binary) << tools_.embed(device.text, source.string());
    Words words{clang_, "-x", "cuda", "--cuda-host-only", "-std=c++17"};
    append(words, clang_cuda_words());
    // Launches in the form of CUDA 9.2 and later.
    append(words,
           {"-Xclang", "-target-sdk-version=11.0", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", embedded.string(),
            fmt::format("-DRECONVERGE_VERSION=\"{}\"", tools_.version), "-include", "reconverge/built_by.h"});
    return compile_object(std::move(words), source, object);
  }

  bool compile_host(const fs::path& source, const fs::path& object) {
    const bool is_c = source.extension() == ".c";
    Words words{clang_, "-x", is_c ? "c" : "c++"};
    if (!is_c) words.emplace_back("-std=c++17");
    append(words, {"-isystem", device_headers().string()});
    return compile_object(std::move(words), source, object);
  }

  bool compile_object(Words words, const fs::path& source, const fs::path& object) {
    // Options for the C++ standard do not apply to C.
    std::ranges::copy_if(plan_.common, std::back_inserter(words), [&](const std::string& word) {
      return source.extension() != ".c" || !word.starts_with("-std=c++");
    });
    append(words, plan_.host);
    append(words, {"-c", "-o", object.string(), source.string()});
    return call(words, source.string());
  }

  bool link(const std::vector<fs::path>& objects) {
    Words words{clang_, "-o", plan_.output.empty() ? "a.out" : plan_.output};
    // The device reaches managed variables in the first 4 GiB only.
    if (std::ranges::find(plan_.link, "-shared") == plan_.link.end()) words.emplace_back("-no-pie");
    auto object = objects.begin();
    for (const std::string& word : plan_.link) words.push_back(word.empty() ? (object++)->string() : word);
    const std::string folder = tools_.library_folder.string();
    append(words,
           {fmt::format("-L{}", folder), "-lreconverge_cuda", fmt::format("-Wl,-rpath,{}", folder), "-lstdc++", "-lm"});
    return call(words, words[2]);
  }

  /// False if it was interrupted.
  bool call(const Words& words, const std::string& what) {
    const std::optional<ChildResult> result = run_child(words, tools_.interrupted);
    if (!result || result->stopped) return false;
    if (result->exit_code == 0) return true;
    throw InputError({what}, fmt::format("{} refuses it, with exit code {}", clang_, result->exit_code),
                     "its messages are above");
  }

  const BuildPlan& plan_;
  const BuildTools& tools_;
  std::string clang_;
  TemporaryFolder folder_;
};

}  // namespace

bool build(const BuildPlan& plan, const BuildTools& tools) { return Builder(plan, tools).run(); }

}  // namespace reconverge::compile
