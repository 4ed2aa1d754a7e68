# SPDX-License-Identifier: Apache-2.0
# The assertions tested: blocks with one fault each, which one assertion has to find; in code that compiles fast, as they run
# few cycles.
#
# assertions_test(<block> <parameter>=<value>...) makes the test program of a block, and wrong(<assertion> <file> <text>
# <instead>) then plants a fault in the block.
macro(assertions_test block)
  set(wrong_block ${block})
  set(wrong_parameters ${ARGN})
  reconverge_verilated_library(${block}_wrong STATIC)
  target_compile_options(${block}_wrong PRIVATE -O0)
  reconverge_test(${block}_assertions
    SOURCES ${block}_assertions_test.cpp
    LINKS Reconverge::${block}_twin ${block}_wrong
    LABELS cosim)
  set_target_properties(test_${block}_assertions PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)  # as in twin_tests.cmake
  target_compile_definitions(test_${block}_assertions PRIVATE
    ASSERTIONS="${PROJECT_SOURCE_DIR}/rtl/${block}/assertions/${block}_assertions.sv")
endmacro()
function(wrong assertion file text instead)
  set(block ${wrong_block})
  set(folder ${PROJECT_SOURCE_DIR}/rtl/${block})
  reconverge_rtl(sources ${block})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources})
  set(source ${folder}/${file}.sv)
  file(READ ${source} right)
  string(REPLACE "${text}" "${instead}" changed "${right}")
  if(changed STREQUAL right)
    message(FATAL_ERROR "tests/cosim: ${file}.sv no longer has '${text}', which the fault for ${assertion} replaces")
  endif()
  set(made ${CMAKE_CURRENT_BINARY_DIR}/${assertion}/${file}.sv)
  file(CONFIGURE OUTPUT ${made} CONTENT "${changed}" @ONLY)
  list(TRANSFORM sources REPLACE "^${source}$" ${made})
  reconverge_verilated(${block}_wrong CLASS V${assertion} TOP ${block}
    SOURCES ${sources} ${folder}/assertions/${block}_assertions.sv INCLUDE ${folder} PARAMETERS ${wrong_parameters}
    ARGS --assert -Wall -DRECONVERGE_STATE_PORTS --trace-depth 1)
endfunction()

assertions_test(dynamic_ray_shuffling Warps=4 Lanes=8)
wrong(bound_rows_stay dynamic_ray_shuffling "free = ~(bound | swapping)" "free = ~bound")
wrong(row_of_one_state dynamic_ray_shuffling "assign uniform = with_rays &" "assign uniform = with_rays | ")
wrong(one_answer dynamic_ray_shuffling "ControlRead: if (!report_reads) control_d = ControlAnswer" "ControlRead: control_d = ControlNone")
wrong(write_follows_read dynamic_ray_shuffling "report_reads ? report_row_q : control_reads" "choice_reads ? choice_row : report_reads ? report_row_q : control_reads")
wrong(as_many_lanes lane_match "expand(taken_moves_i, moving)" "expand(taken_moves_i, taken_places_i)")
wrong(words_stay swap_buffers "held_q[read_slot_q] <= words" "held_q[write_slot_q] <= words")
wrong(wants_until_it_is_done swap_buffers "? CountWidth'(2) : CountWidth'(1)" "? CountWidth'(2) : CountWidth'(3)")
wrong(ends_after_grants swap_buffers "ends_o = busy_q & written_q ==" "ends_o = busy_q & read_q ==")

assertions_test(dynamic_microkernel Lines=3 Regions=12 Fifo=2)
wrong(addresses_are_unique thread_address_adder "== '0 ? first_i : second_i" "== '1 ? second_i : first_i")
wrong(no_thread_is_dropped spawn_lut "<= sum[EntryWidth-1:0]" "<= completes_o ? '0 : sum[EntryWidth-1:0]")
wrong(part_of_one_owner partial_warp_pool "(takes[1] & second_o" "(takes[0] & second_o")
wrong(whole_warps_wait_once dynamic_microkernel ".push_i(commit && completes)" ".push_i(commit && completes && !pop_i)")
wrong(one_line spawn_lut "pc_q[i] <= pc_i" "pc_q[i] <= pc_i & ~PcWidth'(1)")
wrong(full_warp_is_whole new_warp_fifo "= region_q[head_q]" "= region_q[tail_q]")
wrong(partial_warp_is_all spawn_lut "{first_q[i], count_q[i]}" "{second_q[i], count_q[i]}")

assertions_test(subwarp_interleaving Warps=3 Entries=6)
wrong(stalled_for_its_results subwarp_wakeup "{&match, ^match}" "|match")
wrong(told_state_holds thread_status_table "(set_state_i & {3{set_i}})" "(set_state_i & {3{set_i & ~take_i}})")
wrong(one_subwarp_is_active subwarp_selection "take_i & offer_warp_o ==" "take_i & offer_warp_o !=")
wrong(lowest_warp_changes subwarp_selection "set_i(candidate)" "set_i(candidate | candidate >> 1)")
wrong(as_the_trigger_says subwarp_selection "stalled_count >= runs_count" "stalled_count > runs_count")
wrong(ready_entries_get_a_turn subwarp_selection "set_i(~take_peers_i)" "set_i(take_peers_i)")

assertions_test(benes_network NumPorts=8 DataWidth=8 RegisterEvery=2)
wrong(records_are_packed benes_network ": active_i;" ": active_i | taken_i;")
wrong(order_is_kept benes_network "data_in = data_i" "data_in = unpacks ? data_i : data_i << DataWidth")
wrong(records_return benes_network "Before = stage < Levels" "Before = stage < Levels - 1")
wrong(bank_is_kept benes_network "bank_o = gen" "bank_o = {NumPorts{unpacks}} | gen")
wrong(ports_are_read benes_network "& {NumPorts{second_enters}};" ";")
wrong(two_clocks_at_most benes_network "~conflicts | second_q" "~conflicts | (second_q & ~first_i[0])")
wrong(stripes_go_on benes_network ".next_first_o, .next_second_o" ".next_first_o(next_second_o), .next_second_o(next_first_o)")
wrong(whole_groups_split_at_once benes_control "(gap) + 1'b1 <" "(gap) <")
