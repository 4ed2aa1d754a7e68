// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Finds defaults that belong to another machine than the experiment's. Block files default to the GTX 780. A platform
/// file of another machine sets only what its memory and scheme use, and an experiment may select others.

#include <string>
#include <vector>

#include "blocks/experiment.hpp"
#include "platforms/configuration/configuration.hpp"

namespace reconverge::cli {

/// The parameters of the GPU that are in use and keep a default of the GTX 780, if the values in files have sources
/// that name other machines. A default counts if its source names the GTX 780, or if it belongs to a memory block that
/// no file mentions. Empty if the files give no sources.
std::vector<std::string> foreign_defaults(const configuration::Configuration& configuration, const GpuParameters& gpu);

/// One warning for all parameters marked in the configuration; nothing if none is marked.
std::vector<std::string> foreign_warnings(const configuration::Configuration& configuration);

}  // namespace reconverge::cli
