# SPDX-License-Identifier: Apache-2.0
# Run by CPack on the files of the package before it packs them: gives them the names and forms of Debian's policy.
set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr)
set(documents ${root}/share/doc/${CPACK_PACKAGE_NAME})
if(NOT IS_DIRECTORY ${documents})
  message(FATAL_ERROR "the package has no ${documents}")
endif()
find_program(gzip gzip REQUIRED)
find_program(strip strip REQUIRED)
find_program(date date REQUIRED)

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# One file has all licences.
file(READ ${documents}/LICENSE.uPlot mit)
string(REGEX MATCH "Copyright \\(c\\) ([^\n]*)" ignored "${mit}")
set(uplot_copyright ${CMAKE_MATCH_1})
string(REGEX REPLACE "^.*\n\n(Permission)" "\\1" mit "${mit}")
string(STRIP "${mit}" mit)
string(REGEX REPLACE "\n\n" "\n.\n" mit "${mit}")
string(REPLACE "\n" "\n " mit "${mit}")
file(WRITE ${documents}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Reconverge

Files: *
Copyright: 2026 The Reconverge maintainers
License: Apache-2.0

Files: platforms/page/uplot/*
Copyright: ${uplot_copyright}
License: Expat
Comment: The program contains this chart library, for the pages of its reports.

License: Apache-2.0
 On Debian systems, the full text of the Apache License 2.0 is in
 /usr/share/common-licenses/Apache-2.0.

License: Expat
 ${mit}
")
file(REMOVE ${documents}/LICENSE ${documents}/LICENSE.uPlot)

# Changelogs: the program's, and the package's.
file(RENAME ${documents}/CHANGELOG.md ${documents}/changelog)
execute_process(COMMAND ${date} --utc --rfc-email --date ${CPACK_RECONVERGE_RELEASE_DATE}
  OUTPUT_VARIABLE release_date OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
file(WRITE ${documents}/changelog.Debian
"${CPACK_PACKAGE_NAME} (${CPACK_DEBIAN_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * New version; changelog.gz lists its changes.

 -- ${CPACK_PACKAGE_CONTACT}  ${release_date}
")
file(GLOB pages ${root}/share/man/man1/*.1)
run(${gzip} --best --no-name --force ${documents}/changelog ${documents}/changelog.Debian ${pages})

file(WRITE ${root}/share/lintian/overrides/${CPACK_PACKAGE_NAME}
"# Users build the package themselves, so its maintainers have no address that the world can reach.
${CPACK_PACKAGE_NAME}: bogus-mail-host *
${CPACK_PACKAGE_NAME}: bogus-mail-host-in-debian-changelog *
")

# Debian's zsh looks for completions of packages here.
file(MAKE_DIRECTORY ${root}/share/zsh/vendor-completions)
file(RENAME ${root}/share/zsh/site-functions/_reconverge ${root}/share/zsh/vendor-completions/_reconverge)
file(REMOVE_RECURSE ${root}/share/zsh/site-functions)

# Static libraries without debug information and without GCC's intermediate code, as debhelper strips them. Only
# programs of the tree use that code.
file(GLOB archives ${root}/lib/*.a)
foreach(archive ${archives})
  run(${strip} --strip-debug --enable-deterministic-archives --remove-section=.comment --remove-section=.note
    --remove-section=.gnu.lto_.* --remove-section=.gnu.debuglto_.* --strip-symbol=__gnu_lto_slim
    --strip-symbol=__gnu_lto_v1 ${archive})
endforeach()
