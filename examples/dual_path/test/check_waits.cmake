# SPDX-License-Identifier: Apache-2.0
# cmake -DPROGRAM=... -DPLUGIN=... -DSCRATCH=... -P check_waits.cmake: how many times each kernel of sides.ptx waits for
# memory. One that waits n times, one after the other, takes 1000 n cycles longer where memory takes 1000 cycles longer.
set(longer 1000)

function(cycles_of_launches latency)
  execute_process(
    COMMAND ${PROGRAM} run ${CMAKE_CURRENT_LIST_DIR}/sides.yaml --quiet --out ${SCRATCH} --plugin ${PLUGIN}
            --set gpu.fixed_latency.latency=${latency} ${ARGN}
    COMMAND_ERROR_IS_FATAL ANY)
  file(READ ${SCRATCH}/report.json report)
  foreach(launch 0 1)
    string(JSON cycles GET "${report}" launches ${launch} figures cycles)
    list(APPEND all ${cycles})
  endforeach()
  set(cycles ${all} PARENT_SCOPE)
endfunction()

# expect_waits("waits of one_branch;waits of nested" options...)
function(expect_waits expected)
  cycles_of_launches(1000 ${ARGN})
  set(before ${cycles})
  math(EXPR latency "1000 + ${longer}")
  cycles_of_launches(${latency} ${ARGN})
  set(waits)
  foreach(one other IN ZIP_LISTS before cycles)
    math(EXPR more "${other} - ${one}")
    math(EXPR each "${more} / ${longer}")
    math(EXPR rest "${more} % ${longer}")
    list(APPEND waits ${each})
    if(NOT rest EQUAL 0)
      message(FATAL_ERROR "${ARGN}: ${more} cycles more are no whole number of waits")
    endif()
  endforeach()
  if(NOT waits STREQUAL expected)
    message(FATAL_ERROR "${ARGN}: ${waits} waits, ${expected} expected")
  endif()
endfunction()

# Loading the kernel's parameter is one wait. With the stack, each load is another.
expect_waits("3;7" --set gpu.sm.scheme=reconvergence_stack)
expect_waits("3;7" --set gpu.sm.scheme=dual_path --set gpu.sm.dual_path.paths=1)
# The sides of a branch wait together. Inner sides, each with a chain of two loads, do so before the outer one
# continues.
expect_waits("2;5" --set gpu.sm.scheme=dual_path)
