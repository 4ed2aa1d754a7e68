# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE_DIR=... -DBINARY_DIR=... -DCXX_COMPILER=... -DBUILD_TYPE=... -P check_plugin.cmake
# Environment: RECONVERGE_RANDOM_PROGRAMS says how many (200).
set(work ${BINARY_DIR}/plugin_test)
file(REMOVE_RECURSE ${work})
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

set(programs 200)
if(DEFINED ENV{RECONVERGE_RANDOM_PROGRAMS})
  set(programs $ENV{RECONVERGE_RANDOM_PROGRAMS})
endif()

run(${CMAKE_COMMAND} --install ${BINARY_DIR} --prefix ${work}/prefix)
# Copies of the installed examples, as the documents say, away from the source tree.
foreach(example dual_path ideal_mimd own_scheme)
  file(COPY ${work}/prefix/share/reconverge/examples/${example} DESTINATION ${work})
  run(${CMAKE_COMMAND} -S ${work}/${example} -B ${work}/build_${example} -G Ninja
    -DCMAKE_PREFIX_PATH=${work}/prefix -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_BUILD_TYPE=${BUILD_TYPE})
  run(${CMAKE_COMMAND} --build ${work}/build_${example})
  run(${CMAKE_CTEST_COMMAND} --test-dir ${work}/build_${example} --output-on-failure)
  expect("the plugin's own tests" "100% tests passed")
endforeach()
# The block in RTL, as the other examples, but without optimisation; its own tests run the contract.
find_program(verilator NAMES verilator)
if(verilator)
  file(COPY ${work}/prefix/share/reconverge/examples/own_block DESTINATION ${work})
  run(${CMAKE_COMMAND} -S ${work}/own_block -B ${work}/build_own_block -G Ninja
    -DCMAKE_PREFIX_PATH=${work}/prefix -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_BUILD_TYPE=Debug)
  run(${CMAKE_COMMAND} --build ${work}/build_own_block)
  run(${CMAKE_CTEST_COMMAND} --test-dir ${work}/build_own_block --output-on-failure)
  expect("the plugin's own tests" "100% tests passed")
  set(collatz run ${work}/prefix/share/reconverge/yaml/experiments/collatz.yaml --set gpu.sm.scheme=own_block)
  run(${work}/prefix/bin/reconverge ${collatz} --plugin ${work}/build_own_block/libown_block.so
    --out ${work}/report_of_own_block)
  expect_line_of(examples/own_block/README.md "    collatz +1,024[^\n]*")
  execute_process(
    COMMAND ${work}/prefix/bin/reconverge ${collatz} --plugin ${work}/build_own_block/libown_block_fault.so
      --out ${work}/report_of_own_block_fault
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 3)
    message(FATAL_ERROR "a run with the planted fault ended with ${status}:\n${output}")
  endif()
  expect_line_of(examples/own_block/README.md "    reconverge: error: own_block[^\n]*")
else()
  message(STATUS "no Verilator: examples/own_block is not tried")
endif()
set(plugin ${work}/build_dual_path/libdual_path.so)
set(machine ${work}/build_ideal_mimd/libideal_mimd.so)

run(${work}/prefix/bin/reconverge_contract --plugin ${plugin} --scheme dual_path --random ${programs})
expect("the contract suite" "[1-9][0-9]* passed, 0 failed")
run(${work}/prefix/bin/reconverge_contract --plugin ${machine} --machine ideal_mimd --random ${programs})
expect("the contract suite" "[1-9][0-9]* passed, 0 failed")

run(${work}/prefix/bin/reconverge run ${work}/prefix/share/reconverge/yaml/experiments/saxpy.yaml
  --plugin ${plugin} --set gpu.sm.scheme=dual_path --out ${work}/report)
expect("what the experiment gave" "values agree")
file(READ ${work}/report/report.json report)
if(NOT report MATCHES "\"dual_path\"")
  message(FATAL_ERROR "the report has no dual_path:\n${report}")
endif()

run(${work}/prefix/bin/reconverge run ${work}/prefix/share/reconverge/yaml/experiments/saxpy.yaml
  --plugin ${machine} --set machine=ideal_mimd --out ${work}/report_of_machine)
expect("what the experiment gave" "values agree")

# The runs of docs/tutorial.md, with the scheme as it is and with the change that follows there; clang compiles the kernel.
find_program(clang NAMES clang-14)
if(clang)
  set(own ${work}/prefix/share/reconverge/examples/own_scheme)
  run(${work}/prefix/bin/reconverge compile ${own}/steps.cu --compiler ${clang} --out ${own}/steps.ptx)
  file(READ ${SOURCE_DIR}/docs/tutorial.md tutorial)
  file(READ ${own}/own_scheme.cpp scheme)
  foreach(order "<" ">")
    string(REPLACE "path.pc < other.pc" "path.pc ${order} other.pc" changed "${scheme}")
    file(CONFIGURE OUTPUT ${work}/own_scheme/own_scheme.cpp CONTENT "${changed}" @ONLY)  # keeps a file that is the same
    run(${CMAKE_COMMAND} --build ${work}/build_own_scheme)
    run(${work}/prefix/bin/reconverge run ${own}/steps.yaml --plugin ${work}/build_own_scheme/libown_scheme.so
      --sweep gpu.sm.scheme=reconvergence_stack,own_scheme --out ${work}/report_of_own_scheme)
    string(REGEX MATCH "\nown_scheme +ok [^\n]*" line "${output}")
    string(FIND "${tutorial}" "${line}" at)
    if(NOT line OR at EQUAL -1)
      message(FATAL_ERROR "docs/tutorial.md does not show the line of own_scheme, or not in this place:\n${output}")
    endif()
    math(EXPR at "${at} + 1")
    string(SUBSTRING "${tutorial}" ${at} -1 tutorial)
  endforeach()
endif()
