// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Parts that every report.json has.

#include <boost/json/object.hpp>
#include <span>

#include "blocks/experiment.hpp"
#include "models/core/figure.hpp"
#include "models/core/statistics_tree.hpp"
#include "platforms/figures/measurement.hpp"
#include "platforms/machine_kind.hpp"

namespace reconverge::report {

/// JSON cannot represent a value that is not a number: null instead.
boost::json::value number(double value);

/// Unit, text and formula of figures, by name.
boost::json::object define(std::span<const Figure> figures);
/// Unit, text and bins of every counter, by the path of its block and its name.
boost::json::object define_counters(const Statistics& totals);

/// What describes an experiment's machine, its name first if it is `named`.
boost::json::object platform_json(const MachineKind& machine, const ExperimentParameters& parameters, bool named);

/// Notes by subject.
boost::json::object notes_json(const ExperimentParameters& parameters, const Measurement& measurement);

boost::json::object values_of(std::span<const Figure> figures);
boost::json::object values_of(const Statistics& totals);

}  // namespace reconverge::report
