# bash completion of reconverge, installed as share/bash-completion/completions/reconverge.
# SPDX-License-Identifier: Apache-2.0
# `reconverge complete` knows what can follow; this passes on the words before the cursor and what it prints.
_reconverge() {
  local i word kind line
  local -a words=() lines=() paths=()
  # Bash cuts words at = and :, which are put together again.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if ((${#words[@]} > 0)) && [[ $word == [=:]* || ${COMP_WORDS[i - 1]} == [=:]* ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
  done
  # What bash has cut off stays, so a candidate must not repeat it.
  local whole=${words[-1]} last=${COMP_WORDS[COMP_CWORD]}
  if [[ $last == [=:]* ]]; then last=""; fi
  local kept=${whole%"$last"}

  mapfile -t lines < <("${COMP_WORDS[0]/#\~/$HOME}" complete "${words[@]}" 2>/dev/null)
  COMPREPLY=()
  for line in "${lines[@]:1}"; do
    line=${line%%$'\t'*}
    COMPREPLY+=("${line#"$kept"}")
  done
  kind=${lines[0]-values}
  if [[ $kind != values ]]; then
    if [[ $whole == --*=* ]]; then whole=${whole#*=}; fi
    if [[ $kind == folders ]]; then
      mapfile -t paths < <(compgen -d -- "$whole")
    else
      mapfile -t paths < <(compgen -f -- "$whole")
    fi
    COMPREPLY+=("${paths[@]}")
    compopt -o filenames
  elif [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=.] ]]; then
    compopt -o nospace
  fi
}
complete -F _reconverge reconverge
