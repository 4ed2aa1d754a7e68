# SPDX-License-Identifier: Apache-2.0
# cmake -D SIZES=<sizes> -P sizes.cmake: prints them as parameters, as cmake/twin.cmake reads them.
include(${CMAKE_CURRENT_LIST_DIR}/../../../cmake/twin.cmake)
reconverge_sizes(parameters RECONVERGE_X "${SIZES}" "NumPorts=2|4|8|16" "RegisterEvery=0-11")
list(JOIN parameters " " parameters)
message("${parameters}")
