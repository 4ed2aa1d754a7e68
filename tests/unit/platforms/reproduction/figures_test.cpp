// SPDX-License-Identifier: Apache-2.0
/// Figures, verdicts and documents of a page over a store.

#include "platforms/reproduction/figures.hpp"

#include <catch2/catch.hpp>

#include "models/core/error.hpp"
#include "platforms/reproduction/document.hpp"
#include "platforms/sweep/store.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge;
using namespace reconverge::reproduction;
using reconverge::tests::TemporaryFolder;

namespace {

constexpr const char* text = R"yaml(
title: Two machines
paper: "[two](docs/two.md)"
runs:
  rates: {experiments: [a.yaml, b.yaml], sweep: {gpu.sms: [1, 2]}}
data:
  paper: {columns: [sms, gain], rows: [[1, 2], [2, 2.5]]}
views:
  gains: >-
    SELECT f."gpu.sms" AS sms, figure(f.run, 'ray_rate') / figure(s.run, 'ray_rate') AS gain
    FROM rates f JOIN rates s ON f."gpu.sms" = s."gpu.sms" AND f.name = 'fast' AND s.name = 'slow'
claims:
  - {id: two.gain, where: Fig. 1, says: gain, published: 2.2, accepted: [2, 3], measured: SELECT avg(gain) FROM gains}
  - id: two.more
    where: Fig. 2
    says: other figures
    accepted: {launch: [10, 20], bin: [0, 1], known: true}
    measured:
      launch: SELECT figure(run, 'last', 'cycles') FROM rates WHERE name = 'slow' AND "gpu.sms" = 2
      bin: SELECT counter(run, 'sm.issued[0]') FROM rates LIMIT 1
      known: SELECT measured('walkthrough', 'passed')
    because: "bins are {{count: max(counter(run, 'sm.issued[0]')) FROM rates}}"
  - {id: two.later, where: x, says: y, accepted: [0, 1], measured: "SELECT measured('area', 'mm2')"}
summary:
  - {claim: two.gain, says: mean gain}
page:
  - "The gains are {{number: gain FROM gains ORDER BY sms}}."
  - claims
  - table: [[SMs, count], [gain, number]]
    query: SELECT sms, gain FROM gains ORDER BY sms
  - chart: gain
    title: "Fig. 1: gain"
    query: SELECT sms, 'measured', gain FROM gains UNION ALL SELECT sms, 'paper', gain FROM paper
)yaml";

/// A store with four runs; the rate is 10 for `slow` and 20 or 30 for `fast`.
struct Results {
  TemporaryFolder place;
  std::vector<GroupRun> runs;

  Results() {
    place.write("two.yaml", text);
    sweep::Store store(place.path() / sweep::store_name);
    for (const std::string name : {"slow", "fast"}) {
      for (const int sms : {1, 2}) {
        sweep::Point point;
        point.digest = name + std::to_string(sms);
        point.experiment = name;
        point.file = name + ".yaml";
        point.settings = {{"gpu.sms", std::to_string(sms), true}};
        sweep::PointRecord record;
        record.digest = point.digest;
        record.status = "ok";
        record.started = "2026-01-31T12:00:00Z";
        record.main_part = "tracing";
        const double rate = name == "slow" ? 10 : sms == 1 ? 20 : 30;
        record.parts = {{"first", false, {{"cycles", 5}}, {}},
                        {"second", false, {{"cycles", 15}}, {}},
                        {"tracing", true, {{"ray_rate", rate}}, {{"sm.issued[0]", 4}}}};
        store.add(point, record, "local");
        runs.push_back({"rates", point.digest, point.settings});
      }
    }
  }
};

}  // namespace

TEST_CASE("claims are judged by queries over the runs of a page") {
  const Results results;
  const Page page = read_page(results.place.path(), "two", Scale::full);
  sweep::Database store = sweep::open_to_read(results.place.path());
  const Figures figures(store, page, results.runs, {{"walkthrough", "passed", 1}});
  const std::vector<JudgedClaim> claims = figures.judged();
  REQUIRE(claims.size() == 3);
  CHECK(claims[0].verdict == Verdict::inside);
  CHECK(std::get<double>(claims[0].measured[0]) == 2.5);
  CHECK(claims[1].verdict == Verdict::outside);
  CHECK(std::get<double>(claims[1].measured[0]) == 15);
  CHECK(claims[1].because == "bins are 4");
  CHECK(claims[2].verdict == Verdict::not_measured);
  CHECK(measured_text(claims[1]) == "launch: 15; bin: 4; known: holds");
  CHECK(accepted_text(page.claims[1]) == "launch: 10 to 20; bin: 0 to 1; known: holds");

  const std::vector<Document> documents = documents_of(page, figures, claims);
  REQUIRE(documents.size() == 4);
  CHECK(documents[0].name == "two.md");
  CHECK_THAT(documents[0].text, Catch::StartsWith("# Two machines\n\nThe gains are 2, 3.\n"));
  CHECK_THAT(documents[0].text, Catch::Contains("\n1 of 3 claims are inside the accepted range; not measured: 1.\n"));
  CHECK_THAT(documents[0].text, Catch::Contains("| `two.gain` | Fig. 1 | gain | 2.2 | 2 to 3 | 2.5 | yes |"));
  CHECK_THAT(documents[0].text, Catch::Contains("| 1 | 2 |\n| 2 | 3 |\n"));
  CHECK_THAT(documents[1].text, Catch::Contains(R"("measured":{"launch":15,"bin":4,"known":true},"inside":false)"));
  CHECK_THAT(documents[1].text, Catch::Contains(R"("id":"two.later","measured":null,"inside":null)"));
  CHECK(documents[3].name == "two_gain.svg");
}

TEST_CASE("a claim of which one figure is missing is not measured, also if another is outside") {
  const Results results;
  const Page page = read_page(results.place.path(), "two", Scale::full);
  sweep::Database store = sweep::open_to_read(results.place.path());
  CHECK(Figures(store, page, results.runs, {}).judged()[1].verdict == Verdict::not_measured);
}

TEST_CASE("the summary counts the claims of the figures in a folder") {
  const Results results;
  const Page page = read_page(results.place.path(), "two", Scale::full);
  sweep::Database store = sweep::open_to_read(results.place.path());
  const Figures figures(store, page, results.runs, {});
  const auto documents = documents_of(page, figures, figures.judged());
  results.place.write("two.json", documents[1].text);
  const std::string summary = summary_of({page}, results.place.path());
  CHECK_THAT(summary, Catch::Contains("1 of 1 are inside"));
  CHECK_THAT(summary, Catch::Contains("| [two](docs/two.md) | 1 of 1 | mean gain | 2.2 | 2.5 |"));
}

TEST_CASE("a wrong query is refused with its place") {
  const Results results;
  const Page page = read_page(results.place.path(), "two", Scale::full);
  sweep::Database store = sweep::open_to_read(results.place.path());
  const Figures figures(store, page, results.runs, {});
  const SourceLocation location{"two.yaml", 7, 3};
  CHECK_THROWS_WITH(figures.ask("SELECT missing FROM rates", location),
                    Catch::StartsWith("two.yaml:7:3: ") && Catch::Contains("no such column: missing"));
  CHECK_THROWS_WITH(figures.ask("DELETE FROM runs", location), Catch::Contains("two.yaml:7:3"));
}
