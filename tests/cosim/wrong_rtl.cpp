/// The RTL of six swap buffers, offered as that of nine: linked in place of the list of what was built.

#include "VDrs.h"
#include "models/dynamic_ray_shuffling/twin/verilated_block.hpp"

namespace reconverge {

std::span<const RtlConfiguration> rtl_configurations() {
  static constexpr RtlConfiguration wrong{58, 1, 9, 17, make_verilated<VDrs, 58, 1, 6, 17>};
  return {&wrong, 1};
}

}  // namespace reconverge
