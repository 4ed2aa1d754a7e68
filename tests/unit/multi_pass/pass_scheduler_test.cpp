// SPDX-License-Identifier: Apache-2.0
#include "models/multi_pass/pass_scheduler.hpp"

#include <catch2/catch.hpp>

#include "models/core/simulation_context.hpp"

namespace reconverge {

namespace {

/// A partition in which kernel i has position `orders[i]` in reverse post-order.
kernel::Partition graph_of(const std::vector<std::vector<std::uint32_t>>& successors,
                           const std::vector<std::uint32_t>& orders) {
  kernel::Partition partition;
  for (std::size_t i = 0; i < successors.size(); ++i) {
    kernel::PassKernel kernel;
    kernel.successors = successors[i];
    kernel.order = orders[i];
    partition.kernels.push_back(kernel);
  }
  return partition;
}

/// Stand-in for the host, which uses a worklist.
struct Host final : sc_core::sc_module {
  Host(sc_core::sc_module_name name, const kernel::Partition& partition)
      : sc_module(name), work("work"), scheduler("scheduler") {
    work.bind(scheduler.requests);
    scheduler.begin(partition);
  }
  std::optional<BoundKernel> after(std::optional<BoundKernel> completed) {
    WorklistRequest request;
    request.completed = completed;
    sc_core::sc_time delay;
    work->b_transport(request, delay);
    return request.next;
  }

  ControlInitiatorSocket<Host, WorklistRequest> work;
  PassScheduler scheduler;
};

}  // namespace

TEST_CASE("the worklist returns the earliest kernel, and the older of two bindings", "[multi_pass][paper]") {
  const kernel::Partition partition = graph_of({{1, 2}, {1, 2}, {}}, {0, 1, 2});
  const SimulationContext context;
  Host host("host", partition);
  CHECK(host.after({}) == BoundKernel{0, 0});
  CHECK(host.after(BoundKernel{0, 0}) == BoundKernel{1, 1});
  CHECK(host.after(BoundKernel{1, 1}) == BoundKernel{1, 0});
  CHECK(host.after({}) == BoundKernel{2, 1});
  CHECK(host.after({}) == BoundKernel{2, 0});
  CHECK_FALSE(host.after({}));
}

TEST_CASE("an entry is in the worklist once", "[multi_pass][paper]") {
  const kernel::Partition partition = graph_of({{1, 2, 3}, {3}, {3}, {}}, {0, 2, 1, 3});
  const SimulationContext context;
  Host host("host", partition);
  CHECK(host.after({}) == BoundKernel{0, 0});
  CHECK(host.after(BoundKernel{0, 0}) == BoundKernel{2, 1});
  CHECK(host.after(BoundKernel{2, 1}) == BoundKernel{1, 1});
  CHECK(host.after(BoundKernel{1, 1}) == BoundKernel{3, 1});
  CHECK(host.after({}) == BoundKernel{3, 0});
  CHECK_FALSE(host.after({}));
}

TEST_CASE("with static bindings each kernel keeps its binding", "[multi_pass][paper]") {
  kernel::Partition partition = graph_of({{1}, {0}}, {0, 1});
  partition.static_bindings = true;
  partition.kernels[0].from = 1;
  const SimulationContext context;
  Host host("host", partition);
  CHECK(host.after({}) == BoundKernel{0, 1});
  CHECK(host.after(BoundKernel{0, 1}) == BoundKernel{1, 0});
  CHECK(host.after(BoundKernel{1, 0}) == BoundKernel{0, 1});
}

}  // namespace reconverge
