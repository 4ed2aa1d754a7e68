# RTL as classes of C++, which Verilator makes at configure time. Where there is no Verilator, verilator_FOUND is false.
find_package(verilator QUIET HINTS /usr/share/verilator)

# Verilator's code is not ours to sanitize, and its functions of a megabyte would take the compiler hours.
add_library(reconverge_unsanitized INTERFACE)
if(RECONVERGE_SANITIZE)
  target_compile_options(reconverge_unsanitized INTERFACE -fno-sanitize=all)
endif()

# reconverge_verilated_library(<target> STATIC|OBJECT) makes a library for such classes, in which an assertion of the RTL
# that fails throws RtlAssertion. Those of a STATIC one are compiled a class at a time: Verilator makes many short files, whose
# headers take longest.
function(reconverge_verilated_library name kind)
  add_library(${name} ${kind} ${PROJECT_SOURCE_DIR}/models/twin/verilated_stop.cpp)
  if(kind STREQUAL "STATIC")
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  endif()
  set_target_properties(${name} PROPERTIES SYSTEM ON)  # its headers are not ours
  target_compile_definitions(${name} PRIVATE VL_USER_STOP)
  target_link_libraries(${name} PRIVATE reconverge_code Reconverge::twin reconverge_unsanitized)
endfunction()

# reconverge_verilated_part(<library> <objects>) makes such classes, a library of objects, a part of another library, so that
# those who link it need not know of Verilator. What all classes share of Verilator is in one library of its own, or a
# program that links whole archives would have it twice.
function(reconverge_verilated_part library objects)
  set(shared "/verilated[a-z_]*\\.cpp\\.o$")
  if(NOT TARGET reconverge_verilated_runtime)
    reconverge_library(verilated_runtime SOURCES $<FILTER:$<TARGET_OBJECTS:${objects}>,INCLUDE,${shared}>
      LINKS Reconverge::twin $<$<CXX_COMPILER_ID:Clang>:atomic>)  # clang asks libatomic whether an atomic is free of locks
    set_target_properties(reconverge_verilated_runtime PROPERTIES LINKER_LANGUAGE CXX)
  endif()
  target_sources(${library} PRIVATE $<FILTER:$<TARGET_OBJECTS:${objects}>,EXCLUDE,${shared}>)
  target_link_libraries(${library} PUBLIC Reconverge::verilated_runtime)
  target_include_directories(${library} SYSTEM PRIVATE $<TARGET_PROPERTY:${objects},INTERFACE_INCLUDE_DIRECTORIES>)
endfunction()

# reconverge_rtl(<variable> <block>): the sources of a block, and those that blocks share.
function(reconverge_rtl variable block)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/rtl/${block}/*.sv ${PROJECT_SOURCE_DIR}/rtl/common/*.sv)
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# reconverge_verilated(<target> CLASS <class> TOP <module> SOURCES <file>... [INCLUDE <folder>]
#                      [PARAMETERS <name>=<value>...] [OPT_SLOW <option>] [ARGS <argument of Verilator>...])
# adds a configuration of a block to such a library: a class whose states and waveforms can be saved, and which starts
# in any state, as RTL does.
function(reconverge_verilated name)
  cmake_parse_arguments(ARG "" "CLASS;TOP;INCLUDE;OPT_SLOW" "SOURCES;PARAMETERS;ARGS" ${ARGN})
  set(more "")
  if(ARG_INCLUDE)
    list(APPEND more INCLUDE_DIRS ${ARG_INCLUDE})
  endif()
  if(ARG_OPT_SLOW)
    list(APPEND more OPT_SLOW ${ARG_OPT_SLOW})
  endif()
  list(TRANSFORM ARG_PARAMETERS PREPEND -G)
  verilate(${name} TRACE ${more}
    SOURCES ${ARG_SOURCES} TOP_MODULE ${ARG_TOP} PREFIX ${ARG_CLASS}
    VERILATOR_ARGS -O3 --x-assign fast --x-initial fast --savable ${ARG_ARGS} ${ARG_PARAMETERS})
  get_target_property(sources ${name} SOURCES)
  list(FILTER sources INCLUDE REGEX "/${ARG_CLASS}\\.dir/.*\\.cpp$")
  set_source_files_properties(${sources} PROPERTIES UNITY_GROUP ${ARG_CLASS})
endfunction()
