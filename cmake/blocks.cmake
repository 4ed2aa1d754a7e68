# SPDX-License-Identifier: Apache-2.0
# reconverge_blocks(target DIRECTORY folder [NAMESPACE reconverge] [PREFIX blocks] [USED_IN folder ...])
# adds C++ made from every block file (*.yaml) of the folder to the sources of the target:
# #include "<prefix>/<block>.hpp". A new block needs only a new file. The function is used in this tree and in projects
# that find the installed package, which choose their own namespace and prefix.
#
# With USED_IN the target check_<prefix>, a part of every full build, fails when no C++ file in those folders of the
# project reads a parameter or moves a statistic.
function(reconverge_blocks target)
  cmake_parse_arguments(ARG "" "DIRECTORY;NAMESPACE;PREFIX" "USED_IN" ${ARGN})
  if(NOT ARG_NAMESPACE)
    set(ARG_NAMESPACE reconverge)
  endif()
  if(NOT ARG_PREFIX)
    set(ARG_PREFIX blocks)
  endif()
  set(generator $<TARGET_FILE:Reconverge::block_generator>)
  file(GLOB files CONFIGURE_DEPENDS ${ARG_DIRECTORY}/*.yaml)
  if(NOT files)
    message(FATAL_ERROR "reconverge_blocks: there are no block files in ${ARG_DIRECTORY}")
  endif()
  set(generated ${PROJECT_BINARY_DIR}/generated)
  set(sources)
  foreach(file ${files} all_blocks.yaml)
    get_filename_component(block ${file} NAME_WLE)
    list(APPEND sources ${generated}/${ARG_PREFIX}/${block}.cpp ${generated}/${ARG_PREFIX}/${block}.hpp)
  endforeach()
  add_custom_command(
    OUTPUT ${sources}
    COMMAND ${generator} --blocks ${ARG_DIRECTORY} --generate ${generated}
            --namespace ${ARG_NAMESPACE} --prefix ${ARG_PREFIX}
    DEPENDS ${generator} ${files}
    COMMENT "Making C++ from ${ARG_DIRECTORY}"
    VERBATIM)
  target_sources(${target} PRIVATE ${sources})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${generated}>)

  if(ARG_USED_IN)
    set(stamp ${generated}/${ARG_PREFIX}/used)
    add_custom_command(
      OUTPUT ${stamp}
      COMMAND ${generator} --blocks ${ARG_DIRECTORY} --prefix ${ARG_PREFIX}
              --tree ${PROJECT_SOURCE_DIR} --used-in ${ARG_USED_IN} --stamp ${stamp}
      DEPENDS ${generator} ${files}
      DEPFILE ${stamp}.d
      COMMENT "Checking that code uses every parameter and statistic of ${ARG_DIRECTORY}"
      VERBATIM)
    add_custom_target(check_${ARG_PREFIX} ALL DEPENDS ${stamp})
  endif()
endfunction()
