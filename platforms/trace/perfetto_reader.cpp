// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>

#include <optional>
#include <unordered_map>
#include <utility>

#include "models/core/error.hpp"
#include "perfetto.pb.h"
#include "platforms/trace/trace.hpp"

namespace reconverge::trace {

namespace {

using google::protobuf::io::CodedInputStream;
using perfetto::DebugAnnotation;
using perfetto::InternedName;
using perfetto::TracePacket;
using perfetto::TrackDescriptor;
using perfetto::TrackEvent;

/// Caught where the packet number is known.
struct Complaint {
  std::string what;
};

void require(bool holds, std::string_view otherwise) {
  if (!holds) throw Complaint{std::string(otherwise)};
}

/// Checks for unknown fields in the message itself; nested messages are checked separately.
template <typename Message>
const Message& known(const Message& message) {
  require(message.unknown_fields().empty(), "has a field that Reconverge does not write");
  return message;
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  Trace read() {
    CodedInputStream in(reinterpret_cast<const std::uint8_t*>(bytes_.data()), static_cast<int>(bytes_.size()));
    for (std::size_t number = 1; in.CurrentPosition() < static_cast<int>(bytes_.size()); ++number) {
      const int begin = in.CurrentPosition();
      try {
        packet(next(in));
      } catch (const Complaint& complaint) {
        throw refusal(fmt::format("packet {}, at byte {}, {}", number, begin, complaint.what));
      }
    }
    if (!begun_) throw refusal("the file has no packet");
    for (std::size_t track = 0; track < open_.size(); ++track) {
      if (open_[track].empty()) continue;
      throw refusal(fmt::format("slice '{}' of track '{}' does not end",
                                trace_.name(trace_.slices[open_[track].back()].name), trace_.tracks[track].name));
    }
    return std::move(trace_);
  }

 private:
  static InputError refusal(const std::string& what) {
    return {{}, "no trace of Reconverge: " + what, "write it again with `reconverge run FILE --trace`"};
  }

  TracePacket next(CodedInputStream& in) const {
    constexpr std::uint32_t tag = perfetto::Trace::kPacketFieldNumber << 3U | 2U;
    require(in.ReadTag() == tag, "does not begin as packets do");
    std::uint32_t size = 0;
    require(in.ReadVarint32(&size), "has no size");
    require(size <= bytes_.size() - static_cast<std::size_t>(in.CurrentPosition()), "goes beyond the end of the file");
    const CodedInputStream::Limit rest = in.PushLimit(static_cast<int>(size));
    TracePacket packet;
    require(packet.ParseFromCodedStream(&in) && in.BytesUntilLimit() == 0, "is no message of its kind");
    in.PopLimit(rest);
    return packet;
  }

  void packet(const TracePacket& packet) {
    known(packet);
    require(packet.trusted_packet_sequence_id() == 1, "is not of sequence 1, the only one");
    const std::uint32_t flags = packet.sequence_flags();
    const bool clears = (flags & TracePacket::SEQ_INCREMENTAL_STATE_CLEARED) != 0;
    require(packet.first_packet_on_sequence() == !begun_ && clears == !begun_,
            "is flagged as the first one and is not, or is the first one and not flagged");
    require(packet.has_trace_uuid() == !begun_, "tells the UUID of the trace and is not the first, or is and does not");
    const bool is_first = !std::exchange(begun_, true);
    require(packet.has_track_event() + packet.has_track_descriptor() == (is_first ? 0 : 1),
            "has to have an event or describe a track");
    if (is_first) {
      require(!packet.has_timestamp() && !packet.has_interned_data(), "tells the UUID of the trace and says more");
      const perfetto::TraceUuid& uuid = known(packet.trace_uuid());
      trace_.uuid = {static_cast<std::uint64_t>(uuid.msb()), static_cast<std::uint64_t>(uuid.lsb())};
      return;
    }
    const bool needs = (flags & TracePacket::SEQ_NEEDS_INCREMENTAL_STATE) != 0;
    if (packet.has_interned_data()) learn(known(packet.interned_data()));
    if (packet.has_track_descriptor()) {
      require(!needs && !packet.has_timestamp() && !packet.has_interned_data(), "describes a track and says more");
      return describe(known(packet.track_descriptor()));
    }
    require(packet.has_timestamp() && packet.timestamp() >= time_, "has an event without time, or before the last one");
    time_ = packet.timestamp();
    event(known(packet.track_event()), needs);
  }

  void describe(const TrackDescriptor& described) {
    Track track;
    track.uuid = described.uuid();
    track.parent = described.parent_uuid();
    track.name = described.name();
    require(described.has_process() + described.has_thread() + described.has_counter() <= 1,
            "describes a track of two kinds");
    if (described.has_process()) {
      track.kind = TrackKind::process;
      track.pid = known(described.process()).pid();
      track.name = described.process().process_name();
    } else if (described.has_thread()) {
      track.kind = TrackKind::thread;
      track.pid = known(described.thread()).pid();
      track.tid = described.thread().tid();
      track.name = described.thread().thread_name();
    } else if (described.has_counter()) {
      track.kind = TrackKind::counter;
      known(described.counter());
    }
    require(track.uuid != 0 && !track.name.empty(), "describes a track without uuid or name");
    require(track.parent == 0 || tracks_.contains(track.parent), "describes a track whose parent is not described");
    require(tracks_.emplace(track.uuid, trace_.tracks.size()).second, "describes a track a second time");
    trace_.tracks.push_back(std::move(track));
    open_.emplace_back();
  }

  using Interned = std::unordered_map<std::uint64_t, NameId>;

  void learn(const perfetto::InternedData& data) {
    const auto learn_all = [&](const auto& all, Interned& ids) {
      for (const InternedName& one : all) {
        require(known(one).iid() != 0, "tells a name without number");
        require(ids.emplace(one.iid(), names_.of(one.name())).second, "tells the name of a number a second time");
      }
    };
    learn_all(data.event_categories(), categories_);
    learn_all(data.event_names(), events_);
    learn_all(data.debug_annotation_names(), arguments_);
  }

  static NameId find(const Interned& ids, std::uint64_t iid) {
    const auto found = ids.find(iid);
    require(found != ids.end(), "uses the number of a name that was not told");
    return found->second;
  }

  void event(const TrackEvent& told, bool needs) {
    const auto found = tracks_.find(told.track_uuid());
    require(found != tracks_.end(), "has an event of a track that is not described");
    const auto track = static_cast<std::uint32_t>(found->second);
    const bool counter = trace_.tracks[track].kind == TrackKind::counter;
    require(counter == (told.type() == TrackEvent::TYPE_COUNTER), "has an event of another kind than its track");
    require(told.has_counter_value() == counter, "has a sample without value, or a value and no sample");
    const bool says = told.type() == TrackEvent::TYPE_SLICE_BEGIN;
    require(says == needs, "is flagged as one that uses names and does not, or uses some and is not flagged");
    require(says || (told.category_iids().empty() && !told.has_name_iid() && told.debug_annotations().empty() &&
                     told.flow_ids().empty()),
            "says more than an end or a sample does");
    if (says) return begin(told, track);
    if (counter) {
      trace_.samples.push_back({track, time_, told.counter_value()});
      return;
    }
    require(told.type() == TrackEvent::TYPE_SLICE_END, "has an event of no known type");
    require(!open_[track].empty(), "ends a slice that has not begun");
    trace_.slices[open_[track].back()].end = time_;
    open_[track].pop_back();
  }

  void begin(const TrackEvent& told, std::uint32_t track) {
    require(told.category_iids_size() == 1 && told.has_name_iid(), "has an event without category or name");
    Slice slice;
    slice.track = track;
    slice.category = find(categories_, told.category_iids(0));
    slice.name = find(events_, told.name_iid());
    slice.begin = slice.end = time_;
    slice.depth = static_cast<std::uint32_t>(open_[track].size());
    for (const DebugAnnotation& note : told.debug_annotations()) slice.arguments.push_back(argument(known(note)));
    slice.flows.assign(told.flow_ids().begin(), told.flow_ids().end());
    open_[track].push_back(trace_.slices.size());
    trace_.slices.push_back(std::move(slice));
  }

  Argument argument(const DebugAnnotation& note) {
    require(note.has_uint_value() + note.has_pointer_value() + note.has_string_value() == 1,
            "has an argument without value, or with two");
    const NameId name = find(arguments_, note.name_iid());
    if (note.has_uint_value()) return {name, ArgumentKind::number, note.uint_value()};
    if (note.has_pointer_value()) return {name, ArgumentKind::address, note.pointer_value()};
    return {name, ArgumentKind::text, names_.of(note.string_value())};
  }

  std::string_view bytes_;
  Trace trace_;
  Names names_{trace_.names};
  std::unordered_map<std::uint64_t, std::size_t> tracks_;  // by uuid
  std::vector<std::vector<std::size_t>> open_;             // slices, by track
  Interned categories_, events_, arguments_;
  std::uint64_t time_ = 0;
  bool begun_ = false;
};

}  // namespace

Trace from_perfetto(std::string_view bytes) {
  constexpr std::size_t most = 0x7fffffff;  // that protobuf counts
  if (bytes.size() > most) throw InputError({}, "a trace of more than 2 GiB is not read", "choose a smaller window");
  return Reader(bytes).read();
}

}  // namespace reconverge::trace
