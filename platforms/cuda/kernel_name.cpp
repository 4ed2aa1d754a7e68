// SPDX-License-Identifier: Apache-2.0
#include "platforms/cuda/kernel_name.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string_view>

namespace reconverge::cuda {

std::string kernel_name(const std::string& entry) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(entry.c_str(), nullptr, nullptr, &status),
                                                         std::free);
  if (status != 0 || text == nullptr) return entry;
  std::string_view name = text.get();
  // Without the parameters, which end the text, and the return type of a template.
  if (name.ends_with(')')) {
    std::size_t at = name.size();
    int depth = 0;
    do {
      --at;
      depth += name[at] == ')' ? 1 : name[at] == '(' ? -1 : 0;
    } while (depth != 0 && at != 0);
    name = name.substr(0, at);
  }
  constexpr std::string_view returned = "void ";
  if (name.starts_with(returned)) name.remove_prefix(returned.size());
  return std::string(name);
}

}  // namespace reconverge::cuda
