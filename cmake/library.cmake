# SPDX-License-Identifier: Apache-2.0
# Precompiles the headers that most library sources include. Precompiled headers are valid only for equal options, so
# every user of them gets the definitions of SystemC and fmt.
function(reconverge_precompiled target)
  foreach(library Reconverge::systemc fmt::fmt)
    target_compile_definitions(${target} PRIVATE $<TARGET_PROPERTY:${library},INTERFACE_COMPILE_DEFINITIONS>)
  endforeach()
  # Without the times of the headers, which differ between clones, in the precompiled header, ccache can find it.
  target_compile_options(${target} PRIVATE "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
  target_precompile_headers(${target} ${ARGN})
endfunction()
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/generated/no_code.cpp CONTENT "\n")
set(little_optimised $<$<CONFIG:Release>:-O1> $<$<BOOL:${RECONVERGE_SANITIZE}>:-O0>)
foreach(headers reconverge_library_headers reconverge_little_headers)
  add_library(${headers} STATIC ${PROJECT_BINARY_DIR}/generated/no_code.cpp)
  target_link_libraries(${headers} PRIVATE reconverge_flags)
  reconverge_precompiled(${headers} PRIVATE ${PROJECT_SOURCE_DIR}/models/precompiled.hpp)
endforeach()
target_compile_options(reconverge_little_headers PRIVATE ${little_optimised})

# reconverge_compile_together(<target> <number>): compiles groups of <number> sources as one, which parses shared
# headers and templates only once. They must not define the same name in unnamed namespaces. RECONVERGE_TOGETHER=OFF
# compiles each separately, for incremental builds and tools.
function(reconverge_compile_together target number)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${RECONVERGE_TOGETHER} UNITY_BUILD_BATCH_SIZE ${number})
endfunction()

# reconverge_library(core SOURCES a.cpp ... LINKS ...) makes reconverge_core, known as Reconverge::core in the
# tree and after find_package(Reconverge). Includes are written from the top of the tree:
# #include "models/core/error.hpp".
#
# TOGETHER <number> compiles groups of <number> sources as one.
function(reconverge_library name)
  cmake_parse_arguments(ARG "" "TOGETHER" "SOURCES;LINKS" ${ARGN})
  set(target reconverge_${name})
  add_library(${target} STATIC ${ARG_SOURCES})
  add_library(Reconverge::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>
    $<INSTALL_INTERFACE:include/reconverge>)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:reconverge_flags> PUBLIC ${ARG_LINKS})
  reconverge_precompiled(${target} REUSE_FROM reconverge_library_headers)
  if(ARG_TOGETHER)
    reconverge_compile_together(${target} ${ARG_TOGETHER})
  endif()
  set_property(GLOBAL APPEND PROPERTY RECONVERGE_LIBRARIES ${target})
endfunction()

# reconverge_man_pages(<program> <component> <argument>...): linking the program also writes its man pages, which the
# component installs. The folder is the last argument of the program. The link fails if an option has no text.
set(RECONVERGE_MAN_DIR ${PROJECT_BINARY_DIR}/man)
function(reconverge_man_pages program component)
  set(folder ${RECONVERGE_MAN_DIR}/${component}/man1)
  add_custom_command(TARGET ${program} POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${folder}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${program} ${ARGN} ${folder}
    VERBATIM)
endfunction()

# reconverge_optimise_little(<target>...): for code that runs once a command, such as reading files and writing reports,
# and for code that only tests use. It compiles in two thirds of the time, and with sanitizers in half.
function(reconverge_optimise_little)
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE ${little_optimised})
    get_target_property(headers ${target} PRECOMPILE_HEADERS_REUSE_FROM)
    if(headers)
      set_target_properties(${target} PROPERTIES PRECOMPILE_HEADERS_REUSE_FROM reconverge_little_headers)
    endif()
  endforeach()
endfunction()
