// SPDX-License-Identifier: Apache-2.0
#include "platforms/profile/recorded_run.hpp"

#include "platforms/profile/profiler.hpp"

namespace reconverge {

namespace {

/// Observes a machine during this object's lifetime.
class Observation {
 public:
  Observation(Machine& machine, SmObserver& observer) : machine_(machine) { machine_.observe_sms(&observer); }
  ~Observation() { machine_.observe_sms(nullptr); }
  Observation(const Observation&) = delete;
  Observation& operator=(const Observation&) = delete;

 private:
  Machine& machine_;
};

}  // namespace

Recording recording_of(const ExperimentParameters& parameters) { return {parameters.profile, parameters.timeline}; }

RecordedRun run_recorded(Machine& machine, const Launch& launch, const KeepGoing& keep_going,
                         const Recording& recording) {
  machine.record(recording.interval);
  RecordedRun run;
  if (recording.profile) {
    Profiler profiler(*launch.program);
    const Observation observation(machine, profiler);
    run.completed = machine.run(launch, keep_going);
    run.profile = profiler.profile();
  } else {
    run.completed = machine.run(launch, keep_going);
  }
  run.history = machine.history();
  return run;
}

}  // namespace reconverge
