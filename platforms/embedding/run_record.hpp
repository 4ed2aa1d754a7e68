// SPDX-License-Identifier: Apache-2.0
#pragma once
/// How a run ended, as bytes that another process reads.

#include <cstdio>
#include <variant>

#include "platforms/embedding/embedded_experiment.hpp"
#include "platforms/embedding/host_failure.hpp"

namespace reconverge::embedding {

using RunEnd = std::variant<ExperimentReport, HostFailure>;

/// Throws HostError if the file cannot be written, or does not have a whole record.
void write_run(const RunEnd& end, std::FILE* file);
RunEnd read_run(std::FILE* file);

}  // namespace reconverge::embedding
