# SPDX-License-Identifier: Apache-2.0
# The package for Debian 12, of all that is installed; scripts/package builds it.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME reconverge)
# Users build the package themselves, so its maintainers have no address that the world can reach.
set(CPACK_PACKAGE_CONTACT "Reconverge developers <reconverge@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "cycle-level simulator of GPUs with SIMT divergence hardware")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# A prerelease is older than its release: 1.0.0~rc1 sorts before 1.0.0.
string(REPLACE - "~" CPACK_DEBIAN_PACKAGE_VERSION ${RECONVERGE_VERSION})
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION electronics)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Reconverge runs PTX kernels and CUDA programs on cycle-level SystemC models of
GPUs, described in YAML, under exchangeable divergence schemes. It traces
rays, reports figures and profiles, and has divergence blocks as
SystemVerilog in lock step with their models.
.
The package contains the program, its libraries with headers and a CMake
package, platforms, experiments, examples, RTL and documents.
.
It needs a processor with AVX2, FMA and BMI2 (x86-64-v3).")
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_THREADS 0)

set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)  # for shared libraries in lib
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/packaging/triggers)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${RECONVERGE_LIBRARY_FOLDER})
# In addition to the shared libraries: what ReconvergeConfig.cmake finds, and what the libraries link to.
set(CPACK_DEBIAN_PACKAGE_DEPENDS
  libboost1.81-dev libboost-json1.81-dev libcli11-dev libcmark-gfm-dev libcmark-gfm-extensions-dev libembree-dev
  libfmt-dev libprotobuf-dev libsqlite3-dev libssl-dev libstb-dev libsystemc-dev libyaml-cpp-dev pkg-config zlib1g-dev)
# To compile plugins, kernels and CUDA programs, and RTL of the user's own.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS clang-14 cmake g++ libclc-14 make python3 python3-numpy verilator)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS chromium graphviz gtkwave iverilog ninja-build python3-pandas slurm-client sqlite3 yosys)
foreach(relation DEPENDS RECOMMENDS SUGGESTS)
  list(JOIN CPACK_DEBIAN_PACKAGE_${relation} ", " CPACK_DEBIAN_PACKAGE_${relation})
endforeach()

# What Debian wants and other installations do not.
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/packaging/debian_files.cmake)
set(CPACK_RECONVERGE_SOURCE_DIR ${PROJECT_SOURCE_DIR})
set(CPACK_RECONVERGE_RELEASE_DATE ${RECONVERGE_RELEASE_DATE})
include(CPack)
