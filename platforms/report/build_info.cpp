// SPDX-License-Identifier: Apache-2.0
#include "platforms/report/build_info.hpp"

namespace reconverge::report {

BuildInfo build_info() {
  return {RECONVERGE_VERSION, RECONVERGE_COMPILER, RECONVERGE_BUILD_TYPE, RECONVERGE_INSTRUCTION_SET};
}

}  // namespace reconverge::report
