# SPDX-License-Identifier: Apache-2.0
# cmake -D "command=clang;..." -D made=<file> -D checked_in=<file> -P check_ptx.cmake
# Runs the command, which writes the file `made`, and fails unless that equals the checked-in file.
execute_process(COMMAND ${command} RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "clang could not compile the kernel: ${result}")
endif()
file(READ ${made} now)
file(READ ${checked_in} before)
if(NOT now STREQUAL before)
  message(FATAL_ERROR "${checked_in} is not what clang makes of the source now (${made}); "
                      "run cmake --build <build folder> --target kernels_ptx and look at the difference")
endif()
