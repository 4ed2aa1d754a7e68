# SPDX-License-Identifier: Apache-2.0
# cmake -D FOLDER=yaml/scenes -D FILES=<a;b> -D OUTPUT=<file.cpp> -P embed_texts.cmake
# Writes the built-in scene descriptions as a C++ source: name, file and text of each.
set(rows)
foreach(file ${FILES})
  cmake_path(GET file STEM name)
  file(READ ${file} text)
  string(APPEND rows "    {\"${name}\", \"${FOLDER}/${name}.yaml\", R\"yaml(${text})yaml\"},\n")
endforeach()
list(LENGTH FILES count)
file(WRITE ${OUTPUT} "// Made from ${FOLDER} by cmake/embed_texts.cmake.
#include <array>

#include \"scenes/generators/scene_description.hpp\"

namespace reconverge::scenes {

namespace {

constexpr std::array<BuiltInDescription, ${count}> descriptions{{
${rows}}};

}  // namespace

std::span<const BuiltInDescription> built_in_descriptions() { return descriptions; }

}  // namespace reconverge::scenes
")
