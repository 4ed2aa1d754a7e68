#pragma once
/// Dynamic ray shuffling as a whole, cycle by cycle (Lü et al., MICRO 2017, section 3): what the block does at its
/// pins. Plain logic, no SystemC.
///
/// Within a cycle at most one warp executes rdctrl and at most one reports states; what they get and what units begin
/// depends on how the cycle began, whatever their order. `step` ends the cycle.

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "blocks/dynamic_ray_shuffling.hpp"
#include "models/dynamic_ray_shuffling/ray_rows.hpp"
#include "models/dynamic_ray_shuffling/shuffle_control.hpp"

namespace reconverge {

/// What rdctrl gets.
struct RayControl {
  enum class Answer : std::uint8_t {
    stall,  ///< no row for the warp yet: it asks again
    row,    ///< the warp is bound to `row`; each lane gets the state of its place
    exit    ///< no rays are left for it: all lanes get 0
  };
  Answer answer = Answer::stall;
  std::size_t row = 0;
  RayStates states;
};

/// Which of the accesses of the units were granted in a cycle.
struct RegisterGrants {
  std::array<bool, shuffle_units> read{};
  std::array<bool, shuffle_units> write{};
};

class RayShuffler {
 public:
  /// `warps`: that work at the same time; there are backup rows and two more. Every place but those of the two holds a
  /// ray that has to be fetched, and warp i begins with row i. `width`: lanes of a warp.
  /// Counts in `statistics`, or for itself.
  RayShuffler(const DynamicRayShufflingParameters& parameters, std::size_t warps, unsigned width = warp_size,
              DynamicRayShufflingStatistics* statistics = nullptr);
  RayShuffler(const RayShuffler&) = delete;
  RayShuffler& operator=(const RayShuffler&) = delete;

  /// Rows beyond one for each warp.
  static std::size_t extra_rows(const DynamicRayShufflingParameters& parameters) {
    return parameters.backup_rows + empty_rows;
  }
  /// Registers, of all lanes of a row together, that these hold.
  static std::uint64_t extra_registers(const DynamicRayShufflingParameters& parameters) {
    return extra_rows(parameters) * parameters.ray_registers * warp_size;
  }

  std::size_t rows() const { return table_.rows(); }
  const RayStateTable& table() const { return table_; }
  const WarpRenaming& renaming() const { return renaming_; }
  std::optional<std::size_t> row_of(std::size_t warp) const { return renaming_.row_of(warp); }

  /// What unit `i` is at.
  std::optional<RaySwap> swap(std::size_t unit) const {
    return buffers_[unit].busy() ? std::optional(buffers_[unit].swap()) : std::nullopt;
  }
  /// The row that unit `i` collects in or gives away from.
  std::optional<std::size_t> special_row(std::size_t unit) const {
    return control_.special_row(static_cast<ShuffleUnit>(unit));
  }

  /// A warp at rdctrl. One that stalled has released its row.
  RayControl control(std::size_t warp);
  /// `lanes` of the warp report their states; it has a row.
  void report(std::size_t warp, LaneMask lanes, const RayStates& states);

  /// What unit `i` wants of the register file in this cycle.
  std::optional<RegisterAccess> read(std::size_t unit) const { return buffers_[unit].read(); }
  std::optional<RegisterAccess> write(std::size_t unit) const { return buffers_[unit].write(); }
  /// Ends the cycle. The swaps that it completed: their rays are where they belong now.
  std::span<const RaySwap> step(const RegisterGrants& grants);
  /// The same, and moves what their registers hold.
  void step(const RegisterGrants& grants, RayRows& rows) {
    for (const RaySwap& swap : step(grants)) rows.exchange(swap);
  }

  /// Nothing changes until a warp comes.
  bool idle() const { return quiet_; }
  /// Whether a warp that has stalled would get an answer, as this cycle began.
  bool has_answer() const { return first_bindable().has_value() || !rays_unbound(); }

  const DynamicRayShufflingStatistics& statistics() const { return statistics_; }

 private:
  static constexpr std::size_t empty_rows = 2;

  /// The first row that a warp without one may take.
  std::optional<std::size_t> first_bindable() const;
  bool rays_unbound() const { return !(table_.with_rays() & ~renaming_.bound()).empty(); }
  void shuffle_at_once();
  /// Starts the units that can; returns whether any is at work.
  bool start_units();
  void complete(const RaySwap& swap);

  bool ideal_;
  RayStateTable table_;
  WarpRenaming renaming_;
  ShuffleControl control_;
  std::array<SwapBuffers, shuffle_units> buffers_;
  std::array<std::uint64_t, shuffle_units> cycles_{};  // that the swap of a unit has taken
  RowSet swapping_;                                    // rows that units work on
  std::vector<RaySwap> completed_;
  bool quiet_ = true;      // no unit is at work, and none will be before a warp comes
  bool draining_ = false;  // there are no more rays to fetch

  // What the warps of this cycle change at its end.
  struct Binding {
    std::size_t warp;
    std::optional<std::size_t> row;  // none: the warp's is released
  };
  struct Report {
    std::size_t row;
    LaneMask lanes;
    RayStates states;
  };
  std::optional<Binding> binding_;
  std::optional<Report> report_;

  DynamicRayShufflingStatistics own_statistics_;
  DynamicRayShufflingStatistics& statistics_;
};

}  // namespace reconverge
