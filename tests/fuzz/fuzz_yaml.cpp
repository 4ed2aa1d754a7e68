// SPDX-License-Identifier: Apache-2.0
/// Platforms and experiments: the parameters and their origins, written out and read again, and the platform built from
/// them. Files named by `extends:` are looked up in an empty folder; nothing runs.

#include <utility>

#include "blocks/experiment.hpp"
#include "models/core/simulation_context.hpp"
#include "platforms/configuration/configuration.hpp"
#include "platforms/launch/keys.hpp"
#include "platforms/machines/gpu/gpu.hpp"
#include "platforms/machines/machines.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/unit/core/temporary_folder.hpp"

namespace reconverge::fuzz {

namespace {

/// Builds only if the parameters differ from the previous input's, which is rare: building takes longer than all else.
void build(const GpuParameters& parameters) {
  static GpuParameters known;
  if (std::exchange(known, parameters) == parameters) return;
  const SimulationContext context;
  const Gpu gpu("gpu", parameters);
}

void load(const std::string& text, const std::filesystem::path& folder) {
  const std::string file = (folder / "fuzz.yaml").string();
  ExperimentParameters parameters;
  const configuration::Configuration loaded =
      configuration::load_text(with_kinds(experiment_block), &parameters, {text, file}, {}, launch::section_keys());
  ExperimentParameters again;
  configuration::load_text(with_kinds(experiment_block), &again, {configuration::dump(loaded, folder), file}, {},
                           launch::section_keys());
  require(again == parameters, "what is written out reads as the same parameters");
  taken([&] { build(parameters.gpu); });
}

}  // namespace

}  // namespace reconverge::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace reconverge;
  static const tests::TemporaryFolder folder;
  fuzz::taken([&] { fuzz::load(fuzz::text_of(data, size), folder.path()); });
  return 0;
}
