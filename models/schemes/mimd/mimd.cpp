// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/mimd/mimd.hpp"

#include <algorithm>
#include <map>

#include "blocks/sm.hpp"
#include "models/execution/operations/members.hpp"

namespace reconverge {

using kernel::Pc;

Mimd::Mimd(sc_core::sc_module_name name, std::size_t warp_slots, std::size_t schedulers)
    : Scheme(name, schedulers), warps_(warp_slots) {}

void Mimd::begin(const SchemeLaunch& launch) {
  image_ = &launch.image;
  for (Threads& threads : warps_) threads = Threads{};
}

void Mimd::start(SchemeRequest& request) {
  Threads& threads = warps_[request.slot];
  if (request.live != 0) statistics_.refills += count_lanes(request.lanes);
  threads.live |= request.lanes;
  for_each_lane(request.lanes, [&](unsigned lane) {
    threads.pc[lane] = request.path.pc;
    threads.ready[lane] = request.now;
  });
}

std::vector<Path> Mimd::places(std::uint32_t slot) const {
  const Threads& threads = warps_[slot];
  std::map<Pc, LaneMask> lanes_at;
  for_each_lane(threads.live, [&](unsigned lane) { lanes_at[threads.pc[lane]] |= lane_bit(lane); });
  std::vector<Path> places;
  for (const auto& [pc, lanes] : lanes_at) places.push_back({pc, lanes, kernel::no_pc});
  return places;
}

void Mimd::branch(SchemeRequest& request) { go_on(request, request.lanes, request.path.lanes & ~request.lanes); }

void Mimd::exit(SchemeRequest& request) {
  warps_[request.slot].live &= ~request.lanes;
  go_on(request, 0, request.path.lanes & ~request.lanes);
}

void Mimd::advance(SchemeRequest& request) { go_on(request, 0, request.lanes); }

void Mimd::wait(SchemeRequest& request) {
  go_on(request, 0, request.lanes);
  warps_[request.slot].waiting |= request.lanes;
}

void Mimd::release(SchemeRequest& request) { warps_[request.slot].waiting &= ~request.lanes; }

LaneMask Mimd::together(const SchemeRequest& request, unsigned lane, LaneMask candidates, LaneMask& alike) {
  const Threads& threads = warps_[request.slot];
  const Pc pc = threads.pc[lane];
  LaneMask group = 0;
  for_each_lane(candidates, [&](unsigned other) {
    if (threads.pc[other] == pc) group |= lane_bit(other);
  });
  alike = group;
  // Votes, shuffles and warp barriers wait for their members or, without a member mask, for all threads of the warp.
  const kernel::Instruction& instruction = image_->instruction(pc);
  if (!is_exchange(instruction)) return group;
  if (!names_members(instruction)) return group == request.live ? group : 0;
  ExchangeRequest exchange;
  exchange.slot = request.slot;
  exchange.pc = pc;
  exchange.lanes = group;
  send(exchanges, exchange);
  const LaneMask passing = exchange.passing;
  if ((passing >> lane & 1U) == 0) return group & ~passing;
  // A lane that arrived with a different member mask, from another loop iteration, is at a different exchange.
  const LaneMask members = exchange.members[lane];
  LaneMask agreeing = 0;
  for_each_lane(passing & members, [&](unsigned other) {
    if (exchange.members[other] == members) agreeing |= lane_bit(other);
  });
  alike = agreeing | lane_bit(lane);
  return (members & request.live & ~agreeing) != 0 ? 0 : agreeing;
}

LaneMask Mimd::stranded(const Threads& threads, LaneMask candidates) const {
  // The first exchange in program order executes first: in structured control flow, it is the innermost.
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

void Mimd::select(SchemeRequest& request) {
  const Threads& threads = warps_[request.slot];
  LaneMask candidates = 0;
  request.until = never;
  request.from_memory = false;
  for_each_lane(request.live & ~threads.waiting, [&](unsigned lane) {
    const Cycle ready = std::max(threads.ready[lane], threads.issued[lane]);
    if (ready <= request.now) {
      // A lane that another warp uses in this issue slot can issue in the next.
      if ((request.lanes >> lane & 1U) != 0) {
        candidates |= lane_bit(lane);
      } else {
        request.until = request.now;
      }
    } else if (ready < request.until || request.until >= never) {
      request.until = ready;
      request.from_memory = (threads.from_memory >> lane & 1U) != 0 && ready > request.now + 1;
    }
  });
  request.answer = SchemeAnswer::wait;
  Path path;
  for (LaneMask left = candidates; left != 0 && path.lanes == 0;) {
    const unsigned lane = first_lane(left);
    LaneMask alike = 0;
    path.lanes = together(request, lane, candidates, alike);
    path.pc = threads.pc[lane];
    left &= ~alike;
  }
  // No more lanes can arrive: an exchange without a member mask executes for the lanes that have arrived.
  const bool all_stand = request.until == never && (request.live & ~threads.waiting) == candidates;
  if (path.lanes == 0 && candidates != 0 && all_stand) {
    path.lanes = stranded(threads, candidates);
    if (path.lanes != 0) path.pc = threads.pc[first_lane(path.lanes)];
  }
  if (path.lanes == 0) return;
  ++statistics_.paths;
  request.path = path;
  request.answer = SchemeAnswer::run;
}

void Mimd::go_on(const SchemeRequest& request, LaneMask jumping, LaneMask falling) {
  Threads& threads = warps_[request.slot];
  const bool control = request.instruction->operation_class == kernel::OperationClass::control;
  for_each_lane(jumping | falling, [&](unsigned lane) {
    const bool jumps = (jumping >> lane & 1U) != 0;
    threads.pc[lane] = jumps ? request.targets[lane] : request.pc + 1;
    threads.issued[lane] = request.now + 1;
    threads.earliest[lane] = control ? request.result : request.now + 1;
  });
  update_ready(request.slot, jumping | falling);
}

void Mimd::result(SchemeRequest& request) {
  Threads& threads = warps_[request.slot];
  request.until = never;
  // Only lanes whose ready time is unknown can now become ready earlier.
  LaneMask stood = 0;
  for_each_lane(request.lanes, [&](unsigned lane) {
    if (threads.ready[lane] >= never) stood |= lane_bit(lane);
  });
  update_ready(request.slot, stood);
  for_each_lane(stood, [&](unsigned lane) { request.until = std::min(request.until, threads.ready[lane]); });
}

void Mimd::update_ready(std::uint32_t slot, LaneMask lanes) {
  Threads& threads = warps_[slot];
  ReadinessRequest registers;
  registers.slot = slot;
  while (lanes != 0) {
    registers.pc = threads.pc[first_lane(lanes)];
    registers.lanes = 0;
    for_each_lane(lanes, [&](unsigned lane) {
      if (threads.pc[lane] == registers.pc) registers.lanes |= lane_bit(lane);
    });
    lanes &= ~registers.lanes;
    send(dependencies, registers);
    for_each_lane(registers.lanes, [&](unsigned lane) {
      // If two values arrive at the same time, the wait is attributed to the one from memory.
      const bool later = registers.ready[lane] > threads.earliest[lane];
      const bool memory = (registers.from_memory >> lane & 1U) != 0 && registers.ready[lane] >= threads.earliest[lane];
      threads.ready[lane] = later ? registers.ready[lane] : threads.earliest[lane];
      threads.from_memory = (threads.from_memory & ~lane_bit(lane)) | (memory ? lane_bit(lane) : 0U);
    });
  }
}

const SchemeKind& mimd_scheme() {
  static const SchemeKind kind{
      .part = scheme_part<MimdParameters>(),
      .traits = {.tracking = DependencyTracking::thread, .lanes_alone = true, .ideal = true, .results = true},
      .make = [](const char* name, const SchemePlace& place) -> std::unique_ptr<Scheme> {
        const SmParameters& sm = place.parameters;
        return std::make_unique<Mimd>(name, sm.warp_slots, sm.scheduler.count);
      }};
  return kind;
}

}  // namespace reconverge
