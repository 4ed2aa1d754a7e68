// SPDX-License-Identifier: Apache-2.0
/// The folder of a report: a text that begins like JSON is its report.json, any other its effective.yaml. Accepted
/// input becomes a page.

#include "platforms/page/document.hpp"
#include "platforms/page/run.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/unit/core/temporary_folder.hpp"
#include "tests/unit/platforms/page/sample_report.hpp"

namespace reconverge::fuzz {

namespace {

void load(const tests::TemporaryFolder& folder, const std::string& text) {
  const bool json = text.starts_with('{');
  folder.write("report.json", json ? text : tests::sample_launch_report());
  folder.write("effective.yaml", json ? "name: fuzz\n" : text);
  const std::string page = page::html_page({page::read_run(folder.path())}, "fuzz");
  require(page.ends_with("</html>\n"), "the page is whole");
}

}  // namespace

}  // namespace reconverge::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace reconverge;
  static const tests::TemporaryFolder folder;
  fuzz::taken([&] { fuzz::load(folder, fuzz::text_of(data, size)); });
  return 0;
}
