# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` installs, in three components: `python` is in install_interfaces.cmake.
#
# The component `program`, all that the program needs; the target `reconverge` builds it:
#   bin/reconverge                the program, as Reconverge::program
#   lib/reconverge/               the library that CUDA programs run with
#   share/doc/reconverge/         documents, by their places in the tree; html/, the site, if the target `site` is built;
#                                 share/doc/Reconverge is a link to it
#   share/reconverge/             platforms, experiments, block files, the kernels that they name, and examples; headers
#                                 with which clang reads CUDA C++ and OpenCL C for `reconverge compile`; rtl/, the blocks
#                                 in SystemVerilog
#   share/man/man1/               a man page for each command
#   share/bash-completion/, share/zsh/, share/fish/  completions
# The component `development`, what find_package(Reconverge) needs in addition; the target `development` builds both:
#   bin/reconverge_contract       what divergence schemes are held to, as Reconverge::contract
#   lib/reconverge/reconverge_block_generator  C++ from block files, for reconverge_blocks(...) of the package
#   lib/libreconverge_*.a         the libraries, as Reconverge::<name>
#   include/reconverge/           their headers, with the paths that the tree itself includes them by
#   lib/cmake/Reconverge/         the package
if(NOT CMAKE_INSTALL_DOCDIR)
  set(CMAKE_INSTALL_DOCDIR share/doc/reconverge)  # CMake's default has the project's name, with a capital
endif()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(headers_dir ${CMAKE_INSTALL_INCLUDEDIR}/reconverge)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Reconverge)
set(data_dir ${CMAKE_INSTALL_DATADIR}/reconverge)

# Libraries that only tests, benchmarks, or the program and its library for CUDA programs use are not installed.
get_property(libraries GLOBAL PROPERTY RECONVERGE_LIBRARIES)
set(installed_libraries)
set(exported_libraries)
foreach(library ${libraries})
  get_target_property(folder ${library} SOURCE_DIR)
  cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE folder)
  if(NOT folder MATCHES "^(tests|benchmarks|testbenches|platforms/cuda)(/|$)")
    list(APPEND installed_libraries ${library})
    get_target_property(exported_name ${library} EXPORT_NAME)
    list(APPEND exported_libraries Reconverge::${exported_name})
  endif()
endforeach()
set(development_programs reconverge_contract reconverge_block_generator)
add_custom_target(development DEPENDS reconverge ${development_programs} ${installed_libraries})

# check_built(component build_target advice target...): installation of the component fails if one of the targets is not
# built. Rules run in the order of this file, so it fails before anything is written.
function(check_built component build_target advice)
  list(TRANSFORM ARGN REPLACE "(.+)" "  \"$<TARGET_FILE:\\1>\"\n" OUTPUT_VARIABLE files)
  list(JOIN files "" files)
  install(CODE "foreach(file IN ITEMS
${files})
  if(NOT EXISTS \${file})
    message(FATAL_ERROR \"Nothing is installed, as \${file} is not built. Build what is missing with
  cmake --build ${PROJECT_BINARY_DIR} --target ${build_target}\\n${advice}\")
  endif()
endforeach()" COMPONENT ${component})
endfunction()
set(programs reconverge)
if(TARGET reconverge_cuda_runtime)
  list(APPEND programs reconverge_cuda_runtime)
endif()
check_built(program reconverge "" ${programs})
check_built(development development
  "or install only the program, with\\n  cmake --install ${PROJECT_BINARY_DIR} --component program"
  ${development_programs} ${installed_libraries})
include(cmake/install_interfaces.cmake)

install(TARGETS reconverge EXPORT ReconvergeTargets RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
if(TARGET reconverge_cuda_runtime)
  install(TARGETS reconverge_cuda_runtime
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/reconverge COMPONENT program)
  get_target_property(names reconverge_cuda_runtime NAMES_OF_CUDA)
  install(FILES ${names} DESTINATION ${CMAKE_INSTALL_LIBDIR}/reconverge COMPONENT program)
endif()
install(TARGETS reconverge_contract EXPORT ReconvergeTargets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT development)
# Only the CMake package starts it.
install(TARGETS reconverge_block_generator EXPORT ReconvergeTargets
  RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR}/reconverge COMPONENT development)
install(TARGETS ${installed_libraries} EXPORT ReconvergeTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(EXPORT ReconvergeTargets NAMESPACE Reconverge:: DESTINATION ${package_dir} COMPONENT development)

install(DIRECTORY models scenes platforms DESTINATION ${headers_dir} COMPONENT development
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h"
  PATTERN "block_generator" EXCLUDE
  PATTERN "bench" EXCLUDE  # for tests
  PATTERN "platforms/compile/device" EXCLUDE  # for clang, with the data
  PATTERN "platforms/cuda" EXCLUDE  # of the program
  PATTERN "platforms/c_interface" EXCLUDE  # install_interfaces.cmake
  PATTERN "platforms/python" EXCLUDE  # likewise
  PATTERN "platforms/cli/exec" EXCLUDE  # likewise
  PATTERN "verilated*.hpp" EXCLUDE)  # only for the build
install(DIRECTORY ${PROJECT_BINARY_DIR}/generated/ DESTINATION ${headers_dir} COMPONENT development
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h"
  PATTERN "cosim" EXCLUDE
  PATTERN "test_*" EXCLUDE
  PATTERN "ideal_mimd" EXCLUDE)  # of an example that a test builds

install(DIRECTORY examples yaml platforms/compile/device DESTINATION ${data_dir} COMPONENT program
  PATTERN "build" EXCLUDE)  # of examples built in the tree
# A page of `reproduce` takes tables from these.
install(DIRECTORY docs/silicon DESTINATION ${data_dir}/docs COMPONENT program FILES_MATCHING PATTERN "*.json")
install(DIRECTORY platforms/kernels DESTINATION ${data_dir}/platforms COMPONENT program
  FILES_MATCHING PATTERN "*.ptx")
install(DIRECTORY rtl DESTINATION ${data_dir} COMPONENT program
  FILES_MATCHING PATTERN "*.sv" PATTERN "*.svh" PATTERN "*.sh" PATTERN "*.txt")
foreach(component program development)
  install(DIRECTORY ${RECONVERGE_MAN_DIR}/${component}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT ${component})
endforeach()
set(completions platforms/cli/completions)
install(FILES ${completions}/reconverge.bash COMPONENT program
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME reconverge)
install(FILES ${completions}/_reconverge COMPONENT program DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${completions}/reconverge.fish COMPONENT program
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES LICENSE CHANGELOG.md README.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
# The place of earlier versions. Debian wants the package's name, and a folder from before stays.
install(CODE "file(CREATE_LINK reconverge \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share/doc/Reconverge\" RESULT ignored SYMBOLIC)"
  COMPONENT program)
# Messages, and these documents themselves, refer to documents by their paths in the tree.
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program
  FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.svg"
  PATTERN "docs/site" EXCLUDE)  # the generator's configuration
file(GLOB_RECURSE documents RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
  examples/README.md models/README.md platforms/README.md rtl/README.md scenes/README.md testbenches/README.md)
foreach(document ${documents})
  cmake_path(GET document PARENT_PATH folder)
  install(FILES ${document} DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder} COMPONENT program)
endforeach()
# The site of these documents. The default build does not need its generator.
add_custom_target(site
  COMMAND ${PROJECT_SOURCE_DIR}/scripts/site --program $<TARGET_FILE:reconverge> --out ${PROJECT_BINARY_DIR}/site/html
  DEPENDS reconverge
  USES_TERMINAL VERBATIM)
install(DIRECTORY ${PROJECT_BINARY_DIR}/site/html DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program OPTIONAL)
# License of the chart library in the program.
install(FILES platforms/page/uplot/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program RENAME LICENSE.uPlot)

configure_package_config_file(cmake/ReconvergeConfig.cmake.in ${PROJECT_BINARY_DIR}/ReconvergeConfig.cmake
  INSTALL_DESTINATION ${package_dir}
  PATH_VARS data_dir)
# docs/stability.md: sources for a version compile with later ones of the same major version.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ReconvergeConfigVersion.cmake
  COMPATIBILITY SameMajorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/ReconvergeConfig.cmake
  ${PROJECT_BINARY_DIR}/ReconvergeConfigVersion.cmake
  cmake/blocks.cmake
  cmake/systemc.cmake
  DESTINATION ${package_dir} COMPONENT development)
