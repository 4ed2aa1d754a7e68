#pragma once
/// Plans from texts, as files would give them.

#include <string>

#include "blocks/experiment.hpp"
#include "platforms/configuration/configuration.hpp"
#include "platforms/launch/keys.hpp"
#include "platforms/launch/plan.hpp"
#include "tests/unit/core/temporary_folder.hpp"

namespace reconverge::tests {

/// One parameter of every kind: name, PTX declaration.
inline constexpr const char* take_ptx =
    ".version 5.0\n.target sm_60\n.address_size 64\n"
    ".visible .entry take(\n"
    "  .param .f32 a, .param .u64 p, .param .align 8 .b8 s[24], .param .u16 h, .param .s8 c, .param .b32 raw\n"
    ")\n{\n  ret;\n}\n"
    ".visible .entry nothing()\n{\n  ret;\n}\n";

/// A folder with take.ptx, for a file run.yaml.
class PlanFolder {
 public:
  PlanFolder() { place_.write("take.ptx", take_ptx); }

  const TemporaryFolder& place() const { return place_; }

  launch::LaunchPlan plan_of(const std::string& text, std::span<const std::string> reserved = {}) const {
    ExperimentParameters parameters;
    const std::string file = (place_.path() / "run.yaml").string();
    return launch::read_plan(
        configuration::load_text(experiment_block, &parameters, text, file, {}, launch::section_keys()), reserved);
  }

 private:
  TemporaryFolder place_;
};

/// A file with these buffers and one launch of `take` with these arguments.
inline std::string take_with(const std::string& arguments, const std::string& buffers = "x: {type: f32, count: 10}") {
  return "buffers: {" + buffers +
         "}\nlaunches:\n- {program: take.ptx, kernel: take, grid: 1, block: 32, arguments: " + arguments + "}\n";
}

}  // namespace reconverge::tests
