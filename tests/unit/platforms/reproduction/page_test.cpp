// SPDX-License-Identifier: Apache-2.0
/// The files of pages.

#include "platforms/reproduction/page.hpp"

#include <catch2/catch.hpp>

#include "models/core/error.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge;
using namespace reconverge::reproduction;
using reconverge::tests::TemporaryFolder;

namespace {

constexpr const char* small = R"(
title: A page
tests:
  known: [benes_network, "popa*"]
commands:
  area: {run: [scripts/area, '{out}'], json: area.json, scale: full}
runs:
  sizes:
    experiments: [a.yaml, b.yaml]
    set: {gpu.sms: 1, name: x}
    sweep: {gpu.sm.warp_slots: [8, 16]}
    quick: {set: {gpu.sms: 2}, sweep: {gpu.sm.warp_slots: [8]}}
  night:
    experiments: [a.yaml]
  far:
    experiments: [a.yaml]
    quick: same
    needs: [missing.ply]
data:
  table: {columns: [x, y], rows: [[1, a], [2.5, '']]}
views:
  half: SELECT x / 2 AS h FROM "table"
claims:
  - {id: one, where: Table 1, says: something, published: 1.5, accepted: [1, 2], measured: SELECT 1}
  - {id: two, where: Table 2, says: more, published: {a: 0.5}, accepted: {a: [0, 1], b: true}, format: percent,
     measured: {a: SELECT 0.25, b: SELECT 1, c: SELECT 3}}
page:
  - "text {{number: 1}}"
  - claims
)";

Page read(const TemporaryFolder& place, const std::string& text, Scale scale) {
  place.write("page.yaml", text);
  return read_page(place.path(), "page", scale);
}

/// The message for a page in which `from` is replaced.
std::string refusal(const std::string& from, const std::string& with) {
  const TemporaryFolder place;
  std::string text = small;
  text.replace(text.find(from), from.size(), with);
  try {
    read(place, text, Scale::full);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a page has the runs and commands of its scale") {
  const TemporaryFolder place;
  const Page full = read(place, small, Scale::full);
  REQUIRE(full.runs.size() == 3);
  CHECK(full.runs[0].settings == std::vector<std::string>{"gpu.sms=1", "name=x"});
  CHECK(full.runs[0].sweeps == std::vector<std::string>{"gpu.sm.warp_slots=8,16"});
  CHECK(full.runs[0].experiments[1] == (place.path() / "b.yaml").generic_string());
  CHECK((full.runs[0].selected && full.runs[1].selected));
  CHECK(full.runs[2].missing == (place.path() / "missing.ply").generic_string());
  CHECK(full.commands.size() == 1);

  const Page quick = read(place, small, Scale::quick);
  CHECK(quick.runs[0].settings == std::vector<std::string>{"name=x", "gpu.sms=2"});
  CHECK(quick.runs[0].sweeps == std::vector<std::string>{"gpu.sm.warp_slots=8"});
  CHECK(quick.runs[0].axes == std::vector<std::string>{"gpu.sm.warp_slots"});
  CHECK_FALSE(quick.runs[1].selected);
  CHECK(quick.runs[2].selected);
  CHECK(quick.commands.empty());

  const Page exact = read(place, small, Scale::exact);
  CHECK_FALSE(exact.runs[0].selected);
  CHECK(exact.tests.at(0).test_case == "popa*");
}

TEST_CASE("claims have a part for each figure") {
  const TemporaryFolder place;
  const Page page = read(place, small, Scale::full);
  REQUIRE(page.claims.size() == 2);
  CHECK(page.claims[0].parts.at(0).published == "1.5");
  CHECK(std::get<std::pair<double, double>>(page.claims[0].parts[0].accepted) == std::pair(1.0, 2.0));
  REQUIRE(page.claims[1].parts.size() == 3);
  CHECK(page.claims[1].parts[0].published == "50 %");
  CHECK(std::get<bool>(page.claims[1].parts[1].accepted));
  CHECK(std::holds_alternative<std::monostate>(page.claims[1].parts[2].accepted));
}

TEST_CASE("wrong pages are refused at their line") {
  CHECK_THAT(refusal("title: A page", "titel: A page"), Catch::Contains("page.yaml:2:1: there is no key `titel`"));
  CHECK_THAT(refusal("  night:", "  figures:"), Catch::Contains("figures is a table of the store"));
  CHECK_THAT(refusal("  half:", "  night:"), Catch::Contains("there are two tables night"));
  CHECK_THAT(refusal("quick: same", "quick: yes"), Catch::Contains("`quick` is `same`"));
  CHECK_THAT(refusal("[1, 2], measured", "[1], measured"), Catch::Contains("no accepted range"));
  CHECK_THAT(refusal("b: true}", "d: true}"), Catch::Contains("two has no figure `d` in `measured`"));
  CHECK_THAT(refusal("{{number: 1}}", "{{nummer: 1}}"), Catch::Contains("there is no format `nummer`"));
  CHECK_THAT(refusal("[2.5, '']", "[2.5]"), Catch::Contains("this row has 1 values, and the table 2 columns"));
  CHECK_THAT(refusal("scale: full", "scale: night"), Catch::Contains("scales are exact, quick and full"));
}
