// SPDX-License-Identifier: Apache-2.0
/// Files in Perfetto's format. Written files can be read, and inconsistent files are rejected.

#include <catch2/catch.hpp>
#include <functional>
#include <random>

#include "models/core/error.hpp"
#include "perfetto.pb.h"
#include "platforms/trace/trace.hpp"

using namespace reconverge;
using namespace reconverge::trace;
using Catch::Contains;
using perfetto::TracePacket;

namespace {

/// Two warps of an SM with nested slices, an arrow from one to the other, and a counter.
Trace example() {
  Trace trace;
  Names names(trace.names);
  trace.tracks = {{10, 0, TrackKind::process, "SM 0", 1, 0},
                  {11, 10, TrackKind::thread, "warp slot 0", 1, 1},
                  {12, 10, TrackKind::thread, "warp slot 1", 1, 2},
                  {13, 10, TrackKind::counter, "instructions", 0, 0},
                  {14, 10, TrackKind::slices, "misses", 0, 0}};
  const NameId warp = names.of("warp"), instruction = names.of("instruction");
  const Argument pc{names.of("pc"), ArgumentKind::number, 7};
  const Argument line{names.of("line"), ArgumentKind::address, 0xff80};
  const Argument cause{names.of("cause"), ArgumentKind::text, names.of("memory")};
  trace.slices = {{1, warp, names.of("block 0"), 3, 9, 0, {}, {}},
                  {1, instruction, names.of("add"), 3, 3, 1, {pc}, {}},
                  {1, instruction, names.of("bra"), 3, 9, 1, {pc, cause}, {5}},
                  {1, instruction, names.of("note"), 4, 5, 2, {}, {}},
                  {2, warp, names.of("block 0"), 9, 9, 0, {}, {5}},
                  {4, names.of("memory"), names.of("miss"), 1, 100, 0, {line}, {}}};
  trace.samples = {{3, 0, 12}, {3, 100, -1}};
  return trace;
}

/// The contents of a slice, with names instead of their numbers.
std::string text_of(const Trace& trace, const Slice& slice) {
  std::string text = trace.tracks[slice.track].name + "/" + trace.name(slice.category) + "/" + trace.name(slice.name) +
                     " " + std::to_string(slice.begin) + "-" + std::to_string(slice.end) + " at " +
                     std::to_string(slice.depth);
  for (const Argument& argument : slice.arguments) {
    text += " " + trace.name(argument.name) + "=" +
            (argument.kind == ArgumentKind::text ? trace.name(static_cast<NameId>(argument.value))
                                                 : std::to_string(argument.value)) +
            (argument.kind == ArgumentKind::address ? "!" : "");
  }
  for (const std::uint64_t flow : slice.flows) text += " ->" + std::to_string(flow);
  return text;
}

std::vector<std::string> texts_of(const Trace& trace) {
  std::vector<std::string> texts;
  for (const Slice& slice : trace.slices) texts.push_back(text_of(trace, slice));
  std::ranges::sort(texts);
  return texts;
}

perfetto::Trace messages_of(const std::string& bytes) {
  perfetto::Trace messages;
  REQUIRE(messages.ParseFromString(bytes));
  return messages;
}

}  // namespace

TEST_CASE("a trace is read as it was written, and writing it again has the same bytes") {
  const Trace written = example();
  const std::string bytes = to_perfetto(written);
  CHECK(bytes == to_perfetto(example()));
  const Trace read = from_perfetto(bytes);
  CHECK(read.uuid == written.uuid);
  CHECK(read.tracks == written.tracks);
  CHECK(read.samples == written.samples);
  CHECK(texts_of(read) == texts_of(written));
  CHECK(texts_of(from_perfetto(to_perfetto(read))) == texts_of(written));
}

TEST_CASE("the bytes of a small trace have the field numbers of Perfetto") {
  Trace trace;
  Names names(trace.names);
  trace.uuid = {1, 2};
  trace.tracks = {{9, 0, TrackKind::slices, "t", 0, 0}};
  trace.slices = {{0, names.of("c"), names.of("s"), 5, 6, 0, {{names.of("n"), ArgumentKind::number, 3}}, {}}};
  const std::vector<int> expected{0x0a, 0x0e,                          // Trace.packet: 14 bytes
                                  0x50, 0x01,                          // trusted_packet_sequence_id 10
                                  0x68, 0x01,                          // sequence_flags 13: cleared
                                  0xb8, 0x05, 0x01,                    // first_packet_on_sequence 87
                                  0xca, 0x05, 0x04,                    // trace_uuid 89
                                  0x08, 0x01, 0x10, 0x02,              // msb 1, lsb 2
                                  0x0a, 0x0a,                          // Trace.packet: 10 bytes
                                  0x50, 0x01,                          // trusted_packet_sequence_id 10
                                  0xe2, 0x03, 0x05,                    // track_descriptor 60
                                  0x08, 0x09, 0x12, 0x01, 't',         // uuid 1, name 2
                                  0x0a, 0x2d,                          // Trace.packet: 45 bytes
                                  0x40, 0x05,                          // timestamp 8
                                  0x50, 0x01,                          // trusted_packet_sequence_id 10
                                  0x5a, 0x0e,                          // track_event 11
                                  0x18, 0x02,                          // category_iids 3
                                  0x22, 0x04, 0x08, 0x04, 0x18, 0x03,  // debug_annotations 4: name_iid 1, uint_value 3
                                  0x48, 0x01,                          // type 9: a slice begins
                                  0x50, 0x03,                          // name_iid 10
                                  0x58, 0x09,                          // track_uuid 11
                                  0x62, 0x15,                          // interned_data 12
                                  0x0a, 0x05, 0x08, 0x02, 0x12, 0x01, 'c',  // event_categories 1: iid 1, name 2
                                  0x12, 0x05, 0x08, 0x03, 0x12, 0x01, 's',  // event_names 2
                                  0x1a, 0x05, 0x08, 0x04, 0x12, 0x01, 'n',  // debug_annotation_names 3
                                  0x68, 0x02,                               // sequence_flags 13: needs state
                                  0x0a, 0x0a, 0x40, 0x06, 0x50, 0x01, 0x5a, 0x04, 0x48, 0x02, 0x58, 0x09};
  std::vector<int> bytes;
  for (const char byte : to_perfetto(trace)) bytes.push_back(static_cast<unsigned char>(byte));
  CHECK(bytes == expected);
  CHECK(to_perfetto(trace).find(file_mark) == 2);
}

TEST_CASE("the UUID of a run is the start of a digest") {
  CHECK(uuid_of("0123456789abcdef"
                "fedcba9876543210" +
                std::string(32, '0')) == TraceUuid{0x0123456789abcdef, 0xfedcba9876543210});
}

TEST_CASE("the message for an invalid trace has the packet and the error") {
  using Change = std::function<void(perfetto::Trace&)>;
  const std::string good = to_perfetto(example());
  perfetto::Trace messages = messages_of(good);
  const int packets = messages.packet_size();
  // The first packet that has an event of this type.
  const auto event_of = [&](perfetto::Trace& trace, perfetto::TrackEvent::Type type) {
    for (int i = 0; i < trace.packet_size(); ++i) {
      if (trace.packet(i).has_track_event() && trace.packet(i).track_event().type() == type)
        return trace.mutable_packet(i);
    }
    throw std::logic_error("no such event");
  };
  const auto begin_of = [&](perfetto::Trace& trace) { return event_of(trace, perfetto::TrackEvent::TYPE_SLICE_BEGIN); };
  const auto end_of = [&](perfetto::Trace& trace) { return event_of(trace, perfetto::TrackEvent::TYPE_SLICE_END); };
  const std::vector<std::pair<std::string, Change>> wrong{
      {"a field that Reconverge does not write",
       [&](auto& t) { begin_of(t)->mutable_unknown_fields()->append("\xf0\x07\x01"); }},
      {"a field that Reconverge does not write",
       [&](auto& t) { begin_of(t)->mutable_track_event()->mutable_unknown_fields()->append("\xf0\x07\x01"); }},
      {"a field that Reconverge does not write",
       [&](auto& t) {
         t.mutable_packet(1)->mutable_track_descriptor()->mutable_process()->mutable_unknown_fields()->append(
             "\xf0\x07\x01");
       }},
      {"not of sequence 1", [&](auto& t) { t.mutable_packet(2)->set_trusted_packet_sequence_id(2); }},
      {"first one and not flagged", [&](auto& t) { t.mutable_packet(0)->clear_first_packet_on_sequence(); }},
      {"first one and not flagged", [&](auto& t) { t.mutable_packet(0)->clear_sequence_flags(); }},
      {"flagged as the first one", [&](auto& t) { t.mutable_packet(3)->set_first_packet_on_sequence(true); }},
      {"tells the UUID of the trace", [&](auto& t) { t.mutable_packet(0)->clear_trace_uuid(); }},
      {"tells the UUID of the trace", [&](auto& t) { t.mutable_packet(3)->mutable_trace_uuid(); }},
      {"tells the UUID of the trace and says more", [&](auto& t) { t.mutable_packet(0)->set_timestamp(1); }},
      {"an event or describe a track", [&](auto& t) { t.mutable_packet(1)->clear_track_descriptor(); }},
      {"without time", [&](auto& t) { begin_of(t)->clear_timestamp(); }},
      {"before the last one", [&](auto& t) { t.mutable_packet(packets - 1)->set_timestamp(2); }},
      {"a track that is not described", [&](auto& t) { begin_of(t)->mutable_track_event()->set_track_uuid(99); }},
      {"parent is not described",
       [&](auto& t) { t.mutable_packet(2)->mutable_track_descriptor()->set_parent_uuid(99); }},
      {"a second time", [&](auto& t) { t.mutable_packet(3)->mutable_track_descriptor()->set_uuid(11); }},
      {"without uuid or name", [&](auto& t) { t.mutable_packet(4)->mutable_track_descriptor()->clear_name(); }},
      {"of two kinds",
       [&](auto& t) { t.mutable_packet(4)->mutable_track_descriptor()->mutable_process()->set_pid(3); }},
      {"another kind than its track", [&](auto& t) { begin_of(t)->mutable_track_event()->set_track_uuid(13); }},
      {"name that was not told", [&](auto& t) { begin_of(t)->mutable_track_event()->set_name_iid(77); }},
      {"name that was not told", [&](auto& t) { begin_of(t)->clear_interned_data(); }},
      {"not flagged", [&](auto& t) { begin_of(t)->clear_sequence_flags(); }},
      {"without category or name", [&](auto& t) { begin_of(t)->mutable_track_event()->clear_category_iids(); }},
      {"a value and no sample", [&](auto& t) { begin_of(t)->mutable_track_event()->set_counter_value(1); }},
      {"argument without value",
       [&](auto& t) { begin_of(t)->mutable_track_event()->mutable_debug_annotations(0)->clear_pointer_value(); }},
      {"has not begun",
       [&](auto& t) {
         *t.add_packet() = *end_of(t);
         t.mutable_packet(packets)->set_timestamp(500);
       }},
      {"does not end",
       [&](auto& t) {
         t.mutable_packet()->RemoveLast();
         t.mutable_packet()->RemoveLast();
       }},
      {"no packet", [&](auto& t) { t.clear_packet(); }},
  };
  for (const auto& [why, change] : wrong) {
    INFO(why);
    perfetto::Trace changed = messages;
    change(changed);
    CHECK_THROWS_WITH(from_perfetto(changed.SerializeAsString()), Contains(why));
  }
  CHECK_THROWS_WITH(from_perfetto("\x12\x00"), Contains("packet 1, at byte 0") && Contains("as packets do"));
  CHECK_THROWS_WITH(from_perfetto(good + "\x0a\x05"), Contains("beyond the end"));
}

TEST_CASE("no input crashes the reader") {
  const std::string good = to_perfetto(example());
  std::mt19937 random(1);
  unsigned taken = 0;
  const auto read = [&](const std::string& bytes) {
    try {
      from_perfetto(bytes);
      ++taken;
    } catch (const InputError&) {
      // An inconsistent file must be rejected.
    }
  };
  for (std::size_t size = 0; size < good.size(); ++size) read(good.substr(0, size));
  // The consistent prefixes are the UUID, the UUID with one to five tracks, and two prefixes in which all slices are
  // complete: up to the first sample, and up to the sample before the last.
  CHECK(taken == 1 + 5 + 2);
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = good;
    for (unsigned changes = 1 + random() % 3; changes > 0; --changes)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    read(bytes);
  }
  CHECK(taken > 100);  // for example if a character of a name or a value changes
}
