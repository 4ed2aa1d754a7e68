// SPDX-License-Identifier: Apache-2.0
// Third-party divergence schemes that must fail: a reconvergence stack for a past version, or one that loses lanes.

#include "platforms/plugin.hpp"
#include "tests/contract/stack_scheme.hpp"

#ifndef PLUGIN_FORGETS
#define PLUGIN_FORGETS false
#endif

namespace {

using namespace reconverge;

/// It loses a lane wherever paths reconverge.
constexpr bool forgetful = PLUGIN_FORGETS;

/// The scheme has no parameters.
struct StackAgainParameters {
  static const BlockDescription& description() {
    static const BlockDescription block = contract::block_of_scheme("stack_again", "A reconvergence stack.");
    return block;
  }
  bool operator==(const StackAgainParameters&) const = default;
};

class StackAgain final : public contract::StackScheme {
 public:
  using StackScheme::StackScheme;

 private:
  void stop(SchemeRequest& request) override {
    StackScheme::stop(request);
    if (forgetful && count_lanes(request.path.lanes) > 1) request.path.lanes &= request.path.lanes - 1;
  }
};

std::span<const SchemeKind* const> schemes() {
  static const SchemeKind kind{.part = scheme_part<StackAgainParameters>(),
                               .make = [](const char* name, const SchemePlace& place) -> std::unique_ptr<Scheme> {
                                 return std::make_unique<StackAgain>(name, place);
                               }};
  static const SchemeKind* const kinds[] = {&kind};
  return kinds;
}

}  // namespace

#ifndef PLUGIN_VERSION
#define PLUGIN_VERSION reconverge::interface_version
#endif
extern "C" const reconverge::Plugin reconverge_plugin{PLUGIN_VERSION, schemes};
