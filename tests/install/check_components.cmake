# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE_DIR=... -DBINARY_DIR=... -P check_components.cmake
# The component `program` needs only the target `reconverge`; an incomplete build installs nothing.
set(work ${BINARY_DIR}/components_test)
file(REMOVE_RECURSE ${work})
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

# The build's install script, changed so that it looks for `missing` under a name that no file has. Sets `script`.
function(script_without missing)
  file(READ ${BINARY_DIR}/cmake_install.cmake text)
  string(REPLACE "${BINARY_DIR}/${missing}\"" "${work}/not_built\"" changed "${text}")
  if(changed STREQUAL text)
    message(FATAL_ERROR "nothing is installed from ${missing}")
  endif()
  file(WRITE ${work}/cmake_install.cmake "${changed}")
  set(script ${work}/cmake_install.cmake PARENT_SCOPE)
endfunction()

script_without(testbenches/contract/reconverge_contract)
run(${CMAKE_COMMAND} -DCMAKE_INSTALL_PREFIX=${work}/prefix -DCMAKE_INSTALL_COMPONENT=program -P ${script})
run(${work}/prefix/bin/reconverge validate ${work}/prefix/share/reconverge/yaml/experiments/collatz.yaml)
foreach(file share/reconverge/examples/dual_path/CMakeLists.txt share/doc/reconverge/examples/dual_path/README.md)
  if(NOT EXISTS ${work}/prefix/${file})
    message(FATAL_ERROR "${file} is not installed with the program")
  endif()
endforeach()
file(GLOB development ${work}/prefix/lib*/*.a ${work}/prefix/lib*/cmake ${work}/prefix/include ${work}/prefix/bin/*_*)
if(development)
  message(FATAL_ERROR "installed with the program: ${development}")
endif()

# CUDA programs find headers and library in the installation, wherever it is moved.
find_program(clang clang-14)
file(GLOB library ${work}/prefix/lib*/reconverge/libreconverge_cuda.so)
if(clang AND library)
  file(RENAME ${work}/prefix ${work}/moved)
  run(${work}/moved/bin/reconverge build ${SOURCE_DIR}/examples/cuda/vector_sum.cu -o ${work}/vector_sum)
  run(${work}/moved/bin/reconverge exec --quiet --out ${work}/report ${work}/vector_sum)
  expect("what the program prints" "PASSED")
else()
  message(STATUS "no clang 14, or no library for CUDA programs: no CUDA program is tried")
endif()

# Sets `output`; stops the test if something was installed.
function(refused)
  execute_process(COMMAND ${CMAKE_COMMAND} -DCMAKE_INSTALL_PREFIX=${work}/nothing ${ARGN} -P ${script}
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(status EQUAL 0 OR EXISTS ${work}/nothing)
    message(FATAL_ERROR "a build that is not whole was installed (${status}):\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

refused()
expect("what is said" "not_built[ \n]+is[ \n]+not[ \n]+built.* --target development\n.* --component program")
refused(-DCMAKE_INSTALL_COMPONENT=development)
expect("what is said" "--target development")
script_without(platforms/reconverge)
refused(-DCMAKE_INSTALL_COMPONENT=program)
expect("what is said" "--target reconverge")
