# reconverge_blocks(name DIRECTORY yaml/blocks [NAMESPACE reconverge] [PREFIX blocks] [USED_IN models ...])
# makes reconverge_<name>, known as Reconverge::<name>, from every block file (*.yaml) of the folder:
# #include "<prefix>/<block>.hpp". A new block needs a new file and nothing else.
#
# With USED_IN the target check_<name>, a part of every full build, fails when no C++ file in those folders reads a
# parameter or moves a statistic.
function(reconverge_blocks name)
  cmake_parse_arguments(ARG "" "DIRECTORY;NAMESPACE;PREFIX" "USED_IN" ${ARGN})
  if(NOT ARG_NAMESPACE)
    set(ARG_NAMESPACE reconverge)
  endif()
  if(NOT ARG_PREFIX)
    set(ARG_PREFIX blocks)
  endif()
  file(GLOB files CONFIGURE_DEPENDS ${ARG_DIRECTORY}/*.yaml)
  set(generated ${PROJECT_BINARY_DIR}/generated)
  set(sources)
  set(headers)
  foreach(file ${files} all_blocks.yaml)
    get_filename_component(block ${file} NAME_WLE)
    list(APPEND sources ${generated}/${ARG_PREFIX}/${block}.cpp)
    list(APPEND headers ${generated}/${ARG_PREFIX}/${block}.hpp)
  endforeach()
  add_custom_command(
    OUTPUT ${sources} ${headers}
    COMMAND reconverge_block_generator --blocks ${ARG_DIRECTORY} --generate ${generated}
            --namespace ${ARG_NAMESPACE} --prefix ${ARG_PREFIX}
    DEPENDS reconverge_block_generator ${files}
    COMMENT "Making C++ from ${ARG_DIRECTORY}"
    VERBATIM)
  reconverge_library(${name} SOURCES ${sources} ${headers} LINKS Reconverge::core)

  if(ARG_USED_IN)
    set(stamp ${generated}/${ARG_PREFIX}/used)
    add_custom_command(
      OUTPUT ${stamp}
      COMMAND reconverge_block_generator --blocks ${ARG_DIRECTORY} --prefix ${ARG_PREFIX}
              --tree ${PROJECT_SOURCE_DIR} --used-in ${ARG_USED_IN} --stamp ${stamp}
      DEPENDS reconverge_block_generator ${files}
      DEPFILE ${stamp}.d
      COMMENT "Checking that code uses every parameter and statistic of ${ARG_DIRECTORY}"
      VERBATIM)
    add_custom_target(check_${name} ALL DEPENDS ${stamp})
  endif()
endfunction()
