# SPDX-License-Identifier: Apache-2.0
# The interfaces for other languages:
#   component `development`: include/reconverge.h, lib/libreconverge.so*, lib/pkgconfig/reconverge.pc
#   component `python`:      lib/python3/dist-packages/reconverge, which also needs the component `program`
foreach(interface reconverge_c:development reconverge_python:python)
  string(REPLACE ":" ";" interface ${interface})
  list(POP_FRONT interface library)
  if(TARGET ${library})
    add_dependencies(development ${library})
    check_built(${interface} development
      "or install only the program, with\\n  cmake --install ${PROJECT_BINARY_DIR} --component program" ${library})
  endif()
endforeach()

if(TARGET reconverge_c)
  install(TARGETS reconverge_c LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
  install(FILES platforms/c_interface/reconverge.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
  # Paths from the file itself, so that the installation can be moved.
  foreach(kind LIB INCLUDE)
    cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_${kind}DIR
      BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig OUTPUT_VARIABLE ${kind}_from_pkgconfig)
  endforeach()
  configure_file(cmake/reconverge.pc.in ${PROJECT_BINARY_DIR}/reconverge.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/reconverge.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT development)
endif()
if(TARGET reconverge_python)
  get_target_property(package reconverge_python PACKAGE_FOLDER)
  install(TARGETS reconverge_python LIBRARY DESTINATION ${package} COMPONENT python)
  install(DIRECTORY platforms/python/reconverge/ DESTINATION ${package} COMPONENT python
    FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed"
    PATTERN "__pycache__" EXCLUDE)
endif()
