// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Parts of the tables for the terminal.

#include <span>
#include <string>
#include <string_view>

#include "blocks/experiment.hpp"
#include "platforms/figures/measurement.hpp"
#include "platforms/figures/text.hpp"
#include "platforms/machine_kind.hpp"
#include "platforms/report/outcome.hpp"

namespace reconverge::report {

/// A short description of the machine: `15 SMs at 980 MHz, mimd`.
std::string machine_text(const MachineKind& machine, const ExperimentParameters& parameters);
/// The columns SIMD, L1 hit, Tex hit and L2 hit; machines without warps have no caches.
std::string lanes_and_caches(const Measurement& measurement);

/// The text, wrapped to at most 100 characters a line.
void add_sentences(std::string& out, std::string_view text);
/// The notes of a run as footnotes.
void add_notes(std::string& out, const ExperimentParameters& parameters, const Measurement& measurement);

/// What was simulated of which launches, if a run takes samples; otherwise nothing.
std::string sample_remarks(const SamplingParameters& sampling, std::span<const Part> parts);
/// The main figures of a section with confidence intervals, if it has estimates.
void add_intervals(std::string& out, const Section& section);

/// What issue slots, or cycles of machines without warps, were spent on, and further figures.
void add_details(std::string& out, std::string_view name, const Measurement& measurement);

}  // namespace reconverge::report
