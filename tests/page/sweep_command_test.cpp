// SPDX-License-Identifier: Apache-2.0
/// `reconverge report` of the store of a sweep.

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <string>

#include "platforms/sweep/store.hpp"
#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge;
using namespace reconverge::tests;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The folder `caches` of a sweep of two points; the first has a result.
class CachesFolder : public TemporaryFolder {
 public:
  CachesFolder() {
    fs::create_directory(path() / "caches");
    sweep::Store store(path() / "caches" / sweep::store_name);
    const std::vector<sweep::Point> points{{"a", "saxpy", "saxpy.yaml", {}, {{"gpu.sms", "1", true}}},
                                           {"b", "saxpy", "saxpy.yaml", {}, {{"gpu.sms", "2", true}}}};
    store.show(points);
    sweep::PointRecord record;
    record.digest = "a";
    record.status = "ok";
    record.main_part = "total";
    record.parts = {{"total", true, {{"cycles", 100}}, {}}};
    store.add(points.front(), record, "local");
  }
  ProgramResult call(const std::vector<std::string>& words) const {
    ProgramOptions options;
    options.folder = path();
    return run_program(words, options);
  }
};

}  // namespace

TEST_CASE("the page of a sweep is written next to its folder or its store") {
  const CachesFolder place;
  const ProgramResult result = place.call({"report", "caches"});
  CHECK(result.exit_code == 0);
  CHECK(result.output == "Page in caches.html: 1 of 2 points\n");
  CHECK(result.errors.empty());
  const std::string page = text_of(place.path() / "caches.html");
  CHECK_THAT(page, Contains("<title>Sweep caches</title>") && Contains("\"unit\":\"cycles\""));
  CHECK(place.call({"report", "caches/sweep.sqlite"}).output == "Page in caches/sweep.html: 1 of 2 points\n");
  CHECK(text_of(place.path() / "caches/sweep.html") == page);
  CHECK(place.call({"report", "caches/", "--out", "other.html", "--title", "L1 & L2"}).exit_code == 0);
  CHECK_THAT(text_of(place.path() / "other.html"), Contains("<title>L1 &amp; L2</title>"));
}

TEST_CASE("a page shows one sweep and nothing else") {
  const CachesFolder place;
  const auto refusal = [&](const std::vector<std::string>& words) {
    const ProgramResult result = place.call(words);
    CHECK(result.exit_code == 2);
    CHECK(result.output.empty());
    return result.errors;
  };
  const std::string several = "error: the page of a sweep shows one store, without other stores or reports; give";
  CHECK_THAT(refusal({"report", "caches", "caches"}), Contains(several));
  CHECK_THAT(refusal({"report", "out", "caches/sweep.sqlite"}), Contains(several));
  CHECK_THAT(refusal({"report", "caches", "--trace", "saxpy.pftrace"}),
             Contains("error: saxpy.pftrace: the page of a sweep shows no trace; give"));
  CHECK_THAT(refusal({"report", "nowhere.sqlite"}), Contains("error: nowhere.sqlite: there is no store of a sweep"));
  place.write("empty/readme", "");
  sweep::Store(place.path() / "empty" / sweep::store_name);
  CHECK_THAT(refusal({"report", "empty"}),
             Contains("error: empty/sweep.sqlite: no point of the sweep has a result yet; wait"));
  CHECK_FALSE(fs::exists(place.path() / "caches.html"));
  CHECK_FALSE(fs::exists(place.path() / "empty.html"));
}
