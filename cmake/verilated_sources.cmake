# SPDX-License-Identifier: Apache-2.0
# cmake -D MADE=<folder>/<class> -P verilated_sources.cmake
# Writes <class>_every_cycle.cpp and <class>_rarely.cpp, which include Verilator's output for a class. The number and
# names of Verilator's files are known only afterwards.
cmake_minimum_required(VERSION 3.25)
cmake_path(GET MADE PARENT_PATH folder)
file(GLOB sources ${folder}/*.cpp)
list(SORT sources)
set(every_cycle "")
set(rarely "")
foreach(source IN LISTS sources)
  cmake_path(GET source FILENAME name)
  if(name MATCHES "__Slow\\.cpp$|__Syms\\.cpp$")
    string(APPEND rarely "#include \"${name}\"\n")
  else()
    string(APPEND every_cycle "#include \"${name}\"\n")
  endif()
endforeach()
file(WRITE ${MADE}_every_cycle.cpp "${every_cycle}")
file(WRITE ${MADE}_rarely.cpp "${rarely}")
