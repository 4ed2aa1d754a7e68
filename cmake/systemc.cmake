# SPDX-License-Identifier: Apache-2.0
# Reconverge::systemc, for the tree and for users of find_package(Reconverge).
#
# Debian's SystemC ships pkg-config files only and is built as C++17. SystemC encodes the C++ standard in the
# name of a symbol that every user must link, so C++20 code would not link. Its ABI changes only
# below C++17 (string_view), so the check is switched off, here and nowhere else.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET systemc)
if(SYSTEMC_VERSION VERSION_LESS 2.3.4)
  message(FATAL_ERROR "SystemC ${SYSTEMC_VERSION} found, 2.3.4 needed: apt-get install libsystemc-dev")
endif()
add_library(Reconverge::systemc INTERFACE IMPORTED)
target_link_libraries(Reconverge::systemc INTERFACE PkgConfig::SYSTEMC Threads::Threads)
target_compile_definitions(Reconverge::systemc INTERFACE SC_DISABLE_API_VERSION_CHECK)

include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_LIBRARIES Reconverge::systemc)
check_cxx_source_compiles("#include <systemc>
#include <tlm>
int sc_main(int, char**) { sc_core::sc_start(); return 0; }" RECONVERGE_SYSTEMC_LINKS)
unset(CMAKE_REQUIRED_LIBRARIES)
if(NOT RECONVERGE_SYSTEMC_LINKS)
  message(FATAL_ERROR "SystemC was found but a C++20 program does not link with it. "
                      "It must be a shared library built as C++17 or later (Debian: libsystemc-dev 2.3.4).")
endif()
