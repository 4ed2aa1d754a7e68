# SPDX-License-Identifier: Apache-2.0
# reconverge_test(name SOURCES a.cpp ... LINKS ... LABELS unit [TIMEOUT seconds])
# makes the Catch2 executable test_<name> and registers each of its test cases with ctest under the labels.
# Tests do not write to the user's cache, unless a test names a cache.
# The target tests_<label> builds all tests of a label.
find_package(Catch2 2.13 REQUIRED)
include(Catch)

# Catch2's implementation, compiled once for all tests, without optimisation, sanitizers or our warnings, so that it
# compiles in seconds.
add_library(reconverge_catch_main STATIC ${PROJECT_SOURCE_DIR}/tests/main.cpp)
target_link_libraries(reconverge_catch_main PUBLIC Catch2::Catch2)
target_compile_options(reconverge_catch_main PRIVATE -O0)
if(RECONVERGE_SANITIZE AND RECONVERGE_SANITIZERS MATCHES address)
  target_sources(reconverge_catch_main PRIVATE ${PROJECT_SOURCE_DIR}/tests/main_stack.cpp)
  target_link_options(reconverge_catch_main PUBLIC -Wl,--wrap=__asan_handle_no_return -Wl,-u,__wrap___asan_handle_no_return)
endif()

# Only sources that name the folder of the sources, also by one of these headers, have a macro for it. The commands for the others
# are the same in every clone of the tree, so that clones share the compiler's cache.
set(names_sources "RECONVERGE_SOURCE_DIR|scenes/scene_folder\\.hpp|system/(experiment_buffers|program|reports)\\.hpp|device/kernel_job\\.hpp")
function(reconverge_name_sources target)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    if(EXISTS ${source})
      file(STRINGS ${source} naming REGEX "${names_sources}" LIMIT_COUNT 1)
      if(naming)
        set_source_files_properties(${source} PROPERTIES COMPILE_DEFINITIONS RECONVERGE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
      endif()
    endif()
  endforeach()
endfunction()

# A test spends its time in the code that it tests, so its own code is optimised for debugging only, and not at all with
# sanitizers. There UBSan checks the libraries and not the tests, which would take half as long again to compile.
function(reconverge_compile_as_test target)
  reconverge_name_sources(${target})
  target_compile_definitions(${target} PRIVATE CATCH_CONFIG_FAST_COMPILE)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Og>)
  if(RECONVERGE_SANITIZE)
    target_compile_options(${target} PRIVATE -O0 -g0 -fno-sanitize=undefined)
  endif()
endfunction()

# A program without tests, whose precompiled headers all tests use. Parsing these headers took a third of the time.
add_executable(reconverge_test_headers ${PROJECT_BINARY_DIR}/generated/no_code.cpp)
target_link_libraries(reconverge_test_headers PRIVATE reconverge_catch_main reconverge_flags)
reconverge_precompiled(reconverge_test_headers PRIVATE ${PROJECT_SOURCE_DIR}/tests/precompiled.hpp)
reconverge_compile_as_test(reconverge_test_headers)

# In order of cost. A label without tests builds nothing.
foreach(label unit contract threads microbench random cosim system)
  add_custom_target(tests_${label})
endforeach()

function(reconverge_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LINKS;LABELS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 900)  # random programs with sanitizers, on a busy machine
  endif()
  add_executable(test_${name} ${ARG_SOURCES})
  target_link_libraries(test_${name} PRIVATE reconverge_catch_main reconverge_flags ${ARG_LINKS})
  reconverge_compile_as_test(test_${name})
  reconverge_precompiled(test_${name} REUSE_FROM reconverge_test_headers)
  # A name that ctest passes wrongly, for example one with a semicolon, selects no test; that is a failure.
  catch_discover_tests(test_${name} TEST_PREFIX "${name}: " EXTRA_ARGS -w NoTests
    PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT} ENVIRONMENT "RECONVERGE_CACHE=off")
  foreach(label ${ARG_LABELS})
    if(NOT TARGET tests_${label})
      message(FATAL_ERROR "test ${name}: ${label} is not a label; see cmake/testing.cmake")
    endif()
    add_dependencies(tests_${label} test_${name})
  endforeach()
endfunction()
