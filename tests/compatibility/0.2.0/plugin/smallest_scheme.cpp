// SPDX-License-Identifier: Apache-2.0
#include "models/execution/path_stack.hpp"
#include "platforms/plugin.hpp"

namespace {

using namespace reconverge;

struct SmallestParameters {  // none
  static const BlockDescription& description() {
    static const BlockDescription block = [] {
      BlockDescription made;
      made.name = "smallest_scheme";
      made.summary = "A reconvergence stack for each warp.";
      return made;
    }();
    return block;
  }
  bool operator==(const SmallestParameters&) const = default;
};

class SmallestScheme final : public Scheme {
 public:
  SmallestScheme(const char* name, const SmParameters& sm) : Scheme(name, sm.scheduler.count), stacks_(sm.warp_slots) {}
  void add_statistics(Statistics&) const override {}

 private:
  // Each event changes `path`: its pc, its lanes, and the pc at which it stops.
  void start(SchemeRequest& r) override { r.path = stack(r).start(r.lanes, r.path.pc), run(r); }
  void branch(SchemeRequest& r) override { stack(r).branch(r.path, *r.instruction, r.lanes, r.targets), run(r); }
  void call(SchemeRequest& r) override { stack(r).call(r.path, r.lanes, r.targets), run(r); }
  void leave(SchemeRequest& r) override { stack(r).leave(r.path, r.lanes), run(r); }
  void exit(SchemeRequest& r) override { stack(r).exit(r.path, r.lanes), run(r); }
  void stop(SchemeRequest& r) override { stack(r).reconverge(r.path), run(r); }

  PathStack& stack(const SchemeRequest& r) { return stacks_[r.slot]; }
  static void run(SchemeRequest& r) { r.answer = r.path.lanes != 0 ? SchemeAnswer::run : SchemeAnswer::done; }

  std::vector<PathStack> stacks_;  // by warp slot
};

std::span<const SchemeKind* const> schemes() {
  static const SchemeKind kind{.part = scheme_part<SmallestParameters>(),
                               .make = [](const char* name, const SchemePlace& place) -> std::unique_ptr<Scheme> {
                                 return std::make_unique<SmallestScheme>(name, place.parameters);
                               }};
  static const SchemeKind* const kinds[] = {&kind};
  return kinds;
}

}  // namespace

extern "C" const reconverge::Plugin reconverge_plugin{reconverge::interface_version, schemes};
