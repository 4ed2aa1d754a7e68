# SPDX-License-Identifier: Apache-2.0
# For scripts that run programs of a build. run(command...) sets `output`, and stops the script if the command fails.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nended with ${status}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect what pattern)
  if(NOT output MATCHES "${pattern}")
    message(FATAL_ERROR "${what}: expected /${pattern}/, got:\n${output}")
  endif()
endfunction()

# expect_line_of(document pattern): `output` has the line of the document that has the pattern, four spaces before it.
function(expect_line_of document pattern)
  file(READ ${SOURCE_DIR}/${document} text)
  string(REGEX MATCH "${pattern}" shown "${text}")
  string(STRIP "${shown}" shown)
  string(FIND "${output}" "${shown}" position)
  if(shown STREQUAL "" OR position EQUAL -1)
    message(FATAL_ERROR "${document} shows '${shown}', the program prints:\n${output}")
  endif()
endfunction()
