// SPDX-License-Identifier: Apache-2.0
#include "platforms/report/build_info.hpp"

#include "models/execution/operations/vector_units.hpp"

namespace reconverge::report {

BuildInfo build_info() {
  return {RECONVERGE_VERSION, RECONVERGE_RELEASE_DATE, RECONVERGE_COMPILER, RECONVERGE_BUILD_TYPE,
          name_of(host_vector_units())};
}

}  // namespace reconverge::report
