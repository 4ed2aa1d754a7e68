# What scripts/prove proves of a Benes network, and how.
size_names="ports, bits of a record, place"
size_parameters=(NumPorts DataWidth Place)
size_pattern='(2|4|8|16|32|64) [0-9]+ [0-9]+'
size_note=", ports being a power of two up to 64, and the place one lane and port of records, or 64 for all"
fixed_parameters=()
smallest="4 1 64"
sizes=("$smallest" "8 1 64")
own_size="8 4 64"  # records are proved of 16 ports, too, place by place

# Of networks without registers; `round_trip` has two of them.
proofs=(records round_trip)
how=([records]=induction [round_trip]=induction)
top_of=([round_trip]=round_trip)
to_prove=(
  [records]="benes_network"
  [round_trip]="round_trip"
)
at_least=([records]=11 [round_trip]=6)

wrong_properties=(
  "records: no record is for bank 1"
  "records: records are unpacked in one clock"
  "records: stripes that meet are enough for one clock"
  "round_trip: all records come back in each clock"
)
properties=(
  [records]="every record arrives exactly once, in order, without a gap
every record returns to its lane
a whole group splits in one clock where stripes meet, and they meet again"
  [round_trip]="unpacking is the inverse of packing and splitting"
)
