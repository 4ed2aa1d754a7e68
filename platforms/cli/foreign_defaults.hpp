#pragma once
/// Defaults of a machine that an experiment does not mean. Block files have those of the GTX 780; a platform file of
/// another machine gives what its memory and scheme use, and an experiment may choose others.

#include <string>
#include <vector>

#include "blocks/experiment.hpp"
#include "platforms/configuration/configuration.hpp"

namespace reconverge::cli {

/// The parameters of the GPU that are in use and have a default of the GTX 780, by its source or as one of a block of
/// the memory that no file mentions, where the sources of values in files are other machines; none where files give no
/// sources.
std::vector<std::string> foreign_defaults(const configuration::Configuration& configuration,
                                          const ExperimentParameters& parameters);

/// One warning of all that are marked in the configuration; nothing where none are.
std::vector<std::string> foreign_warnings(const configuration::Configuration& configuration);

}  // namespace reconverge::cli
