#include "models/mimd/mimd.hpp"

#include <algorithm>

namespace reconverge {

using kernel::Pc;

Mimd::Mimd(sc_core::sc_module_name name, std::size_t warp_slots)
    : sc_module(name), events("events"), warps_(warp_slots) {
  events.register_b_transport(this, &Mimd::handle);
}

void Mimd::begin(const ProgramImage& image) {
  image_ = &image;
  for (Threads& threads : warps_) {
    threads = Threads{};
    threads.registers.resize(image.tracked());
  }
}

void Mimd::handle(int /*initiator*/, DivergenceRequest& request, sc_core::sc_time& /*delay*/) {
  Warp& warp = *request.warp;
  Threads& threads = warps_[warp.slot];
  switch (request.event) {
    case DivergenceEvent::start:
      start(threads, request);
      break;
    case DivergenceEvent::select:
      select(threads, request);
      break;
    case DivergenceEvent::branch:
      go_on(threads, request, request.lanes, warp.active & ~request.lanes);
      break;
    case DivergenceEvent::advance:
      go_on(threads, request, 0, request.lanes);
      break;
    case DivergenceEvent::exit:
      warp.live &= ~request.lanes;
      go_on(threads, request, 0, warp.active & ~request.lanes);
      break;
    case DivergenceEvent::wait:
      go_on(threads, request, 0, request.lanes);
      threads.waiting |= request.lanes;
      break;
    case DivergenceEvent::release:
      threads.waiting = 0;
      break;
    case DivergenceEvent::reconverge:
      break;  // no lane waits for another
  }
}

void Mimd::start(Threads& threads, const DivergenceRequest& request) {
  Warp& warp = *request.warp;
  if (warp.live != 0) statistics_.refills += count_lanes(request.lanes);
  warp.live |= request.lanes;
  for_each_lane(request.lanes, [&](unsigned lane) {
    threads.pc[lane] = request.pc;
    threads.ready[lane] = request.now;
    for (auto& row : threads.registers) row[lane] = 0;
  });
}

LaneMask Mimd::together(const Threads& threads, const Warp& warp, unsigned lane, LaneMask candidates) const {
  const Pc pc = threads.pc[lane];
  LaneMask group = 0;
  for_each_lane(candidates, [&](unsigned other) {
    if (threads.pc[other] == pc) group |= lane_bit(other);
  });
  // Votes, shuffles and warp barriers: all threads of the warp have to be there.
  const kernel::Instruction& instruction = image_->instruction(pc);
  const bool exchanges = instruction.operation_class == kernel::OperationClass::warp ||
                         (instruction.opcode == kernel::Opcode::bar &&
                          static_cast<kernel::BarrierMode>(instruction.variant) == kernel::BarrierMode::warp_sync);
  return exchanges && group != warp.live ? 0 : group;
}

void Mimd::select(Threads& threads, DivergenceRequest& request) {
  Warp& warp = *request.warp;
  LaneMask candidates = 0;
  request.ready = never;
  request.waits_for_memory = false;
  for_each_lane(warp.live & ~threads.waiting, [&](unsigned lane) {
    const Cycle ready = std::max(threads.ready[lane], threads.issued[lane]);
    if (ready <= request.now) {
      // A lane that another warp has in this slot can issue in the next.
      if ((request.lanes >> lane & 1U) != 0) {
        candidates |= lane_bit(lane);
      } else {
        request.ready = request.now;
      }
    } else if (ready < request.ready) {
      request.ready = ready;
      request.waits_for_memory = (threads.from_memory >> lane & 1U) != 0 && ready > request.now + 1;
    }
  });
  warp.active = 0;
  for (LaneMask left = candidates; left != 0 && warp.active == 0;) {
    const unsigned lane = first_lane(left);
    warp.active = together(threads, warp, lane, candidates);
    warp.pc = threads.pc[lane];
    left &= ~lane_bit(lane);
  }
  if (warp.active != 0) ++statistics_.paths;
}

void Mimd::go_on(Threads& threads, const DivergenceRequest& request, LaneMask jumping, LaneMask falling) {
  const auto destinations = image_->dependencies(request.pc).destinations();
  const std::uint64_t entry = request.result << 1U | (request.from_memory ? 1U : 0U);
  for_each_lane(jumping | falling, [&](unsigned lane) {
    for (const std::uint16_t number : destinations) threads.registers[number][lane] = entry;
    threads.pc[lane] = (jumping >> lane & 1U) != 0 ? request.instruction->target : request.pc + 1;
    threads.issued[lane] = request.now + 1;
  });
  const bool control = request.instruction->operation_class == kernel::OperationClass::control;
  update_ready(threads, jumping | falling, control ? request.result : request.now + 1);
}

void Mimd::update_ready(Threads& threads, LaneMask lanes, Cycle earliest) {
  for_each_lane(lanes, [&](unsigned lane) {
    std::uint64_t latest = earliest << 1U;
    for (const std::uint16_t number : image_->dependencies(threads.pc[lane]).all()) {
      latest = std::max(latest, threads.registers[number][lane]);
    }
    threads.ready[lane] = latest >> 1U;
    threads.from_memory = (threads.from_memory & ~lane_bit(lane)) | ((latest & 1U) != 0 ? lane_bit(lane) : 0U);
  });
}

}  // namespace reconverge
