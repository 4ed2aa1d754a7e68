# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE_DIR=... -DBINARY_DIR=... -DCXX_COMPILER=... -DVERSION=... -P check_install.cmake
set(work ${BINARY_DIR}/install_test)
file(REMOVE_RECURSE ${work})

include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

# Installed to one place and moved to another: a package must be relocatable.
run(${CMAKE_COMMAND} --install ${BINARY_DIR} --prefix ${work}/first)
file(RENAME ${work}/first ${work}/prefix)

file(GLOB package_files ${work}/prefix/lib*/cmake/Reconverge/*.cmake ${work}/prefix/lib*/*/cmake/Reconverge/*.cmake)
if(NOT package_files)
  message(FATAL_ERROR "no package files were installed")
endif()
foreach(file ${package_files})
  file(READ ${file} text)
  foreach(folder ${SOURCE_DIR} ${BINARY_DIR})
    string(FIND "${text}" "${folder}/" position)
    if(NOT position EQUAL -1)
      message(FATAL_ERROR "${file} names the build machine's ${folder}")
    endif()
  endforeach()
endforeach()

# Headers of the tree that an installed header includes are installed too.
set(include_root ${work}/prefix/include/reconverge)
file(GLOB_RECURSE headers ${include_root}/*.hpp ${include_root}/*.h)
if(NOT headers)
  message(FATAL_ERROR "no headers were installed")
endif()
foreach(header ${headers})
  file(STRINGS ${header} includes REGEX "^ *# *include *\"")
  foreach(include ${includes})
    string(REGEX REPLACE "^[^\"]*\"([^\"]*)\".*" "\\1" included "${include}")
    cmake_path(GET header PARENT_PATH folder)
    if(NOT EXISTS ${include_root}/${included} AND NOT EXISTS ${folder}/${included})
      message(FATAL_ERROR "${header} includes ${included}, which is not installed")
    endif()
  endforeach()
endforeach()

# Documents that messages and other documents name.
set(documents ${work}/prefix/share/doc/reconverge)
foreach(document README.md docs/launch.md docs/trace.md docs/report_page.png models/kernel/README.md testbenches/README.md)
  if(NOT EXISTS ${documents}/${document})
    message(FATAL_ERROR "${document} is not installed")
  endif()
endforeach()

# A Debug build: users' projects are not tested for speed.
run(${CMAKE_COMMAND} -S ${SOURCE_DIR}/tests/install/consumer -B ${work}/build -G Ninja
  -DCMAKE_PREFIX_PATH=${work}/prefix -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_BUILD_TYPE=Debug
  -DEXPECTED_VERSION=${VERSION})
run(${CMAKE_COMMAND} --build ${work}/build)

run(${work}/build/consumer ${SOURCE_DIR}/tests/install/consumer/input.yaml)
expect("what the consumer read" "capacity is 1536 bytes")
expect("what a typing error gives" "input.yaml:2:8: [^\n]*KiB")

run(${work}/build/saxpy ${work}/prefix/share/reconverge)
expect("what the launch gave" "y\\[999\\] is 3 after [1-9][0-9]* cycles")

# A simulation with the GPU, and with a module that is always active.
run(${CMAKE_COMMAND} -S ${work}/prefix/share/reconverge/examples/sc_main -B ${work}/simulation -G Ninja
  -DCMAKE_PREFIX_PATH=${work}/prefix -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_BUILD_TYPE=Debug)
run(${CMAKE_COMMAND} --build ${work}/simulation)
run(${work}/simulation/simulation ${work}/prefix/share/reconverge)
expect_line_of(examples/sc_main/README.md "    y\\[999\\][^\n]*")
expect_line_of(examples/sc_main/README.md "    the timer [^\n]*")

# A GPU whose memory is outside, in both styles.
run(${CMAKE_COMMAND} -S ${work}/prefix/share/reconverge/examples/own_memory -B ${work}/own_memory -G Ninja
  -DCMAKE_PREFIX_PATH=${work}/prefix -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_BUILD_TYPE=Debug)
run(${CMAKE_COMMAND} --build ${work}/own_memory)
foreach(style at lt)
  run(${work}/own_memory/own_memory ${work}/prefix/share/reconverge ${style})
  expect("what the GPU with ${style} memory computed" "y\\[99999\\] is 3 after [1-9][0-9]* reads")
  if(style STREQUAL at)
    expect_line_of(examples/own_memory/README.md "    y\\[99999\\][^\n]*")
  endif()
endforeach()

# A C program with the library for C, as its README says; and the Python package of the installation.
find_program(pkg_config pkg-config)
find_program(clang NAMES clang-14)
file(GLOB pkgconfig ${work}/prefix/lib*/pkgconfig ${work}/prefix/lib*/*/pkgconfig)
if(pkgconfig AND pkg_config AND clang)
  cmake_path(GET pkgconfig PARENT_PATH libraries)
  set(sources ${work}/prefix/share/reconverge/examples/c_interface)
  run(${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${pkgconfig} sh -c
    "cc -std=c99 -pedantic -Wall -Werror ${sources}/vector_sum.c $(${pkg_config} --cflags --libs reconverge) -o ${work}/vector_sum")
  run(${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${libraries} ${work}/vector_sum)
  expect_line_of(examples/c_interface/README.md "    sum\\[9999\\][^\n]*")
else()
  message(STATUS "no library for C, no pkg-config or no clang 14: examples/c_interface is not tried")
endif()
set(packages ${work}/prefix/lib/python3/dist-packages)
if(EXISTS ${packages}/reconverge AND clang)
  run(${CMAKE_COMMAND} -E env PYTHONPATH=${packages} PYTHONDONTWRITEBYTECODE=1
    /usr/bin/python3 ${work}/prefix/share/reconverge/examples/python/tutorial.py)
  expect_line_of(examples/python/README.md "   passed: [^\n]*")
else()
  message(STATUS "no Python package, or no clang 14: examples/python is not tried")
endif()

# The project of docs/building.md, literally.
file(READ ${SOURCE_DIR}/docs/building.md text)
string(REGEX MATCH "<!-- project -->\n(.*)<!-- end of project -->" found "${text}")
string(REPLACE "\n    " "\n" project "${CMAKE_MATCH_1}")
if(NOT project)
  message(FATAL_ERROR "docs/building.md shows no project")
endif()
file(COPY ${SOURCE_DIR}/tests/install/documented DESTINATION ${work})
file(WRITE ${work}/documented/CMakeLists.txt "${project}")
run(${CMAKE_COMMAND} -S ${work}/documented -B ${work}/documented/build -G Ninja
  -DCMAKE_PREFIX_PATH=${work}/prefix -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_BUILD_TYPE=Debug)
run(${CMAKE_COMMAND} --build ${work}/documented/build)
run(${work}/documented/build/my_program)
expect("what the documented project prints" "victim_cache, lru, 8 lines, 4 hits")

# The installed program and its data.
if(EXISTS ${BINARY_DIR}/platforms/reconverge)
  run(${work}/prefix/bin/reconverge --version)
  string(REPLACE "." "\\." version_pattern "${VERSION}")
  expect("the program's version" "${version_pattern}")
  file(GLOB kernels ${work}/prefix/share/reconverge/platforms/kernels/*.ptx)
  file(GLOB experiments ${work}/prefix/share/reconverge/yaml/experiments/*.yaml)
  if(NOT kernels OR NOT experiments)
    message(FATAL_ERROR "kernels or experiments are missing below share/reconverge")
  endif()
  run(${work}/prefix/bin/reconverge run ${work}/prefix/share/reconverge/yaml/experiments/collatz.yaml
    --out ${work}/report)
  expect("what the installed experiment gave" "values agree")
  set(own_platform ${work}/prefix/share/reconverge/examples/own_platform)
  run(${work}/prefix/bin/reconverge inspect platform ${own_platform}/small_gpu.yaml)
  expect_line_of(examples/own_platform/README.md "channel_0 to [^\n]*")
  run(${work}/prefix/bin/reconverge run ${own_platform}/collatz.yaml --out ${work}/report_of_own_platform)
  expect_line_of(examples/own_platform/README.md "    collatz: 2 launches[^\n]*")
  find_program(clang NAMES clang-14)
  if(clang)
    run(${work}/prefix/bin/reconverge compile ${work}/prefix/share/reconverge/examples/own_kernel/divisors.cu
      --compiler ${clang} --out ${work}/divisors.ptx)
    expect("what the installed program compiled" "divisors: 4 parameters")
  endif()
endif()
