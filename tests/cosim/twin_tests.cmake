# SPDX-License-Identifier: Apache-2.0
# reconverge_twin_tests(<block> MODELS "<class> [<parameter>=<value>...]"... MUTANTS <number> MUTANT "<class> <parameter>=<value>..."
#                       [SOURCES <file>...] [LINKS <library>...] [ARGS <argument of Verilator>...])
# makes the test programs of a twin:
# - test_<block>_rtl from <block>_test.cpp and SOURCES: the RTL with its assertions, a class of each of MODELS, in lock
#   step with the model;
# - test_<block>_platform from <block>_platform_test.cpp: the same in whole platforms;
# - test_<block>_mutants from <block>_mutants_test.cpp, with RECONVERGE_MUTANTS: yosys changes one gate of the block at a
#   time, as `mutsel` specifies, and lock step must detect it.
function(reconverge_twin_tests block)
  cmake_parse_arguments(ARG "" "MUTANTS;MUTANT" "SOURCES;LINKS;MODELS;ARGS" ${ARGN})
  reconverge_verilated_library(${block}_rtl STATIC)
  foreach(model IN LISTS ARG_MODELS)
    separate_arguments(parameters UNIX_COMMAND "${model}")
    list(POP_FRONT parameters class)
    reconverge_verilated_block(${block}_rtl ${block} ${class}
      SOURCES ${PROJECT_SOURCE_DIR}/rtl/${block}/assertions/${block}_assertions.sv
      PARAMETERS ${parameters} ARGS --assert -Wall -DRECONVERGE_STATE_PORTS ${ARG_ARGS})
  endforeach()
  reconverge_test(${block}_rtl
    SOURCES ${block}_test.cpp ${ARG_SOURCES}
    LINKS ${ARG_LINKS} Reconverge::${block}_twin Reconverge::${block}_coverage Reconverge::specification ${block}_rtl
    LABELS cosim)
  # Verilator's headers must come before SystemC's, which are in the precompiled header.
  set_target_properties(test_${block}_rtl PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)

  set(name ${block}_platform)
  reconverge_test(${name}
    SOURCES ${name}_test.cpp ${PROJECT_SOURCE_DIR}/tests/system/program.cpp
    LINKS Reconverge::${block}_twin Boost::json
    LABELS cosim)
  add_dependencies(test_${name} reconverge reconverge_with_wrong_rtl)
  target_compile_definitions(test_${name} PRIVATE
    RECONVERGE_PROGRAM="$<TARGET_FILE:reconverge>" RECONVERGE_WITH_WRONG_RTL="$<TARGET_FILE:reconverge_with_wrong_rtl>")

  if(RECONVERGE_MUTANTS)
    separate_arguments(parameters UNIX_COMMAND "${ARG_MUTANT}")
    twin_mutants(${block} ${ARG_MUTANTS} ${parameters})
  endif()
endfunction()

# twin_mutants(<block> <number> <class> <parameter>=<value>...)
function(twin_mutants BLOCK COUNT class)
  set(FOLDER ${PROJECT_SOURCE_DIR}/rtl/${BLOCK})
  set(MUTANTS ${CMAKE_CURRENT_BINARY_DIR}/${BLOCK}_mutants.sv)
  list(JOIN ARGN ", " SIZE)
  list(TRANSFORM ARGN REPLACE "(.*)=(.*)" "-set \\1 \\2" OUTPUT_VARIABLE SETTINGS)
  list(JOIN SETTINGS " " SETTINGS)
  reconverge_rtl(sources ${BLOCK})
  list(JOIN sources " " SOURCES)
  set(script_file ${CMAKE_CURRENT_BINARY_DIR}/${BLOCK}_mutants.ys)
  configure_file(mutants.ys.in ${script_file} @ONLY)
  # At configure time, because Verilator reads its sources then; again when the block changes.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources} mutants.ys.in)
  set(stamp ${MUTANTS}.stamp)
  file(READ ${script_file} script)
  foreach(source IN LISTS sources)
    file(SHA256 ${source} digest)
    string(APPEND script ${digest})
  endforeach()
  string(SHA256 wanted "${script}")
  set(made "")
  if(EXISTS ${stamp} AND EXISTS ${MUTANTS})
    file(READ ${stamp} made)
  endif()
  if(NOT made STREQUAL wanted)
    execute_process(COMMAND ${YOSYS} -q -s ${script_file} WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}
      OUTPUT_QUIET ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
    file(WRITE ${stamp} ${wanted})
  endif()
  reconverge_verilated_library(${BLOCK}_mutants STATIC)
  reconverge_verilated(${BLOCK}_mutants CLASS ${class} TOP ${BLOCK}_mutants
    SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/generated.vlt ${MUTANTS} ARGS --trace-depth 1)
  reconverge_test(${BLOCK}_mutants
    SOURCES ${BLOCK}_mutants_test.cpp
    LINKS Reconverge::${BLOCK}_twin ${BLOCK}_mutants fmt::fmt
    LABELS cosim
    TIMEOUT 900)
  set_target_properties(test_${BLOCK}_mutants PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)  # as above
  target_compile_definitions(test_${BLOCK}_mutants PRIVATE MUTANTS=${COUNT})
endfunction()
