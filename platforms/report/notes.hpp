#pragma once
/// What a reader of a run's figures should know, found in its counters.

#include <string>
#include <vector>

#include "platforms/report/figures.hpp"

namespace reconverge::report {

struct Note {
  std::string about;  ///< at most one note of a run is about it
  std::string text;   ///< sentences
};

/// `simd`: what SIMD means where each lane issues by itself. `created_threads`: that the threads that others create
/// cost much. Only machines with warps and time have notes.
std::vector<Note> notes(const ExperimentParameters& parameters, const Measurement& measurement);

}  // namespace reconverge::report
