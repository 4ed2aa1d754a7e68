// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The common part of schemes that exist only in tests, including plugins: a reconvergence stack for each warp, whose
/// answers these schemes change.

#include <string_view>
#include <vector>

#include "models/execution/path_stack.hpp"
#include "models/protocols/scheme_kind.hpp"

namespace reconverge::contract {

/// What the block file of a scheme without parameters would contain.
inline BlockDescription block_of_scheme(std::string_view name, std::string_view summary) {
  BlockDescription block;
  block.name = name;
  block.folder = "tests/contract";
  block.summary = summary;
  return block;
}

/// One of its statistics, a member of the struct of statistics.
template <auto member>
StatisticDescription counter_of_scheme(std::string_view name, std::string_view unit, std::string_view text) {
  StatisticDescription counter;
  counter.name = name;
  counter.unit = unit;
  counter.text = text;
  counter.values = counter_values<member>;
  return counter;
}

class StackScheme : public Scheme {
 public:
  StackScheme(sc_core::sc_module_name name, const SchemePlace& place)
      : Scheme(name, place.parameters.scheduler.count), stacks_(place.parameters.warp_slots) {}

  void add_statistics(Statistics& /*totals*/) const override {}

 protected:
  void start(SchemeRequest& request) override {
    request.path = stacks_[request.slot].start(request.lanes, request.path.pc);
    settle(request);
  }
  void branch(SchemeRequest& request) override {
    stack_of(request).branch(request.path, *request.instruction, request.lanes, request.targets);
    settle(request);
  }
  void call(SchemeRequest& request) override {
    stack_of(request).call(request.path, request.lanes, request.targets);
    settle(request);
  }
  void leave(SchemeRequest& request) override {
    stack_of(request).leave(request.path, request.lanes);
    settle(request);
  }
  void exit(SchemeRequest& request) override {
    stack_of(request).exit(request.path, request.lanes);
    settle(request);
  }
  void stop(SchemeRequest& request) override {
    stack_of(request).reconverge(request.path);
    settle(request);
  }

  /// The stack of the request's path.
  virtual PathStack& stack_of(const SchemeRequest& request) { return stacks_[request.slot]; }
  /// Answers with the path that the stack wrote to the request.
  virtual void settle(SchemeRequest& request) {
    request.answer = request.path.lanes != 0 ? SchemeAnswer::run : SchemeAnswer::done;
  }

  std::vector<PathStack> stacks_;  // by warp slot
};

}  // namespace reconverge::contract
