// SPDX-License-Identifier: Apache-2.0
#include "platforms/trace/sm_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace reconverge::trace {

namespace {

constexpr std::array<const char*, first_levels> cache_names{"l1", "texture_cache", "constant_cache"};
constexpr unsigned requests_of_cache = 1U << 20U;

constexpr std::array<const char*, 2> counter_names{"instructions in 100 cycles", "thread instructions in 100 cycles"};
static_assert(sample_interval == 100, "as the names say");

}  // namespace

SmTrace::SmTrace(CycleWindow window, std::vector<std::string> outcomes)
    : window_{window.first, std::min<Cycle>(window.last, never)}, outcomes_(std::move(outcomes)) {}

void SmTrace::launch_started(const Launch& launch, Cycle cycle) {
  program_ = launch.program;
  launch_ = Open{program_->name,
                 cycle,
                 0,
                 {number("blocks", launch.grid.count()), number("threads of a block", launch.threads_per_block())},
                 {}};
}

void SmTrace::launch_ended(Cycle end) {
  close_all(end);
  add({}, launch_category, std::move(*launch_), end);
  launch_.reset();
  end_ = end;
}

SmTrace::Slot& SmTrace::slot_of(const WarpPlace& place) {
  if (sms_.size() <= place.sm) sms_.resize(place.sm + 1);
  std::vector<Slot>& slots = sms_[place.sm].slots;
  if (slots.size() <= place.slot) slots.resize(place.slot + 1);
  return slots[place.slot];
}

void SmTrace::threads_started(const ThreadsNote& note) {
  if (note.live != note.lanes) return;  // other lanes of the warp run already
  close_warp(note.place, note.cycle);
  if (past(note.cycle)) return;
  Slot& slot = slot_of(note.place);
  slot.last = std::max(slot.last, note.cycle);
  slot.warp = Open{{}, slot.last, 0, {number("threads", count_lanes(note.lanes))}, {}};
  // Threads of the grid begin at the program's start; so may threads that others created.
  const auto created_with = std::exchange(slot.spawned_with, std::nullopt);
  if (created_with || note.place.pc != 0) {
    slot.warp->name = fmt::format("threads at {}", program_->text[note.place.pc]);
    if (created_with) slot.warp->flows = *created_with;
    return;
  }
  slot.warp->name = fmt::format("block {} warp {}", note.position.block, note.position.warp);
  slot.warp->arguments.push_back(number("block", note.position.block));
  slot.warp->arguments.push_back(number("first thread of the block", std::uint64_t{note.position.warp} * warp_size));
}

void SmTrace::threads_ended(const ThreadsNote& note) {
  if (note.live == 0) close_warp(note.place, note.cycle + 1);
}

void SmTrace::issued(const IssueNote& note) {
  close_instruction(note.place, note.cycle);
  if (past(note.cycle)) return;
  Slot& slot = slot_of(note.place);
  slot.last = std::max(slot.last, note.cycle);
  slot.instruction = Issue{note, slot.last, slot.warp ? 1U : 0U, slot.row, {}};
  if (!window_.holds(note.cycle)) return;
  const unsigned lanes = count_lanes(note.lanes);
  std::array<std::uint64_t, 2>& counts = sms_[note.place.sm].samples[note.cycle / sample_interval];
  counts[0] += note.alone ? lanes : 1;
  counts[1] += lanes;
}

SmTrace::Open SmTrace::slice_of(const Issue& issue) {
  const IssueNote& note = issue.note;
  Open open{program_->text[note.place.pc],
            issue.begin,
            issue.depth,
            {number("pc", note.place.pc), number("line", program_->instructions[note.place.pc].line),
             number("lanes", count_lanes(note.lanes)), address("mask", note.lanes)},
            issue.flows};
  if (issue.row) open.arguments.push_back(number("row of rays", *issue.row));
  if (note.alone) open.arguments.push_back(number("each lane alone", 1));
  return open;
}

void SmTrace::slots_lost(const LostSlotsNote& note) {
  if (note.place.pc == kernel::no_pc || past(note.from)) return;
  Slot& slot = slot_of(note.place);
  const Cycle end = note.from + note.cycles;
  if (slot.stall && slot.stall->cause == note.cause && slot.stall->end == note.from) {
    slot.stall->end = end;
    return;
  }
  close_stall(note.place);
  slot.last = std::max(slot.last, note.from);
  const std::uint32_t depth = (slot.warp ? 1U : 0U) + (slot.instruction ? 1U : 0U);
  slot.stall = Stall{note.cause, slot.last, std::max(slot.last, end), depth};
}

void SmTrace::close_stall(const WarpPlace& place) {
  Slot& slot = slot_of(place);
  if (!slot.stall) return;
  const Stall stall = *slot.stall;
  slot.last = stall.end;
  slot.stall.reset();
  if (!shows(stall.begin, stall.end)) return;
  add({place.sm, TrackPlace::Kind::warp, place.slot}, stall_category,
      {outcomes_[static_cast<std::size_t>(stall.cause)], stall.begin, stall.depth, {}, {}}, stall.end);
}

void SmTrace::close_instruction(const WarpPlace& place, Cycle end) {
  close_stall(place);
  Slot& slot = slot_of(place);
  if (!slot.instruction) return;
  slot.last = std::max(slot.last, end);
  if (shows(slot.instruction->begin, slot.last)) {
    add({place.sm, TrackPlace::Kind::warp, place.slot}, instruction_category, slice_of(*slot.instruction), slot.last);
  }
  slot.instruction.reset();
}

void SmTrace::close_warp(const WarpPlace& place, Cycle end) {
  close_instruction(place, end);
  Slot& slot = slot_of(place);
  if (!slot.warp) return;
  slot.last = std::max(slot.last, end);
  add({place.sm, TrackPlace::Kind::warp, place.slot}, warp_category, std::move(*slot.warp), slot.last);
  slot.warp.reset();
}

void SmTrace::threads_spawned(const SpawnNote& note) {
  Slot& slot = slot_of({note.sm, note.slot});
  if (!slot.instruction) return;
  slot.instruction->flows.push_back(++flows_);
  sms_[note.sm].spawned[note.part].push_back(flows_);
}

void SmTrace::spawned_begin(const SpawnNote& note) {
  Slot& slot = slot_of({note.sm, note.slot});
  slot.spawned_with = std::exchange(sms_[note.sm].spawned[note.part], {});
}

void SmTrace::row_accessed(const RowAccessNote& note) {
  if (past(note.cycle)) return;
  if (sms_.size() <= note.sm) sms_.resize(note.sm + 1);
  const std::uint32_t number = note.write ? 1 : 0;
  RowPort& port = sms_[note.sm].ports[number];
  const std::string row = fmt::format("row {}", note.row);
  if (!port.row || port.row->name != row || port.end != note.cycle) {
    close_port(note.sm, number);
    port.row = Open{row, note.cycle, 0, {}, {}};
  }
  port.end = note.cycle + 1;
}

void SmTrace::close_port(std::uint32_t sm, std::uint32_t number) {
  RowPort& port = sms_[sm].ports[number];
  if (!port.row) return;
  add({sm, TrackPlace::Kind::swap, number}, swap_category, std::move(*port.row), port.end);
  port.row.reset();
}

void SmTrace::close_all(Cycle end) {
  for (std::uint32_t sm = 0; sm < sms_.size(); ++sm) {
    for (std::uint32_t slot = 0; slot < sms_[sm].slots.size(); ++slot) {
      close_warp({sm, slot}, end);
      sms_[sm].slots[slot].row.reset();
    }
    for (auto& [number, port] : sms_[sm].ports) close_port(sm, number);
    sms_[sm].spawned.clear();
  }
}

void SmTrace::line_taken(const LineNote& note) {
  if (past(note.taken) || (note.outcome != CacheOutcome::miss && note.outcome != CacheOutcome::merge)) return;
  if (note.answer < never) {
    add_request(note);
  } else {
    waiting_[{note.place.sm, note.ticket}] = note;
  }
}

void SmTrace::line_answered(std::uint32_t sm, std::uint64_t ticket, Cycle answer) {
  const auto found = waiting_.find({sm, ticket});
  if (found == waiting_.end() || answer >= never) return;
  found->second.answer = answer;
  add_request(found->second);
  waiting_.erase(found);
}

void SmTrace::add_request(const LineNote& note) {
  if (note.answer >= window_.first && !past(note.taken)) requests_.push_back(note);
}

void SmTrace::add(const TrackPlace& track, const char* category, Open open, Cycle end) {
  const Cycle first = window_.first;
  const Cycle after_window = window_.last + 1;
  if (!shows(open.begin, end)) return;
  if (open.begin < first) open.arguments.push_back(number("since cycle", open.begin));
  Slice& slice = trace_.slices.emplace_back();
  slice.category = names_.of(category);
  slice.name = names_.of(open.name);
  slice.begin = std::max(open.begin, first);
  slice.end = std::min(end, after_window);
  slice.depth = open.depth;
  slice.arguments = std::move(open.arguments);
  slice.flows = std::move(open.flows);
  uuids_.push_back(describe(track));
}

void SmTrace::place_requests() {
  for (auto& [key, note] : waiting_) {  // where the run was stopped
    note.answer = std::max(note.taken, end_);
    add_request(note);
  }
  waiting_.clear();
  const auto order = [](const LineNote& note) {
    return std::tuple(note.place.sm, note.cache, note.taken, note.answer, note.line, note.place.slot, note.place.pc);
  };
  std::ranges::stable_sort(requests_, {}, order);
  // Slices of a track nest, but requests overlap: each goes to the first track that is free.
  std::map<std::pair<std::uint32_t, FirstLevel>, std::vector<Cycle>> free;
  for (const LineNote& note : requests_) {
    std::vector<Cycle>& tracks = free[{note.place.sm, note.cache}];
    const auto found = std::ranges::find_if(tracks, [&](Cycle from) { return from <= note.taken; });
    const auto track = static_cast<std::uint64_t>(found - tracks.begin());
    if (found == tracks.end()) tracks.push_back(0);
    tracks[track] = note.answer;
    const std::uint64_t number_in_sm = static_cast<std::uint64_t>(note.cache) * requests_of_cache + track;
    add({note.place.sm, TrackPlace::Kind::request, number_in_sm}, memory_category,
        {note.outcome == CacheOutcome::miss ? "miss" : "merge",
         note.taken,
         0,
         {address("line", note.line), text("cache", cache_names.at(static_cast<std::size_t>(note.cache))),
          number("warp slot", note.place.slot), number("pc", note.place.pc), number("issued in cycle", note.issued)},
         {}},
        note.answer);
  }
}

void SmTrace::add_samples() {
  for (std::uint32_t sm = 0; sm < sms_.size(); ++sm) {
    const auto& samples = sms_[sm].samples;
    const auto put = [&](Cycle time, const std::array<std::uint64_t, 2>& counts) {
      for (std::size_t counter = 0; counter < counts.size(); ++counter) {
        trace_.samples.push_back(
            {0, std::clamp(time, window_.first, window_.last + 1), static_cast<std::int64_t>(counts[counter])});
        sample_uuids_.push_back(describe({sm, TrackPlace::Kind::counter, counter}));
      }
    };
    for (const auto& [interval, counts] : samples) {
      put(interval * sample_interval, counts);
      if (!samples.contains(interval + 1)) put((interval + 1) * sample_interval, {});
    }
  }
}

std::uint64_t SmTrace::describe(const TrackPlace& place) {
  // Tracks are described in the order of their uuids.
  const auto kind = static_cast<std::uint64_t>(place.kind);
  const std::uint64_t uuid = std::uint64_t{place.sm + 1} << 32U | kind << 24U | place.number;
  if (tracks_.contains(uuid)) return uuid;
  Track track;
  track.uuid = uuid;
  switch (place.kind) {
    case TrackPlace::Kind::launches:
      track.name = "launches";
      break;
    case TrackPlace::Kind::sm:
      track.kind = TrackKind::process;
      track.name = fmt::format("SM {}", place.sm);
      break;
    case TrackPlace::Kind::warp:
      track.kind = TrackKind::thread;
      track.name = fmt::format("warp slot {}", place.number);
      track.tid = static_cast<std::int32_t>((place.sm + 1) << 16U | (place.number + 1));  // unique across all SMs
      break;
    case TrackPlace::Kind::counter:
      track.kind = TrackKind::counter;
      track.name = counter_names.at(place.number);
      break;
    case TrackPlace::Kind::swap:
      track.name = place.number == 0 ? "swap reads" : "swap writes";
      break;
    case TrackPlace::Kind::request:
      track.name = fmt::format("{} misses", cache_names.at(place.number / requests_of_cache));
      break;
  }
  if (place.kind > TrackPlace::Kind::sm) track.parent = describe({place.sm, TrackPlace::Kind::sm, 0});
  if (track.kind == TrackKind::process || track.kind == TrackKind::thread) {
    track.pid = static_cast<std::int32_t>(place.sm + 1);
  }
  tracks_.emplace(uuid, std::move(track));
  return uuid;
}

Trace SmTrace::take() {
  place_requests();
  add_samples();
  std::map<std::uint64_t, std::uint32_t> indices;
  for (auto& [uuid, track] : tracks_) {
    indices.emplace(uuid, static_cast<std::uint32_t>(trace_.tracks.size()));
    trace_.tracks.push_back(std::move(track));
  }
  for (std::size_t i = 0; i < uuids_.size(); ++i) trace_.slices[i].track = indices.at(uuids_[i]);
  for (std::size_t i = 0; i < sample_uuids_.size(); ++i) trace_.samples[i].track = indices.at(sample_uuids_[i]);
  return std::move(trace_);
}

}  // namespace reconverge::trace
