# What scripts/prove proves of dynamic warp formation, and how.
size_names="lines, parts, FIFO, lanes, address bits"
size_parameters=(Lines Regions Fifo Lanes PcWidth)
size_pattern='[0-9]+ [0-9]+ [0-9]+ (2|4|8|16|32) [0-9]+'
size_note=", lanes being a power of two up to 32"
fixed_parameters=()
smallest="2 4 2 4 2"
sizes=("$smallest" "4 10 3 8 4")
own_size="8 20 5 16 8"  # the largest of all four; adder and lines are proved at the block's own, 64 54 64 32 16, too

# The adder and the choice of a partial warp have no state. The proof `entries` omits them, and assumes the properties that are
# proved of them and of the lines.
proofs=(adder partial lines entries)
how=([adder]=bdds [partial]=frames [lines]=induction [entries]=induction)
top_of=([adder]=thread_address_adder [partial]=lowest_partial)
to_prove=(
  [adder]="thread_address_adder"
  [partial]="lowest_partial"
  [lines]="spawn_lut"
  [entries]="dynamic_microkernel"
)
at_least=([adder]=5 [partial]=5 [lines]=5 [entries]=10)
left_out=(
  [lines]="i_adder i_partial i_pool i_fifo"
  [entries]="i_adder i_partial"
)

wrong_properties=(
  "adder: all threads go to the first part"
  "partial: every partial warp leaves"
  "lines: a second line is never used"
  "entries: nothing goes on in the second part"
  "entries: no warp enters the FIFO as another leaves"
)
properties=(
  [adder]="addresses of a spawn are unique, in order"
  [partial]="the partial warp of the lowest address leaves"
  [lines]="a micro-kernel has one line"
  [entries]="addresses handed out are unique
the counter never passes a warp
no thread is dropped at the second address
a full warp is announced exactly once"
)
