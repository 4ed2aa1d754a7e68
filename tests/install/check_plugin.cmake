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
foreach(example dual_path ideal_mimd)
  file(COPY ${work}/prefix/share/reconverge/examples/${example} DESTINATION ${work})
  run(${CMAKE_COMMAND} -S ${work}/${example} -B ${work}/build_${example} -G Ninja
    -DCMAKE_PREFIX_PATH=${work}/prefix -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_BUILD_TYPE=${BUILD_TYPE})
  run(${CMAKE_COMMAND} --build ${work}/build_${example})
  run(${CMAKE_CTEST_COMMAND} --test-dir ${work}/build_${example} --output-on-failure)
  expect("the plugin's own tests" "100% tests passed")
endforeach()
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
