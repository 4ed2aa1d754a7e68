// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The report of a CUDA program: the report of its launches in the form of `reconverge run`, with the PTX of its
/// modules.

#include <string>
#include <vector>

#include "platforms/cuda/device.hpp"
#include "platforms/cuda/modules.hpp"
#include "platforms/report/launch_outcome.hpp"
#include "platforms/report/output_folder.hpp"

namespace reconverge::cuda {

/// The results of the process.
class CudaOutcome : public report::LaunchOutcome {
 public:
  CudaOutcome(const Device& device, const Modules& modules)
      : LaunchOutcome(device.platform().parameters, device.plan(), device.result()),
        device_(device),
        modules_(modules) {}

  void add_subject(boost::json::object& document, const MachineKind& machine) const override;
  std::vector<report::OutputFile> files() const override;

 private:
  const Device& device_;
  const Modules& modules_;
};

/// The names of all files that a report of this process can have.
std::vector<std::string> file_names(const Modules& modules);

/// Writes the report, and prints its table to standard error unless `settings` say no. Returns report.json. Throws
/// report::OutputError.
std::string write_report(const Settings& settings, const Device& device, const Modules& modules,
                         report::OutputFolder& folder);

}  // namespace reconverge::cuda
