# SPDX-License-Identifier: Apache-2.0
# cmake -D BLOCK=<block> -D PORTS=<name> -D SOURCE=<block.sv> -D TEMPLATE=<replay.sv.in> -D OUTPUT=<file.hpp> -P rtl_pins.cmake
# Writes the ports of a block's RTL as a C++ struct, <name>RtlPins, with the testbench that replays golden vectors. By the
# conventions of rtl/, inputs end with _i and outputs with _o, the clock is clk_i and the reset rst_ni, and widths depend
# only on the module's parameters.
file(READ ${SOURCE} text)
string(REGEX REPLACE " *//[^\n]*" "" text "${text}")
if(NOT text MATCHES "module ${BLOCK} #\\(([^;]*)\n\\) \\(([^;]*)\n\\);")
  message(FATAL_ERROR "${SOURCE}: there is no module ${BLOCK} with parameters and ports in lines")
endif()
set(parameters "${CMAKE_MATCH_1}")
set(ports "${CMAKE_MATCH_2}")

set(PARAMETERS "")
set(SIZES "")
string(REGEX MATCHALL "(localparam|parameter) [^\n]*" parameters "${parameters}")
foreach(parameter IN LISTS parameters)
  string(REGEX REPLACE ",$" "" parameter "${parameter}")
  if(parameter MATCHES "^localparam")
    string(REPLACE "int unsigned" "int" parameter "${parameter}")  # as Icarus 11 reads it
    string(APPEND SIZES "  ${parameter};\n")
  elseif(parameter MATCHES "([A-Za-z]+) =")
    list(APPEND PARAMETERS ".${CMAKE_MATCH_1}(${CMAKE_MATCH_1})")
  endif()
endforeach()
list(JOIN PARAMETERS ", " PARAMETERS)

set(DECLARATIONS "")
set(CONNECTIONS "")
set(READS "")
set(DRIVES "")
set(CHECKS "")
set(members "")
set(names "")
set(count 0)
string(REGEX MATCHALL "(input|output) +logic[^\n]*" ports "${ports}")
foreach(port IN LISTS ports)
  if(NOT port MATCHES "logic +(\\[.*\\] +|)([a-z0-9_]+_(i|o)),?$" OR CMAKE_MATCH_2 STREQUAL "clk_i")
    continue()
  endif()
  set(range "${CMAKE_MATCH_1}")
  set(name ${CMAKE_MATCH_2})
  string(REGEX REPLACE " +$" " " range "${range}")
  string(APPEND CONNECTIONS ",\n    .${name}(${name})")
  if(port MATCHES "^input")
    string(APPEND DECLARATIONS "  reg ${range}${name} = 0, next_${name};\n")
    if(count EQUAL 0)
      set(FIRST next_${name})
    else()
      string(APPEND READS "      fields = $fscanf(file, \"%h\", next_${name});\n")
    endif()
    string(APPEND DRIVES "      ${name} = next_${name};\n")
  else()
    string(APPEND DECLARATIONS "  wire ${range}${name};\n  reg ${range}expected_${name}, valid_${name};\n")
    string(APPEND READS "      fields = $fscanf(file, \"%h\", expected_${name});\n      fields = $fscanf(file, \"%h\", valid_${name});\n")
    string(APPEND CHECKS "      if (((${name} ^ expected_${name}) & valid_${name}) !== 0) begin
        $display(\"cycle %0d: ${name} is %0h instead of %0h, of which bits %0h are valid\", cycle, ${name}, expected_${name}, valid_${name});
        differences = differences + 1;
      end\n")
  endif()
  string(APPEND members "  twin::NoPin ${name};\n")
  string(APPEND names "      \"${name}\",\n")
  math(EXPR count "${count} + 1")
endforeach()

if(NOT FIRST)
  message(FATAL_ERROR "${SOURCE}: the first port after clock and reset is to be an input")
endif()
file(READ ${TEMPLATE} testbench)
string(CONFIGURE "${testbench}" testbench @ONLY)
file(WRITE ${OUTPUT} "// Made from rtl/${BLOCK}/${BLOCK}.sv by cmake/rtl_pins.cmake.
#pragma once

#include <array>
#include <string_view>

#include \"models/cosim/twin/golden_vectors.hpp\"

namespace reconverge {

struct ${PORTS}RtlPins {
${members}
  static constexpr std::string_view block = \"${BLOCK}\";
  /// In the order of the fields of a line.
  static constexpr std::array<std::string_view, ${count}> names{
${names}  };
  static constexpr std::string_view testbench = R\"sv(${testbench})sv\";
};

}  // namespace reconverge
")
