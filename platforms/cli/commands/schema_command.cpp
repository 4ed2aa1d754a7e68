// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "blocks/experiment.hpp"
#include "platforms/cli/commands/commands.hpp"
#include "platforms/cli/output_place.hpp"
#include "platforms/cli/print.hpp"
#include "platforms/configuration/schema.hpp"
#include "platforms/launch/schema.hpp"
#include "platforms/machines/machines.hpp"
#include "platforms/report/lone_file.hpp"

namespace reconverge::cli {

namespace {

constexpr report::FileKind schema_kind{"a JSON Schema", "http://json-schema.org/"};

}  // namespace

void add_schema(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("schema", "The JSON Schema of experiment files, for editors");
  const auto out = std::make_shared<std::string>();
  const auto force = std::make_shared<bool>(false);
  command->add_option("--out", *out, "File to write instead of standard output")
      ->check(output_place())
      ->type_name("FILE");
  add_force_option(*command, *force);
  command->footer(
      "Example:\n"
      "  reconverge schema --out yaml/schema/experiment.json\n"
      "A first line `# yaml-language-server: $schema=../schema/experiment.json` turns it on in many editors.");
  command->callback([out, force, &chosen] {
    chosen = [out, force] {
      const std::string schema = configuration::schema(with_kinds(experiment_block).root(), launch::section_schemas());
      if (out->empty()) {
        print(schema);
      } else {
        report::write_file(*out, schema_kind, *force, schema);
      }
      return ExitCode::success;
    };
  });
}

}  // namespace reconverge::cli
