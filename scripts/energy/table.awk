# SPDX-License-Identifier: Apache-2.0
# Reads events.txt and the energies of its windows; prints the table. Fits, by least squares with weights of 1 / length,
# the windows' energy above that of as many idle cycles to their events.
FILENAME ~ /events/ {
  cycles[++windows] = $2
  for (i = 1; i <= 5; i++) total[i] += events[windows, i] = $(i + 2)
  reads += $8
  kind[windows] = $9
  next
}
{ energy[FNR] = $1 * 1e12 }
function surplus(w) { return energy[w] - fitted[0] * cycles[w] }
function fit(   w, i, j, k, a, ratio, rest, square, sum, swap) {
  for (w = 1; w <= windows; w++) if (kind[w] == "idle") fitted[0] = energy[w] / cycles[w]
  for (w = 1; w <= windows; w++) {
    if (kind[w] != "work") continue
    work += cycles[w]
    mean += energy[w]
    for (i = 1; i <= 5; i++) {
      for (j = 1; j <= 5; j++) a[i, j] += events[w, i] * events[w, j] / cycles[w]
      a[i, 6] += events[w, i] * surplus(w) / cycles[w]
    }
  }
  mean /= work
  for (i = 1; i <= 5; i++) {
    for (k = 1; k <= 5; k++) {
      if (k == i) continue
      ratio = a[k, i] / a[i, i]
      for (j = i; j <= 6; j++) a[k, j] -= ratio * a[i, j]
    }
  }
  for (i = 1; i <= 5; i++) fitted[i] = a[i, 6] / a[i, i]
  for (w = 1; w <= windows; w++) {
    if (kind[w] != "work") continue
    rest = surplus(w)
    swap = events[w, 4] + events[w, 5] > 0
    sum[swap] += rest
    number[swap]++
    for (i = 1; i <= 5; i++) rest -= fitted[i] * events[w, i]
    square[swap] += rest * rest
  }
  for (swap = 0; swap < 2; swap++) residual[swap] = 100 * sqrt(square[swap] * number[swap]) / sum[swap]
}
function row(name, count, picojoules) {
  printf "| %s | %s | %.0f pJ | %.*f |\n", name, count, picojoules, picojoules / fitted[0] < 10, picojoules / fitted[0]
}
END {
  fit()
  accesses = 2 * reads / (total[4] + 2 * total[5])
  print "| event | number | energy | in idle cycles |"
  print "|---|--:|--:|--:|"
  row("idle cycle", "", fitted[0])
  split("rdctrl,report,choice without a swap,swap one way,swap both ways", names, ",")
  for (i = 1; i <= 5; i++) row(names[i], total[i], fitted[i])
  row(sprintf("each of the %d register accesses of a swap one way", accesses), 2 * reads, fitted[4] / accesses)
  row("cycle with the clock running, mean", work, mean)
  printf "\nMean power at a period of %.1f ns: %.0f mW.\n", period, mean / period
  printf "Root of the mean square error of the fit, of the mean energy above idle: %.1f %% of the %d windows with a swap, %.0f %% of the %d others.\n", \
    residual[1], number[1], residual[0], number[0]
}
