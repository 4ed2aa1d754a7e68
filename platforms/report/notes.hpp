// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Notes on how to read a run's figures, derived from its counters.

#include <string>
#include <vector>

#include "blocks/experiment.hpp"
#include "platforms/figures/measurement.hpp"

namespace reconverge::report {

struct Note {
  std::string about;  ///< the subject; a run has at most one note for each
  std::string text;   ///< sentences
};

/// `simd`: the meaning of SIMD efficiency if each lane issues by itself. `created_threads`: created threads have a high
/// cost. `sampling`: the figures are estimates. Only machines with SMs have notes.
std::vector<Note> notes(const ExperimentParameters& parameters, const Measurement& measurement);

}  // namespace reconverge::report
