// SPDX-License-Identifier: Apache-2.0
/// Kernels from text, and exceptions as data.

#include "platforms/embedding/kernel_source.hpp"

#include <catch2/catch.hpp>

#include "models/core/error.hpp"
#include "models/core/host_error.hpp"
#include "platforms/embedding/host_failure.hpp"

using namespace reconverge;
using embedding::HostFailure;
using embedding::KernelText;
using embedding::Language;

namespace {

const std::string nothing = ".version 6.4\n.target sm_70\n.address_size 64\n.visible .entry f() { ret; }\n";

template <typename Exception>
HostFailure failure_of(const Exception& exception) {
  try {
    throw exception;
  } catch (...) {
    return embedding::failure_of_current_exception();
  }
}

}  // namespace

TEST_CASE("PTX is recognised by its first directive") {
  for (const std::string before : {"", "\n\t ", "// a comment\n", "/* .version\n */ // CUDA\n"}) {
    INFO(before);
    const KernelText text({before + nothing, ""});
    CHECK(text.name() == "kernel.ptx");
    CHECK(text.kernels() == std::vector<std::string>{"f"});
  }
  CHECK_THROWS_WITH(KernelText({"nothing", "", Language::ptx}), Catch::StartsWith("kernel.ptx:1"));
  CHECK(embedding::language_of("cuda") == Language::cuda);
  CHECK_THROWS_WITH(embedding::language_of("cud"), Catch::Contains("did you mean cuda?"));
}

TEST_CASE("a failure has kind, place and hint of its exception") {
  const HostFailure input = failure_of(InputError({"a.yaml", 3, 4}, "no", "do"));
  CHECK(input.kind == HostFailure::Kind::input);
  CHECK(input.message == "a.yaml:3:4: no; do");
  CHECK(input.location == SourceLocation{"a.yaml", 3, 4});
  CHECK(input.hint == "do");
  const HostFailure execution = failure_of(ExecutionError("k.ptx:50 (./k.cu:5): read outside every buffer"));
  CHECK(execution.kind == HostFailure::Kind::execution);
  CHECK(execution.location == SourceLocation{"k.ptx", 50, 0});
  CHECK(failure_of(ExecutionError("deadlock: no place")).location == SourceLocation{});
  CHECK(failure_of(embedding::Interrupted("stop")).kind == HostFailure::Kind::interrupted);
  CHECK(failure_of(HostError("out of pages")).message == "out of pages");
  CHECK(failure_of(std::bad_alloc()).kind == HostFailure::Kind::internal);
  CHECK(failure_of(7).message == "internal error: an exception without a text");
}
