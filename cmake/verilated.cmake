# SPDX-License-Identifier: Apache-2.0
# RTL as C++ classes, which Verilator generates during the build, one job per class.
# RECONVERGE_HAS_RTL is off without Verilator and with sanitizers: sanitizing Verilator's functions of a megabyte would
# take the compiler hours.
find_package(verilator QUIET HINTS /usr/share/verilator)
set(RECONVERGE_HAS_RTL OFF)
if(verilator_FOUND AND NOT RECONVERGE_SANITIZE)
  set(RECONVERGE_HAS_RTL ON)
elseif(NOT verilator_FOUND)
  message(STATUS "Blocks have no RTL, as Verilator is missing: apt-get install verilator, and build again")
endif()

# reconverge_verilated_library(<target> STATIC|OBJECT [source...]) makes a library for such classes, in which a failing
# RTL assertion throws RtlAssertion. At -O3 the largest class takes the compiler twice as long.
function(reconverge_verilated_library name kind)
  file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp CONTENT "\n")  # CMake requires a source
  add_library(${name} ${kind} ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp ${ARGN})
  set_target_properties(${name} PROPERTIES SYSTEM ON)  # third-party headers
  target_compile_definitions(${name} PRIVATE
    VL_USER_STOP VM_COVERAGE=0 VM_SC=0 VM_TRACE=1 VM_TRACE_VCD=1 VM_TRACE_FST=0)
  target_include_directories(${name} PUBLIC ${VERILATOR_ROOT}/include)
  target_link_libraries(${name} PRIVATE reconverge_code Reconverge::twin)
  target_compile_options(${name} PRIVATE -O1)
  if(kind STREQUAL "STATIC")
    target_link_libraries(${name} PUBLIC Reconverge::verilated_runtime)
  endif()
endfunction()

# reconverge_verilated_part(<library> <objects> <source>) makes such classes, an object library, a part of another
# library, so that its users do not depend on Verilator. `source`, which CMake generates, includes their headers; they
# must come before SystemC's.
function(reconverge_verilated_part library objects source)
  set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/${source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  target_sources(${library} PRIVATE $<TARGET_OBJECTS:${objects}>)
  add_dependencies(${library} ${objects})  # for its headers
  target_link_libraries(${library} PUBLIC Reconverge::verilated_runtime)
  target_include_directories(${library} SYSTEM PRIVATE $<TARGET_PROPERTY:${objects},INTERFACE_INCLUDE_DIRECTORIES>)
endfunction()

# reconverge_verilated_block(<target> <block> <class> [SOURCES <file>...] [PARAMETERS <name>=<value>...]
#                            [ARGS <argument of Verilator>...])
# adds a configuration of rtl/<block> to such a library, with these sources in addition.
function(reconverge_verilated_block name block class)
  cmake_parse_arguments(ARG "" "" "SOURCES;PARAMETERS;ARGS" ${ARGN})
  reconverge_rtl(sources ${block})
  reconverge_verilated(${name} CLASS ${class} TOP ${block} SOURCES ${sources} ${ARG_SOURCES}
    INCLUDE ${PROJECT_SOURCE_DIR}/rtl/${block} PARAMETERS ${ARG_PARAMETERS} ARGS ${ARG_ARGS})
endfunction()

# reconverge_rtl(<variable> <block>): the sources of a block, and the sources that blocks share.
function(reconverge_rtl variable block)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/rtl/${block}/*.sv ${PROJECT_SOURCE_DIR}/rtl/common/*.sv)
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# reconverge_verilated(<target> CLASS <class> TOP <module> SOURCES <file>... [INCLUDE <folder>]
#                      [PARAMETERS <name>=<value>...] [ARGS <argument of Verilator>...])
# adds a configuration of a block to such a library: a class whose states and waveforms can be saved, and which starts
# in any state, as RTL does. Verilator makes many short files, whose headers take longest: the compiler gets two, of
# which only the one that runs every cycle is optimised.
function(reconverge_verilated name)
  cmake_parse_arguments(ARG "" "CLASS;TOP;INCLUDE" "SOURCES;PARAMETERS;ARGS" ${ARGN})
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name}/${ARG_CLASS})
  set(made ${folder}/${ARG_CLASS})
  set(included "")
  set(headers "")
  if(ARG_INCLUDE)
    set(included -y ${ARG_INCLUDE})
    file(GLOB headers CONFIGURE_DEPENDS ${ARG_INCLUDE}/*.svh)
  endif()
  list(TRANSFORM ARG_PARAMETERS PREPEND -G)
  set(script ${PROJECT_SOURCE_DIR}/cmake/verilated_sources.cmake)
  add_custom_command(
    OUTPUT ${made}.h ${made}_every_cycle.cpp ${made}_rarely.cpp
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${folder}
    COMMAND ${VERILATOR_BIN} --cc --trace -O3 --x-assign fast --x-initial fast --savable --prefix ${ARG_CLASS} --Mdir ${folder}
      --top ${ARG_TOP} ${included} ${ARG_ARGS} ${ARG_PARAMETERS} ${ARG_SOURCES}
    COMMAND ${CMAKE_COMMAND} -D MADE=${made} -P ${script}
    DEPENDS ${ARG_SOURCES} ${headers} ${VERILATOR_BIN} ${script}
    COMMENT "Verilating ${ARG_CLASS}"
    VERBATIM)
  target_sources(${name} PRIVATE ${made}_every_cycle.cpp ${made}_rarely.cpp)
  set_source_files_properties(${made}_rarely.cpp PROPERTIES COMPILE_OPTIONS -O0)
  target_include_directories(${name} PUBLIC ${folder})
endfunction()
