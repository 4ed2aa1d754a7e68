// A divergence scheme that somebody else wrote: a reconvergence stack, from a shared library. What it gives is known.

#include <vector>

#include "models/execution/path_stack.hpp"
#include "models/protocols/plugin.hpp"

#ifndef PLUGIN_FORGETS
#define PLUGIN_FORGETS false
#endif

namespace {

using namespace reconverge;

/// It loses a lane wherever paths meet.
constexpr bool forgetful = PLUGIN_FORGETS;

/// The scheme has no parameters.
struct StackAgainParameters {
  static const BlockDescription& description() {
    static const BlockDescription block = [] {
      BlockDescription made;
      made.name = "stack_again";
      made.folder = "tests/system/plugin";
      made.summary = "A reconvergence stack.";
      return made;
    }();
    return block;
  }
  bool operator==(const StackAgainParameters&) const = default;
};

class StackAgain final : public Scheme {
 public:
  StackAgain(sc_core::sc_module_name name, const SmParameters& sm)
      : Scheme(name, sm.scheduler.count), stacks_(sm.warp_slots) {}

  void add_statistics(Statistics& /*totals*/) const override {}

 private:
  void start(SchemeRequest& request) override {
    request.path = stack_of(request).start(request.lanes, request.path.pc);
    run(request);
  }
  void branch(SchemeRequest& request) override {
    stack_of(request).branch(request.path, *request.instruction, request.lanes, request.targets);
    run(request);
  }
  void call(SchemeRequest& request) override {
    stack_of(request).call(request.path, request.lanes, request.targets);
    run(request);
  }
  void leave(SchemeRequest& request) override {
    stack_of(request).leave(request.path, request.lanes);
    run(request);
  }
  void exit(SchemeRequest& request) override {
    stack_of(request).exit(request.path, request.lanes);
    run(request);
  }
  void stop(SchemeRequest& request) override {
    stack_of(request).reconverge(request.path);
    if (forgetful && count_lanes(request.path.lanes) > 1) request.path.lanes &= request.path.lanes - 1;
    run(request);
  }

  PathStack& stack_of(const SchemeRequest& request) { return stacks_[request.slot]; }
  static void run(SchemeRequest& request) {
    request.answer = request.path.lanes != 0 ? SchemeAnswer::run : SchemeAnswer::done;
  }

  std::vector<PathStack> stacks_;
};

std::span<const SchemeKind* const> schemes() {
  static const SchemeKind kind{.part = scheme_part<StackAgainParameters>(),
                               .make = [](const char* name, const SchemePlace& place) -> std::unique_ptr<Scheme> {
                                 return std::make_unique<StackAgain>(name, place.parameters);
                               }};
  static const SchemeKind* const kinds[] = {&kind};
  return kinds;
}

}  // namespace

#ifndef PLUGIN_VERSION
#define PLUGIN_VERSION reconverge::interface_version
#endif
extern "C" const reconverge::Plugin reconverge_plugin{PLUGIN_VERSION, schemes};
