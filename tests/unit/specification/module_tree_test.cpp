// SPDX-License-Identifier: Apache-2.0
/// The modules of a small GPU as SystemC has them, and what is bound to what.

#include "platforms/inspection/module_tree.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "models/core/elaborate.hpp"
#include "models/core/simulation_context.hpp"
#include "platforms/machines/gpu/gpu.hpp"
#include "platforms/specification/module_diagram.hpp"

using namespace reconverge;
using namespace reconverge::inspection;

namespace {

ModuleTree two_sms() {
  GpuParameters parameters;
  parameters.sms = 2;
  const SimulationContext context;
  const Gpu gpu("gpu", parameters);
  elaborate();
  return module_tree();
}

}  // namespace

TEST_CASE("a GPU with two SMs shows one of them, and each binding of it once") {
  const ModuleTree tree = two_sms();
  REQUIRE(tree.modules.size() == 1);
  const auto groups = groups_of(tree.modules.front().modules);
  const auto sms = std::ranges::find_if(groups, [](const ModuleGroup& group) { return group.first().kind == "Sm"; });
  REQUIRE(sms != groups.end());
  CHECK(sms->members.size() == 2);
  CHECK(sms->name() == "sm_0 to sm_1");
  const auto shown = shown_bindings(tree);
  CHECK(shown.size() < tree.bindings.size());
  for (const Binding& binding : shown) CHECK(binding.initiator.find("sm_1.") == std::string::npos);
}

TEST_CASE("each initiator socket of a GPU is bound to one target") {
  const ModuleTree tree = two_sms();
  std::vector<std::string> initiators;
  for (const Binding& binding : tree.bindings) initiators.push_back(binding.initiator);
  std::ranges::sort(initiators);
  CHECK(std::ranges::adjacent_find(initiators) == initiators.end());
  CHECK(std::ranges::any_of(tree.bindings, [](const Binding& one) {
    return one.initiator.starts_with("gpu.slice_0.") && one.target == "gpu.channel_0.requests_0";
  }));
  const std::string text = module_text(tree);
  CHECK(text.find("tlm_generic_payload -> gpu.") != std::string::npos);
  const std::string dot = module_dot(tree);
  CHECK(dot.starts_with("digraph modules {"));
  CHECK(dot.find("sm_0 to sm_1") != std::string::npos);
}

TEST_CASE("the diagram of the load/store unit has its neighbours") {
  const auto around = specification::surroundings_of(two_sms(), "load_store");
  REQUIRE(around);
  CHECK(around->kind == "LoadStore");
  CHECK(std::ranges::any_of(around->neighbours,
                            [](const auto& one) { return one.calls && one.payload == "tlm_generic_payload"; }));
  CHECK(std::ranges::any_of(around->neighbours, [](const auto& one) { return !one.calls; }));
  CHECK(specification::module_svg(*around).find("load_store") != std::string::npos);
}
