# fish completion of reconverge, installed as share/fish/vendor_completions.d/reconverge.fish.
# SPDX-License-Identifier: Apache-2.0
# `reconverge complete` knows what can follow; this passes on the words before the cursor and what it prints.
function __reconverge_complete
    set -l words (commandline -opc)
    set -l begun (commandline -ct)
    set -l lines ($words[1] complete $words[2..] "$begun" 2>/dev/null)
    set -l option (string match -r -- '^--[^=]*=' $begun)
    set -l path (string replace -- "$option" '' $begun)
    switch "$lines[1]"
        case files
            printf "$option%s\n" (__fish_complete_path $path)
        case folders
            printf "$option%s\n" (__fish_complete_directories $path '')
    end
    printf '%s\n' $lines[2..]
end
complete -c reconverge -f -a '(__reconverge_complete)'
