# What `cmake --install` lays down, so that a project of its own can say find_package(Reconverge):
#   bin/reconverge                the program, as Reconverge::program
#   bin/reconverge_contract       what divergence schemes are held to, as Reconverge::contract
#   bin/reconverge_block_generator  C++ from block files, for reconverge_blocks(...) of the package
#   lib/libreconverge_*.a         the libraries, as Reconverge::<name>
#   include/reconverge/           their headers, with the paths that the tree itself includes them by
#   lib/cmake/Reconverge/         the package
#   share/doc/Reconverge/         documents, by their places in the tree
#   share/reconverge/             platforms, experiments, block files and the kernels that they name; headers by which
#                                 `reconverge compile` has clang read CUDA C++ and OpenCL C
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(headers_dir ${CMAKE_INSTALL_INCLUDEDIR}/reconverge)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Reconverge)
set(data_dir ${CMAKE_INSTALL_DATADIR}/reconverge)

# Libraries that only tests and benchmarks use stay at home. The program holds megakernels against their twins.
get_property(libraries GLOBAL PROPERTY RECONVERGE_LIBRARIES)
set(installed_libraries)
set(exported_libraries)
foreach(library ${libraries})
  get_target_property(folder ${library} SOURCE_DIR)
  cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE folder)
  if(folder STREQUAL "testbenches/kernels" OR NOT folder MATCHES "^(tests|benchmarks|testbenches)(/|$)")
    list(APPEND installed_libraries ${library})
    get_target_property(exported_name ${library} EXPORT_NAME)
    list(APPEND exported_libraries Reconverge::${exported_name})
  endif()
endforeach()
install(TARGETS ${installed_libraries} EXPORT ReconvergeTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS reconverge reconverge_contract reconverge_block_generator EXPORT ReconvergeTargets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(EXPORT ReconvergeTargets NAMESPACE Reconverge:: DESTINATION ${package_dir})

install(DIRECTORY models scenes platforms DESTINATION ${headers_dir}
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h"
  PATTERN "block_generator" EXCLUDE
  PATTERN "platforms/compile/device" EXCLUDE  # for clang, with the data
  PATTERN "verilated*.hpp" EXCLUDE)  # for the build alone
install(DIRECTORY ${PROJECT_BINARY_DIR}/generated/ DESTINATION ${headers_dir}
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h"
  PATTERN "test_*" EXCLUDE)

install(DIRECTORY examples/own_kernel DESTINATION ${data_dir}/examples)
install(DIRECTORY yaml platforms/compile/device DESTINATION ${data_dir})
install(DIRECTORY testbenches/kernels DESTINATION ${data_dir}/testbenches
  FILES_MATCHING PATTERN "*.ptx")
install(FILES LICENSE CHANGELOG.md README.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
# Messages name these by their places in the tree, and they each other.
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR}
  FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.svg")
file(GLOB_RECURSE documents RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
  models/README.md platforms/README.md rtl/README.md scenes/README.md testbenches/README.md)
foreach(document ${documents})
  cmake_path(GET document PARENT_PATH folder)
  install(FILES ${document} DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder})
endforeach()
# Of the chart library that is in the program.
install(FILES platforms/page/uplot/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.uPlot)

configure_package_config_file(cmake/ReconvergeConfig.cmake.in ${PROJECT_BINARY_DIR}/ReconvergeConfig.cmake
  INSTALL_DESTINATION ${package_dir}
  PATH_VARS data_dir)
# Before 1.0 a minor version may change any interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ReconvergeConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/ReconvergeConfig.cmake
  ${PROJECT_BINARY_DIR}/ReconvergeConfigVersion.cmake
  cmake/blocks.cmake
  cmake/systemc.cmake
  DESTINATION ${package_dir})
