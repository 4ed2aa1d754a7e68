#include "models/sm/load_store.hpp"

#include <algorithm>
#include <utility>

#include "models/sm/lanes/addressing.hpp"
#include "models/sm/warp.hpp"

namespace reconverge {

using kernel::OperationClass;
using kernel::Space;

LoadStore::LoadStore(sc_core::sc_module_name name, const LoadStoreParameters& parameters, unsigned line_bytes,
                     Clock clock)
    : sc_module(name),
      issue("issue"),
      cache("cache"),
      parameters_(parameters),
      line_bytes_(line_bytes),
      clock_(std::move(clock)),
      pipe_(parameters.units, 1) {
  issue.register_b_transport(this, &LoadStore::handle);
}

void LoadStore::handle(int /*initiator*/, IssueRequest& request, sc_core::sc_time& /*delay*/) {
  const Cycle start = pipe_.next_free(request.now);
  request.accepted = start == request.now || request.queued;
  if (!request.accepted) {
    request.retry = start;
    return;
  }
  request.from_memory = true;
  request.result = start + 1;
  Cycle busy = 1;
  if (request.instruction->opcode == kernel::Opcode::ld_param) {
    if (request.lanes != 0) request.operation(*request.instruction, request.warp->context, request.lanes);
    ++statistics_.instructions[LoadStoreInstructions::param];
    request.result = start + parameters_.constant_latency;
  } else if (request.lanes != 0) {
    // Lanes with generic addresses may access several spaces: one after the other, that of the lowest lane first.
    request.result = start;
    busy = 0;
    for (LaneMask left = request.lanes; left != 0;) {
      const LaneMask together = lanes::lanes_of_one_space(*request.instruction, request.warp->context, left);
      left &= ~together;
      request.operation(*request.instruction, request.warp->context, together);
      // Lanes on their own do not wait for those of another space.
      const Cycle cycles = time_access(request, request.queued ? start : start + busy);
      busy = request.queued ? std::max(busy, cycles) : busy + cycles;
    }
  }
  if (request.queued && busy <= 1) {
    pipe_.take_lanes(start, count_lanes(request.lanes));
  } else {
    pipe_.take(start, busy);
  }
}

Cycle LoadStore::time_access(IssueRequest& request, Cycle start) {
  const MemoryAccess& access = request.warp->context.access;
  const auto done = [&](Cycle result) { request.result = std::max(request.result, result); };
  if (access.space == Space::shared) {
    ++statistics_.instructions[LoadStoreInstructions::shared];
    const Cycle busy = shared_memory_cycles(access, static_cast<unsigned>(parameters_.shared_banks));
    statistics_.shared_conflict_cycles += busy - 1;
    done(start + busy - 1 + parameters_.shared_latency);
    return busy;
  }
  if (access.space == Space::param) {
    ++statistics_.instructions[LoadStoreInstructions::param];
    done(start + parameters_.constant_latency);
    return 1;
  }
  ++statistics_
        .instructions[access.space == Space::local ? LoadStoreInstructions::local : LoadStoreInstructions::global];
  coalesce(access, line_bytes_, lines_);
  return send_lines(access, request, start);
}

Cycle LoadStore::send_lines(const MemoryAccess& access, IssueRequest& request, Cycle start) {
  statistics_.line_requests += lines_.lines().size();
  Cycle last = start;
  Cycle arrival = start;
  for (const DeviceAddress line : lines_.lines()) {
    auto& payload = payloads_.acquire(access.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, line, line_bytes_);
    auto* extension = payload.get_extension<MemoryExtension>();
    extension->local = access.space == Space::local;
    extension->atomic = request.instruction->operation_class == OperationClass::atomic;
    last = std::max(last, send_early_completed(cache, payload, clock_, request.now, arrival));
    // One line a cycle, and none while the cache waits for a miss register; lanes on their own have ports of their own.
    arrival = std::max(arrival, extension->accepted) + (request.queued ? 0 : 1);
    payload.release();
  }
  request.result = std::max(request.result, last);
  return arrival - start;
}

}  // namespace reconverge
