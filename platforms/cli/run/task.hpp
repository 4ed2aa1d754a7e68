// SPDX-License-Identifier: Apache-2.0
#pragma once
/// What an experiment does: it traces rays, or runs the launches that it lists. Commands treat both alike.

#include <boost/json/object.hpp>
#include <memory>
#include <string>
#include <vector>

#include "platforms/cli/run/experiment.hpp"
#include "platforms/report/outcome.hpp"
#include "platforms/run_control.hpp"

namespace reconverge::cli {

/// A summary of a valid task, as text and as JSON.
struct TaskSummary {
  std::string text;
  boost::json::object object;
};

class Task {
 public:
  virtual ~Task() = default;

  /// Files that it reads and that the configuration does not name.
  virtual std::vector<std::string> inputs() const = 0;
  /// The names of all files that its report can have, the manifest last.
  virtual std::vector<std::string> outputs() const = 0;

  /// About its programs. Throws InputError.
  virtual std::vector<std::string> warnings() const = 0;
  /// A short run, which finds errors that only an elaborated platform shows: whether its blocks are compatible, and
  /// whether each kernel fits and starts. Throws like the run.
  virtual TaskSummary rehearse() const = 0;
  /// The outcome refers to the task. Throws InputError, ParameterError and ExecutionError.
  virtual std::unique_ptr<report::Outcome> run(const RunControl& control) = 0;
};

/// Reads what it runs. Refers to the experiment, which must outlive it. Throws InputError.
std::unique_ptr<Task> task_of(const Experiment& experiment);

/// The same for each kind of experiment.
std::unique_ptr<Task> ray_task(const Experiment& experiment);
std::unique_ptr<Task> launch_task(const Experiment& experiment);

}  // namespace reconverge::cli
