# reconverge_blocks(name DIRECTORY yaml/blocks [NAMESPACE reconverge] [PREFIX blocks])
# makes reconverge_<name>, known as Reconverge::<name>, from every block file (*.yaml) of the folder:
# #include "<prefix>/<block>.hpp". A new block needs a new file and nothing else.
function(reconverge_blocks name)
  cmake_parse_arguments(ARG "" "DIRECTORY;NAMESPACE;PREFIX" "" ${ARGN})
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
endfunction()
