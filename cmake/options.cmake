# SPDX-License-Identifier: Apache-2.0
# Configure-time options for the user, and the flags of all targets of the tree.

option(RECONVERGE_TESTS "Build the tests" ON)
option(RECONVERGE_BENCHMARKS "Build the benchmarks" ON)
option(RECONVERGE_AVX2 "Use x86-64-v3 (AVX2, FMA, F16C, BMI); OFF gives a portable build with the same results" ON)
option(RECONVERGE_SANITIZE "Build with sanitizers" OFF)
set(RECONVERGE_SANITIZERS address,undefined CACHE STRING "The sanitizers: address,undefined or thread")
option(RECONVERGE_FUZZ "Build tests/fuzz for libFuzzer (clang only); without it they replay their corpora" OFF)
# Not in builds for tests of the code itself, which would compile the lanes twice.
set(can_avx512 OFF)
if(RECONVERGE_AVX2 AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug" AND
   NOT RECONVERGE_SANITIZE AND NOT RECONVERGE_FUZZ)
  set(can_avx512 ON)
endif()
option(RECONVERGE_AVX512 "Also compile the lanes for AVX-512, which hosts that have it use; the results are the same"
       ${can_avx512})
option(RECONVERGE_MUTANTS "Build the test of the lock step by mutants of the RTL, minutes; scripts/mutants does" OFF)
option(RECONVERGE_TOGETHER "Compile several sources as one where their library allows it; OFF for incremental builds" ON)
option(RECONVERGE_TIDY "Run clang-tidy with the compiler" OFF)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The cache identifies precompiled headers by what they include, and clones of the tree share the cache.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} ${CCACHE})
endif()

# Flags of all object code of the tree, including third-party sources that it compiles.
add_library(reconverge_code INTERFACE)
# PTX defines which multiply-adds are fused; the compiler must not fuse others.
target_compile_options(reconverge_code INTERFACE -ffp-contract=off)
# No program replaces single functions of ours at load time, so the compiler may inline them.
target_compile_options(reconverge_code INTERFACE -fno-semantic-interposition)
# GCC collects garbage less often: it compiles in nine tenths of the time, with a sixth more memory.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(reconverge_code INTERFACE --param=ggc-min-expand=300 --param=ggc-min-heapsize=1000000)
endif()
if(RECONVERGE_AVX2)
  target_compile_options(reconverge_code INTERFACE -march=x86-64-v3)
endif()
if(RECONVERGE_SANITIZE)
  target_compile_options(reconverge_code INTERFACE
    -fsanitize=${RECONVERGE_SANITIZERS} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(reconverge_code INTERFACE -fsanitize=${RECONVERGE_SANITIZERS})
  # Programs at a fixed address start in four fifths of the time: UBSan's tables need no relocation.
  target_link_options(reconverge_code INTERFACE $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
  # It links such programs in a fifth of the time.
  find_program(LLD NAMES ld.lld-14 ld.lld)
  if(LLD AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_link_options(reconverge_code INTERFACE -fuse-ld=lld)
  endif()
endif()
if(RECONVERGE_FUZZ)
  # Coverage counters only; only the fuzz targets link libFuzzer's main.
  target_compile_options(reconverge_code INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(reconverge_code INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Third-party code, which is not sanitized.
add_library(reconverge_unsanitized INTERFACE)
if(RECONVERGE_SANITIZE)
  target_compile_options(reconverge_unsanitized INTERFACE -fno-sanitize=all)
endif()

# Linked by every target of the tree, never installed: these flags, and warnings as errors.
add_library(reconverge_flags INTERFACE)
target_link_libraries(reconverge_flags INTERFACE reconverge_code)
target_compile_options(reconverge_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align -Wunused)
# With instrumentation, GCC wrongly warns about uninitialized variables in the standard library.
if(NOT RECONVERGE_SANITIZE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(reconverge_flags INTERFACE -Werror)
endif()
if(RECONVERGE_TIDY)
  find_program(CLANG_TIDY NAMES clang-tidy clang-tidy-14 REQUIRED)
  set(CMAKE_CXX_CLANG_TIDY ${CLANG_TIDY} --quiet)
endif()
