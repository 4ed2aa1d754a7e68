# SPDX-License-Identifier: Apache-2.0
# cmake -D PAGE=<page.html> -D STYLES=<a.css;b.css> [-D LIBRARY=<lib.js>] -D SCRIPTS=<a.js;b.js> -D FUNCTION=<name> -D OUTPUT=<file.cpp> -P embed_page.cmake
# Writes a page as a C++ source with a function that returns it: its markup with styles and scripts inlined, cut where title
# and data go.
# The scripts stand in one scope in the order given.
cmake_minimum_required(VERSION 3.25)

function(read_all variable)
  set(all)
  foreach(file ${ARGN})
    file(READ ${file} text)
    if(text MATCHES "</(script|style)" OR text MATCHES "\\)page\"")
      message(FATAL_ERROR "${file}: the text would end the element that it is put into")
    endif()
    string(APPEND all "${text}")
  endforeach()
  set(${variable} "${all}" PARENT_SCOPE)
endfunction()

read_all(style ${STYLES})
read_all(library ${LIBRARY})
read_all(script ${SCRIPTS})
file(READ ${PAGE} page)
string(REPLACE "@STYLE@" "${style}" page "${page}")
if(LIBRARY)
  string(REPLACE "@LIBRARY@" "${library}" page "${page}")
else()
  string(REPLACE "<script>\n@LIBRARY@\n</script>\n" "" page "${page}")
endif()
string(REPLACE "@SCRIPT@" "(() => {\n\"use strict\";\n${script}})();\n" page "${page}")
string(FIND "${page}" "@TITLE@" title)
string(FIND "${page}" "@DATA@" data)
math(EXPR after_title "${title} + 7")
math(EXPR middle "${data} - ${after_title}")
math(EXPR after_data "${data} + 6")
string(SUBSTRING "${page}" 0 ${title} first)
string(SUBSTRING "${page}" ${after_title} ${middle} second)
string(SUBSTRING "${page}" ${after_data} -1 third)

# literals(<variable> <text>): the text as a string in C++, of literals no longer than compilers have to take.
function(literals variable text)
  set(code "std::string()")
  string(LENGTH "${text}" left)
  while(left GREATER 0)
    set(part "${text}")
    if(left GREATER 60000)
      string(SUBSTRING "${text}" 0 60000 part)
      string(FIND "${part}" "\n" end REVERSE)
      if(end GREATER 0)
        string(SUBSTRING "${part}" 0 ${end} part)
      endif()
    endif()
    string(LENGTH "${part}" length)
    string(SUBSTRING "${text}" ${length} -1 text)
    string(LENGTH "${text}" left)
    string(APPEND code " +\n          R\"page(${part})page\"")
  endwhile()
  set(${variable} "${code}" PARENT_SCOPE)
endfunction()
literals(first "${first}")
literals(second "${second}")
literals(third "${third}")
file(WRITE ${OUTPUT} "// Made from platforms/page by cmake/embed_page.cmake.
#include \"platforms/page/template.hpp\"

namespace reconverge::page {

PageTemplate ${FUNCTION}() {
  return {${first},
          ${second},
          ${third}};
}

}  // namespace reconverge::page
")
