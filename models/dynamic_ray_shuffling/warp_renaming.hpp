#pragma once
/// Which row of rays each warp works on (Lü et al., MICRO 2017, section 3.2.3, Fig. 4b). A row is bound to one warp at
/// most. Plain logic, no SystemC.

#include <cstddef>
#include <optional>
#include <vector>

#include "models/dynamic_ray_shuffling/row_set.hpp"

namespace reconverge {

class WarpRenaming {
 public:
  explicit WarpRenaming(std::size_t warps) : row_of_(warps) {}

  std::size_t warps() const { return row_of_.size(); }
  std::optional<std::size_t> row_of(std::size_t warp) const { return row_of_[warp]; }
  const RowSet& bound() const { return bound_; }

  /// The row must be free; what the warp had is released.
  void bind(std::size_t warp, std::size_t row) {
    release(warp);
    row_of_[warp] = row;
    bound_.put(row, true);
  }
  void release(std::size_t warp) {
    if (!row_of_[warp]) return;
    bound_.put(*row_of_[warp], false);
    row_of_[warp].reset();
  }

 private:
  std::vector<std::optional<std::size_t>> row_of_;
  RowSet bound_;
};

}  // namespace reconverge
