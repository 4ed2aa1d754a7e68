// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A scoreboard that tracks the registers of each thread separately, for schemes that interleave several paths of a
/// warp or move threads between warps. A thread is identified by its home: its slot and lane in the register file,
/// regardless of the warp that it runs in.

#include <array>

#include "models/sm/scoreboard.hpp"

namespace reconverge {

class ThreadScoreboard : public Scoreboard {
 public:
  ThreadScoreboard(sc_core::sc_module_name name, std::size_t warp_slots);

  void begin(const ProgramImage& image) override;
  void clear(std::uint32_t slot, LaneMask lanes) override;

 protected:
  void b_transport(ScoreboardRequest& request, sc_core::sc_time& delay) override;
  void b_transport(ReadinessRequest& request, sc_core::sc_time& delay) override;
  void write(const ScoreboardRequest& request);
  /// The thread with this home must wait for the result before it ends.
  void note_load(std::size_t home, unsigned lane, const ScoreboardRequest& request) {
    loads_[home][lane].note(request.result, request.written_back);
  }
  /// The latest result that instruction `next` of a thread needs.
  std::uint64_t latest(std::size_t home, unsigned lane, const DecodedInstruction& next) const;
  /// The latest result that the next instruction of the request's path needs.
  std::uint64_t latest(const ScoreboardRequest& request);
  static bool moved(const ScoreboardRequest& request) { return request.homes != nullptr && request.homes->moved; }
  static std::size_t home_of(const ScoreboardRequest& request, unsigned lane) {
    return moved(request) ? request.homes->slot[lane] : request.slot;
  }

  std::size_t warp_slots() const { return warp_slots_; }
  const ProgramImage& image() const { return *image_; }

 private:
  using Row = std::array<std::uint64_t, warp_size>;
  /// Caches the latest word of a row and the lanes that have it, so that few requests need a search.
  struct Latest {
    std::uint64_t word = 0;
    LaneMask lanes = all_lanes;  // if empty, the word is only an upper bound
  };

  const Latest& latest_of_row(std::size_t row);

  std::size_t warp_slots_;
  const ProgramImage* image_ = nullptr;
  std::size_t tracked_ = 0;  // registers of a thread
  // By warp slot and register:
  std::vector<Row> ready_;  // for each lane
  std::vector<Latest> latest_;
  std::vector<std::array<OutstandingLoads, warp_size>> loads_;
};

}  // namespace reconverge
