# SPDX-License-Identifier: Apache-2.0
# Twins: RTL of blocks, joined to their models.

# reconverge_twin(<block> PORTS <name> SOURCES <file>... LINKS <library>...
#                 OPTION <variable> HELP <text> CONFIGURATIONS <sizes>... SIZES <parameter>=<values>...
#                 [PARAMETERS <parameter>=<value>...] [ARGS <argument of Verilator>...])
# makes Reconverge::<block>_twin, which has the RTL in rtl/<block>. <name>Ports, in <name>_ports.hpp, describes its ports.
#
# A configuration is a list of numbers with commas between, one for each of SIZES: a parameter of the RTL, and the values
# that it may have, <least>-<most> or a regular expression. Verilator makes a class of each configuration in the cache
# variable OPTION, which is CONFIGURATIONS by default; without Verilator there is none, and platforms have the model only.
# <name>Ports::configurations() lists them.
function(reconverge_twin block)
  cmake_parse_arguments(ARG "" "PORTS;OPTION;HELP" "SOURCES;LINKS;CONFIGURATIONS;SIZES;PARAMETERS;ARGS" ${ARGN})
  set(${ARG_OPTION} "${ARG_CONFIGURATIONS}" CACHE STRING "${ARG_HELP}")
  set(configurations ${${ARG_OPTION}})
  if(NOT RECONVERGE_HAS_RTL)
    set(configurations "")
  endif()
  set(source ${block}_configurations.cpp)
  reconverge_library(${block}_twin
    SOURCES ${ARG_SOURCES} ${CMAKE_CURRENT_BINARY_DIR}/${source}
    LINKS ${ARG_LINKS} Reconverge::twin fmt::fmt)

  set(ports ${ARG_PORTS}Ports)
  string(TOLOWER ${ARG_PORTS}_ports.hpp header)
  set(includes "")
  set(rows "")
  if(configurations)
    set(includes "#include \"models/cosim/twin/verilated.hpp\"\n")
    reconverge_verilated_library(${block}_verilated OBJECT)
    reconverge_verilated_part(reconverge_${block}_twin ${block}_verilated ${source})
  endif()
  foreach(configuration IN LISTS configurations)
    reconverge_sizes(parameters "${ARG_OPTION}" "${configuration}" ${ARG_SIZES})
    string(REPLACE "," "_" class "V${ARG_PORTS}_${configuration}")
    reconverge_verilated_block(${block}_verilated ${block} ${class}
      PARAMETERS ${parameters} ${ARG_PARAMETERS} ARGS -Wall ${ARG_ARGS})
    string(APPEND includes "#include \"${class}.h\"\n")
    string(APPEND rows "      {{${configuration}}, twin::make_verilated<${ports}, ${class}, ${configuration}>},\n")
  endforeach()
  list(LENGTH configurations count)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/configurations.cpp.in ${source} @ONLY)
endfunction()

# reconverge_vectors(<block> PORTS <name>) makes Reconverge::<block>_vectors of vectors.cpp, which makes
# golden vectors of random traffic, and of the ports that the RTL has: "cosim/<block>_pins.hpp" has them and a testbench.
function(reconverge_vectors block)
  cmake_parse_arguments(ARG "" "PORTS" "" ${ARGN})
  set(made ${PROJECT_BINARY_DIR}/generated/cosim/${block}_pins.hpp)
  set(source ${PROJECT_SOURCE_DIR}/rtl/${block}/${block}.sv)
  set(template ${PROJECT_SOURCE_DIR}/cmake/replay.sv.in)
  set(script ${PROJECT_SOURCE_DIR}/cmake/rtl_pins.cmake)
  add_custom_command(
    OUTPUT ${made}
    COMMAND ${CMAKE_COMMAND} -D BLOCK=${block} -D PORTS=${ARG_PORTS} -D SOURCE=${source} -D TEMPLATE=${template}
      -D OUTPUT=${made} -P ${script}
    DEPENDS ${source} ${template} ${script}
    COMMENT "Reading the ports of ${block}"
    VERBATIM)
  reconverge_library(${block}_vectors SOURCES vectors.cpp ${made} LINKS Reconverge::${block}_twin)
endfunction()

# reconverge_sizes(<variable> <option> <configuration> <parameter>=<values>...): a configuration as <parameter>=<value>...
function(reconverge_sizes variable option configuration)
  string(REPLACE "," ";" sizes "${configuration}")
  list(LENGTH sizes given)
  list(LENGTH ARGN wanted)
  set(parameters "")
  set(wrong OFF)
  if(NOT given EQUAL wanted)
    set(wrong ON)
    set(sizes "")
  endif()
  foreach(size rule IN ZIP_LISTS sizes ARGN)
    if(NOT rule MATCHES "^([A-Za-z]+)=(.+)$")
      continue()
    endif()
    set(parameter ${CMAKE_MATCH_1})
    set(values ${CMAKE_MATCH_2})
    if(NOT size MATCHES "^[0-9]+$")
      set(wrong ON)
    elseif(values MATCHES "^([0-9]+)-([0-9]+)$")
      if(size LESS CMAKE_MATCH_1 OR size GREATER CMAKE_MATCH_2)
        set(wrong ON)
      endif()
    elseif(NOT size MATCHES "^(${values})$")
      set(wrong ON)
    endif()
    list(APPEND parameters ${parameter}=${size})
  endforeach()
  if(wrong)
    list(JOIN ARGN ", " rules)
    message(FATAL_ERROR "${option}: '${configuration}' does not have the form ${rules}, numbers with commas between")
  endif()
  set(${variable} ${parameters} PARENT_SCOPE)
endfunction()
