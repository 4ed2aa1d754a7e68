// SPDX-License-Identifier: Apache-2.0
/// The parts of an earlier report that `--resume` reads: the list of outputs of its manifest, then, after a zero byte,
/// its report.json. The rest of the manifest is as the program writes it, because otherwise nothing is read.

#include <string_view>

#include "platforms/report/documents.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/unit/core/temporary_folder.hpp"

namespace reconverge::fuzz {

namespace {

/// The manifest of a run with these outputs.
std::string manifest_with(std::string_view outputs, const report::Provenance& provenance) {
  std::string text = report::manifest({"fuzz", false, {}}, provenance, {});
  constexpr std::string_view none = "\"outputs\": []";
  const std::size_t at = text.rfind(none);
  require(at != std::string::npos, "a manifest without outputs has an empty list of them");
  return text.replace(at, none.size(), "\"outputs\": " + std::string(outputs));
}

void read(const tests::TemporaryFolder& folder, std::string_view bytes) {
  const report::Provenance provenance{"fuzz.yaml", {}, {}};
  const std::size_t end = std::min(bytes.find('\0'), bytes.size());
  const std::string_view report = bytes.substr(std::min(end + 1, bytes.size()));
  folder.write("report.json", std::string(report));
  folder.write("manifest.json", manifest_with(bytes.substr(0, end), provenance));
  const bool holds = report::holds_report(folder.path(), provenance);
  require(!holds || report.find("checks") != std::string_view::npos, "a report that is taken over has passed checks");
}

}  // namespace

}  // namespace reconverge::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace reconverge;
  static const tests::TemporaryFolder folder;
  fuzz::taken([&] { fuzz::read(folder, fuzz::text_of(data, size)); });
  return 0;
}
