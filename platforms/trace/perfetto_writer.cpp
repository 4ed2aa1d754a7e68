// SPDX-License-Identifier: Apache-2.0
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <unordered_set>

#include "perfetto.pb.h"
#include "platforms/trace/trace.hpp"

namespace reconverge::trace {

namespace {

using perfetto::DebugAnnotation;
using perfetto::InternedName;
using perfetto::TracePacket;
using perfetto::TrackDescriptor;
using perfetto::TrackEvent;

constexpr std::uint32_t sequence = 1;

struct Event {
  std::uint64_t time = 0;
  TrackEvent::Type type = TrackEvent::TYPE_UNSPECIFIED;
  std::size_t index = 0;  ///< of the slice or sample
};

/// Begins and ends of the slices of one track, in order. `slices`: their indices.
void add_events(const Trace& trace, std::vector<std::size_t>& slices, std::vector<Event>& events) {
  std::ranges::stable_sort(slices, {},
                           [&](std::size_t i) { return std::pair(trace.slices[i].begin, trace.slices[i].depth); });
  std::vector<std::size_t> open;
  const auto close_to = [&](std::size_t depth) {
    for (; open.size() > depth; open.pop_back()) {
      events.push_back({trace.slices[open.back()].end, TrackEvent::TYPE_SLICE_END, open.back()});
    }
  };
  for (const std::size_t i : slices) {
    const Slice& slice = trace.slices[i];
    close_to(slice.depth);
    events.push_back({slice.begin, TrackEvent::TYPE_SLICE_BEGIN, i});
    open.push_back(i);
  }
  close_to(0);
}

std::vector<Event> events_of(const Trace& trace) {
  std::vector<std::vector<std::size_t>> by_track(trace.tracks.size());
  for (std::size_t i = 0; i < trace.slices.size(); ++i) by_track[trace.slices[i].track].push_back(i);
  std::vector<Event> events;
  for (auto& slices : by_track) add_events(trace, slices, events);
  for (std::size_t i = 0; i < trace.samples.size(); ++i) {
    events.push_back({trace.samples[i].time, TrackEvent::TYPE_COUNTER, i});
  }
  std::ranges::stable_sort(events, {}, &Event::time);
  return events;
}

class Writer {
 public:
  explicit Writer(const Trace& trace) : trace_(trace), stream_(&bytes_), coded_(&stream_) {
    coded_.SetSerializationDeterministic(true);
  }

  std::string write() {
    TracePacket packet;
    packet.mutable_trace_uuid()->set_msb(static_cast<std::int64_t>(trace_.uuid.high));
    packet.mutable_trace_uuid()->set_lsb(static_cast<std::int64_t>(trace_.uuid.low));
    write(packet);
    for (const Track& track : trace_.tracks) describe(track);
    for (const Event& event : events_of(trace_)) tell(event);
    coded_.Trim();
    return std::move(bytes_);
  }

 private:
  void describe(const Track& track) {
    TracePacket packet;
    TrackDescriptor& described = *packet.mutable_track_descriptor();
    described.set_uuid(track.uuid);
    if (track.parent != 0) described.set_parent_uuid(track.parent);
    switch (track.kind) {
      case TrackKind::process:
        described.mutable_process()->set_pid(track.pid);
        described.mutable_process()->set_process_name(track.name);
        break;
      case TrackKind::thread:
        described.mutable_thread()->set_pid(track.pid);
        described.mutable_thread()->set_tid(track.tid);
        described.mutable_thread()->set_thread_name(track.name);
        break;
      case TrackKind::counter:
        described.mutable_counter()->set_unit(perfetto::CounterDescriptor::UNIT_COUNT);
        described.set_name(track.name);
        break;
      case TrackKind::slices:
        described.set_name(track.name);
        break;
    }
    write(packet);
  }

  void tell(const Event& event) {
    TracePacket packet;
    packet.set_timestamp(event.time);
    TrackEvent& told = *packet.mutable_track_event();
    told.set_type(event.type);
    if (event.type == TrackEvent::TYPE_COUNTER) {
      const Sample& sample = trace_.samples[event.index];
      told.set_track_uuid(trace_.tracks[sample.track].uuid);
      told.set_counter_value(sample.value);
    } else {
      const Slice& slice = trace_.slices[event.index];
      told.set_track_uuid(trace_.tracks[slice.track].uuid);
      if (event.type != TrackEvent::TYPE_SLICE_END) say_what(slice, packet);
    }
    write(packet);
  }

  void say_what(const Slice& slice, TracePacket& packet) {
    TrackEvent& told = *packet.mutable_track_event();
    told.add_category_iids(known(slice.category, categories_, packet, &perfetto::InternedData::add_event_categories));
    told.set_name_iid(known(slice.name, events_, packet, &perfetto::InternedData::add_event_names));
    for (const Argument& argument : slice.arguments) {
      DebugAnnotation& note = *told.add_debug_annotations();
      note.set_name_iid(known(argument.name, arguments_, packet, &perfetto::InternedData::add_debug_annotation_names));
      if (argument.kind == ArgumentKind::number) note.set_uint_value(argument.value);
      if (argument.kind == ArgumentKind::address) note.set_pointer_value(argument.value);
      if (argument.kind == ArgumentKind::text) note.set_string_value(trace_.name(static_cast<NameId>(argument.value)));
    }
    for (const std::uint64_t flow : slice.flows) told.add_flow_ids(flow);
    packet.set_sequence_flags(TracePacket::SEQ_NEEDS_INCREMENTAL_STATE);
  }

  using Ids = std::unordered_set<NameId>;

  /// The number of a text; the packet defines the text when it first uses it. 0 means none, so numbers start at 1.
  std::uint64_t known(NameId name, Ids& told, TracePacket& packet,
                      InternedName* (perfetto::InternedData::*add)()) const {
    const std::uint64_t iid = std::uint64_t{name} + 1;
    if (told.insert(name).second) {
      InternedName& interned = *(packet.mutable_interned_data()->*add)();
      interned.set_iid(iid);
      interned.set_name(trace_.name(name));
    }
    return iid;
  }

  void write(TracePacket& packet) {
    packet.set_trusted_packet_sequence_id(sequence);
    if (first_) {
      packet.set_first_packet_on_sequence(true);
      packet.set_sequence_flags(packet.sequence_flags() | TracePacket::SEQ_INCREMENTAL_STATE_CLEARED);
      first_ = false;
    }
    constexpr std::uint32_t tag = perfetto::Trace::kPacketFieldNumber << 3U | 2U;  // a field of bytes, with its number
    coded_.WriteTag(tag);
    coded_.WriteVarint32(static_cast<std::uint32_t>(packet.ByteSizeLong()));
    packet.SerializeWithCachedSizes(&coded_);
  }

  const Trace& trace_;
  std::string bytes_;
  google::protobuf::io::StringOutputStream stream_;
  google::protobuf::io::CodedOutputStream coded_;
  Ids categories_, events_, arguments_;
  bool first_ = true;
};

}  // namespace

TraceUuid uuid_of(std::string_view sha256) {
  const auto number = [&](std::size_t first) {
    std::uint64_t value = 0;
    std::from_chars(sha256.data() + first, sha256.data() + first + 16, value, 16);
    return value;
  };
  return {number(0), number(16)};
}

std::string to_perfetto(const Trace& trace) { return Writer(trace).write(); }

}  // namespace reconverge::trace
