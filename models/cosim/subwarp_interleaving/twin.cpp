// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/subwarp_interleaving/twin.hpp"

#include "models/cosim/subwarp_interleaving/rtl_subwarp_scheduler.hpp"
#include "models/cosim/subwarp_interleaving/subwarp_pins.hpp"
#include "models/cosim/twin/compared.hpp"
#include "models/schemes/subwarp_interleaving/subwarp_scheduler.hpp"

namespace reconverge {

std::unique_ptr<SubwarpUnit> make_subwarp_unit(const char* name, std::uint32_t warps, unsigned entries,
                                               SelectTrigger trigger, SubwarpImplementation implementation) {
  using Compared = twin::Compared<SubwarpPorts>;
  switch (implementation) {
    case SubwarpImplementation::rtl:
      return std::make_unique<RtlSubwarpScheduler>(name, warps, entries, trigger);
    case SubwarpImplementation::lockstep:
      return std::make_unique<SubwarpPins<Compared>>(name, warps, entries, trigger, [warps, entries] {
        return std::make_unique<Compared>(twin::make_rtl<SubwarpPorts>({warps, entries}));
      });
    case SubwarpImplementation::model:
      break;
  }
  return std::make_unique<SubwarpScheduler>(name, warps, entries, trigger);
}

}  // namespace reconverge
