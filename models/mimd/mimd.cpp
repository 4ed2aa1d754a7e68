#include "models/mimd/mimd.hpp"

#include <algorithm>

#include "models/execution/operations/members.hpp"

namespace reconverge {

using kernel::Pc;

Mimd::Mimd(sc_core::sc_module_name name, std::size_t warp_slots)
    : sc_module(name), events("events"), warps_(warp_slots) {
  events.bind(*this);
}

void Mimd::begin(const ProgramImage& image) {
  image_ = &image;
  for (Threads& threads : warps_) {
    threads = Threads{};
    threads.registers.resize(image.tracked());
  }
}

void Mimd::b_transport(DivergenceRequest& request, sc_core::sc_time& /*delay*/) {
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
      threads.waiting &= ~request.lanes;
      break;
    case DivergenceEvent::answer:
      answer(threads, request);
      break;
    case DivergenceEvent::call:
    case DivergenceEvent::leave:
    case DivergenceEvent::reconverge:
    case DivergenceEvent::whole_warp:
    case DivergenceEvent::arrive:
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

LaneMask Mimd::together(const Threads& threads, const Warp& warp, unsigned lane, LaneMask candidates,
                        LaneMask& alike) const {
  const Pc pc = threads.pc[lane];
  LaneMask group = 0;
  for_each_lane(candidates, [&](unsigned other) {
    if (threads.pc[other] == pc) group |= lane_bit(other);
  });
  alike = group;
  // Votes, shuffles and warp barriers wait for their members; where none are named, for all threads of the warp.
  const kernel::Instruction& instruction = image_->instruction(pc);
  if (!is_exchange(instruction)) return group;
  if (!names_members(instruction)) return group == warp.live ? group : 0;
  const LaneMask passing = guarded_lanes(instruction, warp.context, group);
  if ((passing >> lane & 1U) == 0) return group & ~passing;
  // A lane that came here with other members, from another round of a loop, is at another exchange.
  const LaneMask members = members_of(instruction, warp.context, lane);
  LaneMask agreeing = 0;
  for_each_lane(passing & members, [&](unsigned other) {
    if (members_of(instruction, warp.context, other) == members) agreeing |= lane_bit(other);
  });
  alike = agreeing | lane_bit(lane);
  return (members & warp.live & ~agreeing) != 0 ? 0 : agreeing;
}

LaneMask Mimd::stranded(const Threads& threads, LaneMask candidates) const {
  // The first in the program goes first: that is the inner one where control flow is structured.
  Pc first = kernel::no_pc;
  for_each_lane(candidates, [&](unsigned lane) {
    if (!names_members(image_->instruction(threads.pc[lane]))) first = std::min(first, threads.pc[lane]);
  });
  LaneMask group = 0;
  for_each_lane(candidates, [&](unsigned lane) {
    if (threads.pc[lane] == first) group |= lane_bit(lane);
  });
  return group;
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
    } else if (ready < request.ready || request.ready >= never) {
      request.ready = ready;
      request.waits_for_memory = (threads.from_memory >> lane & 1U) != 0 && ready > request.now + 1;
    }
  });
  warp.active = 0;
  for (LaneMask left = candidates; left != 0 && warp.active == 0;) {
    const unsigned lane = first_lane(left);
    LaneMask alike = 0;
    warp.active = together(threads, warp, lane, candidates, alike);
    warp.pc = threads.pc[lane];
    left &= ~alike;
  }
  // Nobody can come any more: an exchange that names no members is for those that are there.
  const bool all_stand = request.ready == never && (warp.live & ~threads.waiting) == candidates;
  if (warp.active == 0 && candidates != 0 && all_stand) {
    warp.active = stranded(threads, candidates);
    if (warp.active != 0) warp.pc = threads.pc[first_lane(warp.active)];
  }
  if (warp.active != 0) ++statistics_.paths;
}

void Mimd::go_on(Threads& threads, const DivergenceRequest& request, LaneMask jumping, LaneMask falling) {
  const auto destinations = image_->decoded(request.pc).dependencies.destinations();
  const std::uint64_t entry = request.result << 1U | (request.from_memory ? 1U : 0U);
  const bool load = request.from_memory && !destinations.empty();
  const bool unknown = load && request.result >= never;
  for_each_lane(jumping | falling, [&](unsigned lane) {
    for (const std::uint16_t number : destinations) threads.registers[number][lane] = entry;
    threads.unknown[lane] += unknown ? 1 : 0;
    if (load && !unknown) threads.loads_until[lane] = std::max(threads.loads_until[lane], request.result);
    const bool jumps = (jumping >> lane & 1U) != 0;
    threads.pc[lane] = jumps ? request.warp->target_of(*request.instruction, lane) : request.pc + 1;
    threads.issued[lane] = request.now + 1;
    const bool control = request.instruction->operation_class == kernel::OperationClass::control;
    threads.earliest[lane] = control ? request.result : request.now + 1;
  });
  update_ready(threads, jumping | falling);
}

void Mimd::answer(Threads& threads, DivergenceRequest& request) {
  request.ready = never;
  const auto destinations = image_->decoded(request.pc).dependencies.destinations();
  if (destinations.empty()) return;
  // Only lanes that had no time to go on can go on sooner now.
  LaneMask stood = 0;
  for_each_lane(request.lanes, [&](unsigned lane) {
    for (const std::uint16_t number : destinations) threads.registers[number][lane] = request.result << 1U | 1U;
    --threads.unknown[lane];
    threads.loads_until[lane] = std::max(threads.loads_until[lane], request.result);
    if (threads.ready[lane] >= never) stood |= lane_bit(lane);
  });
  update_ready(threads, stood);
  for_each_lane(stood, [&](unsigned lane) { request.ready = std::min(request.ready, threads.ready[lane]); });
}

void Mimd::update_ready(Threads& threads, LaneMask lanes) {
  for_each_lane(lanes, [&](unsigned lane) {
    std::uint64_t latest = threads.earliest[lane] << 1U;
    for (const std::uint16_t number : image_->decoded(threads.pc[lane]).dependencies.all()) {
      latest = std::max(latest, threads.registers[number][lane]);
    }
    if (image_->decoded(threads.pc[lane]).flow == Flow::exit) {
      latest = std::max(latest, (threads.unknown[lane] != 0 ? never : threads.loads_until[lane]) << 1U | 1U);
    }
    threads.ready[lane] = latest >> 1U;
    threads.from_memory = (threads.from_memory & ~lane_bit(lane)) | ((latest & 1U) != 0 ? lane_bit(lane) : 0U);
  });
}

}  // namespace reconverge
