// SPDX-License-Identifier: Apache-2.0
#include "platforms/machines/gpu/history_recorder.hpp"

namespace reconverge {

void HistoryRecorder::begin(const Clock& clock, Cycle start, Cycle interval) {
  start_ = start;
  start_time_ = clock.value_of(start);
  interval_time_ = clock.value_of(interval);
  asked_ = interval;
  doubled_ = 0;
  history_ = {interval, 0, {}};
}

IntervalCounts& HistoryRecorder::interval(std::size_t number) {
  while ((number >> doubled_) >= most_intervals) join_pairs();
  const std::size_t place = number >> doubled_;
  while (history_.samples.size() <= place) {
    IntervalCounts next;
    next.begin = history_.samples.size() * history_.interval;
    history_.samples.push_back(next);
  }
  return history_.samples[place];
}

void HistoryRecorder::join_pairs() {
  std::vector<IntervalCounts>& samples = history_.samples;
  for (std::size_t i = 0; i < samples.size(); i += 2) {
    if (i + 1 < samples.size()) samples[i] += samples[i + 1];
    samples[i / 2] = samples[i];
  }
  samples.resize((samples.size() + 1) / 2);
  history_.interval *= 2;
  ++doubled_;
}

void HistoryRecorder::line_taken(const LineNote& note) {
  if (note.outcome == CacheOutcome::write) return;
  IntervalCounts& counts = interval((note.taken - start_) / asked_);
  counts.first_level[static_cast<std::size_t>(note.cache)].count(note.outcome == CacheOutcome::hit);
}

void HistoryRecorder::l2_read(std::uint64_t time, bool hit) { at_time(time).l2.count(hit); }

void HistoryRecorder::memory_bytes(std::uint64_t time, std::uint64_t bytes) { at_time(time).memory_bytes += bytes; }

RunHistory HistoryRecorder::history() const {
  RunHistory history = history_;
  std::vector<IntervalCounts>& samples = history.samples;
  const std::size_t count = (history.cycles + history.interval - 1) / history.interval;
  while (samples.size() > count && samples.size() > 1) {
    const IntervalCounts late = samples.back();
    samples.pop_back();
    samples.back() += late;
  }
  return history;
}

}  // namespace reconverge
