# SPDX-License-Identifier: Apache-2.0
# Finds everything that the tree links to. All are Debian packages, which scripts/run installs.

find_package(Boost 1.81 REQUIRED COMPONENTS json)
find_package(yaml-cpp REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Protobuf REQUIRED)
find_package(OpenSSL 3 REQUIRED COMPONENTS Crypto)
find_package(embree 3 REQUIRED)
find_package(SQLite3 3.38 REQUIRED)
find_path(STB_INCLUDE_DIR stb/stb_image_write.h REQUIRED)
find_package(PkgConfig REQUIRED)
# Markdown to HTML, with tables; the module has the library of extensions, too.
pkg_check_modules(cmark_gfm REQUIRED IMPORTED_TARGET libcmark-gfm)
# They decompress the device code in executables of nvcc.
pkg_check_modules(lz4 REQUIRED IMPORTED_TARGET liblz4)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
include(cmake/systemc.cmake)

# Needed only with Verilator, whose waveform writer compresses.
find_package(ZLIB QUIET)

# Needed only for tests, which are not built without it.
find_path(MPFR_INCLUDE_DIR mpfr.h)
find_library(MPFR_LIBRARY mpfr)
find_library(GMP_LIBRARY gmp)
mark_as_advanced(MPFR_INCLUDE_DIR MPFR_LIBRARY GMP_LIBRARY)
set(MPFR_FOUND FALSE)
if(MPFR_INCLUDE_DIR AND MPFR_LIBRARY AND GMP_LIBRARY)
  set(MPFR_FOUND TRUE)
  add_library(MPFR::MPFR INTERFACE IMPORTED)
  set_target_properties(MPFR::MPFR PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES ${MPFR_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES "${MPFR_LIBRARY};${GMP_LIBRARY}")
endif()
