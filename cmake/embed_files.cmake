# SPDX-License-Identifier: Apache-2.0
# cmake -D ROOT=<top of the tree> -D FILES=<a;b> -D OUTPUT=<file.cpp> -P embed_files.cmake
# Writes files of the tree as a C++ source: the path and the text of each.
set(rows "")
foreach(file ${FILES})
  file(READ ${ROOT}/${file} text)
  string(APPEND rows "    {\"${file}\", R\"file(${text})file\"sv},\n")
endforeach()
list(LENGTH FILES count)
file(WRITE ${OUTPUT} "// Made by cmake/embed_files.cmake.
#include <array>

#include \"platforms/specification/source_files.hpp\"

namespace reconverge::specification {

namespace {

// Literals with their length: clang refuses a constant whose text it would have to measure, at this size.
using namespace std::literals::string_view_literals;

constexpr std::array<SourceFile, ${count}> files{{
${rows}}};

}  // namespace

std::span<const SourceFile> source_files() { return files; }

}  // namespace reconverge::specification
")
