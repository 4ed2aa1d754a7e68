// SPDX-License-Identifier: Apache-2.0
/// From the store of a sweep to the data of its page; stores with wrong values are refused.

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>

#include "models/core/error.hpp"
#include "platforms/page/sweep/sweep_page.hpp"
#include "platforms/page/sweep/sweep_results.hpp"
#include "platforms/page/sweep/sweep_size.hpp"
#include "platforms/sweep/store.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge;
using namespace reconverge::tests;
using Catch::Contains;
namespace json = boost::json;

namespace {

sweep::Point point_of(const std::string& digest, const std::string& l1, const std::string& policy) {
  return {digest, "saxpy", "saxpy.yaml", {}, {{"gpu.sm.l1.size", l1, true}, {"gpu.policy", policy, true}}};
}

sweep::PointRecord record_of(const std::string& digest, const std::string& status, double cycles) {
  sweep::PointRecord record;
  record.digest = digest;
  record.status = status;
  record.seconds = 1.5;
  if (status != "ok") record.message = "the hits differ";
  record.main_part = "total";
  record.parts = {{"total", true, {{"cycles", cycles}, {"simd_efficiency", 0.25}, {"nothing", 0}}, {}},
                  {"saxpy", false, {{"cycles", 1}, {"of_a_part", 7}}, {}}};
  return record;
}

/// A sweep of four points, of which the second has no result and the third failed.
class SweepFolder : public TemporaryFolder {
 public:
  SweepFolder() {
    sweep::Store store(file());
    const std::vector<sweep::Point> points{point_of("a", "48 KiB", "gto"), point_of("b", "16 KiB", "gto"),
                                           point_of("c", "8 KiB", "two_level"), point_of("d", "48 KiB", "two_level")};
    store.show(points);
    store.add(points[3], record_of("d", "ok", 400), "local");
    store.add(points[0], record_of("a", "ok", 100), "local");
    store.add(points[2], record_of("c", "check failed", 300), "local");
  }
  std::filesystem::path file() const { return path() / sweep::store_name; }
  /// Changes the store as no program of Reconverge does.
  void spoil(const std::string& statement) const {
    sweep::Database(file(), sweep::Database::Access::write).run(statement);
  }
};

}  // namespace

TEST_CASE("the page of a sweep has its points in their order, by columns") {
  const SweepFolder folder;
  const page::SweepResults results = page::read_sweep(folder.path());
  const json::value data = page::sweep_data(results, "caches", {{"cycles", {"cycles", "clock cycles"}}});
  CHECK(data.at("title") == "caches");
  const json::value& shown = data.at("sweep");
  CHECK(shown.at("points") == 4);
  CHECK(json::serialize(shown.at("positions")) == "[1,3,4]");
  CHECK(json::serialize(shown.at("experiments")) == R"({"names":["saxpy"],"column":[0,0,0]})");
  CHECK(json::serialize(shown.at("statuses")) == R"({"names":["ok","check failed"],"column":[0,1,0]})");
  CHECK(json::serialize(shown.at("seconds")) == "[1.5E0,1.5E0,1.5E0]");
  CHECK(json::serialize(shown.at("axes")) ==
        R"([{"path":"gpu.sm.l1.size","levels":["8 KiB","48 KiB"],"column":[1,0,1],"numbers":[8192,49152],)"
        R"("quantity":"bytes"},{"path":"gpu.policy","levels":["gto","two_level"],"column":[0,1,1]}])");
  CHECK(json::serialize(shown.at("figures")) ==
        R"([{"name":"cycles","unit":"cycles","text":"clock cycles","column":[100,300,400]},)"
        R"({"name":"simd_efficiency","unit":"","text":"","column":[2.5E-1,2.5E-1,2.5E-1]}])");
  CHECK(json::serialize(shown.at("failures")) == R"([[1,"the hits differ"]])");
  CHECK(shown.at("failed") == 1);
}

TEST_CASE("a store is read by its name or by its folder, and only its names make a sweep") {
  const SweepFolder folder;
  CHECK(page::read_sweep(folder.file()).rows() == 3);
  CHECK(page::is_sweep(folder.path()));
  CHECK(page::is_sweep(folder.file()));
  CHECK(page::is_sweep("nowhere.sqlite"));
  CHECK_FALSE(page::is_sweep("nowhere"));
  const TemporaryFolder other;
  CHECK_FALSE(page::is_sweep(other.path()));
}

TEST_CASE("points that lack a parameter or a figure have none on the page") {
  const SweepFolder folder;
  folder.spoil("DELETE FROM parameters WHERE value = 'gto'; DELETE FROM figures WHERE value = 300;");
  const page::SweepResults results = page::read_sweep(folder.path());
  CHECK(results.axes.at(1).column == std::vector<std::int64_t>{-1, 0, 0});
  CHECK(results.figures.at(0).column == std::vector<std::optional<double>>{100, std::nullopt, 400});
}

TEST_CASE("infinite values are none, and a partial point is no complete one") {
  const SweepFolder folder;
  folder.spoil("UPDATE figures SET value = 9e999 WHERE value = 100; UPDATE runs SET partial = 1 WHERE digest = 'd';");
  const page::SweepResults results = page::read_sweep(folder.path());
  CHECK(results.figures.at(0).column.at(0) == std::nullopt);
  CHECK(results.statuses.names == std::vector<std::string>{"ok", "check failed", "partial"});
}

TEST_CASE("values of a wrong type, missing tables and other files are refused") {
  const auto refusal = [](const std::string& statement) {
    const SweepFolder folder;
    folder.spoil(statement);
    try {
      page::read_sweep(folder.path());
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("nothing was refused");
  };
  CHECK_THAT(refusal("UPDATE figures SET value = 'many' WHERE name = 'cycles'"),
             Contains("sweep.sqlite: a value of figures.value is no number: 'many'"));
  CHECK_THAT(refusal("UPDATE parameters SET number = 'large'"),
             Contains("a value of parameters.number is no number: 'large'"));
  CHECK_THAT(refusal("UPDATE runs SET partial = 'perhaps'"), Contains("a value of runs.partial is no whole number"));
  CHECK_THAT(refusal("UPDATE runs SET seconds = 'long'"), Contains("a value of runs.seconds is no number"));
  CHECK_THAT(refusal("DROP TABLE figures"), Contains("sweep.sqlite: no such table: figures"));
  CHECK_THAT(refusal("PRAGMA user_version = 99"), Contains("this store has tables of version 99"));
  CHECK_THAT(refusal("PRAGMA user_version = 0"), Contains("this is no store of a sweep"));
  CHECK_THAT(refusal("DELETE FROM runs"), Contains("no point of the sweep has a result yet"));

  const TemporaryFolder other;
  CHECK_THROWS_WITH(page::read_sweep(other.path()), Contains("there is no store of a sweep"));
  CHECK_THROWS_WITH(page::read_sweep(other.write("text.sqlite",
                                                 "This is a text of more than a hundred characters, so "
                                                 "that SQLite looks at its header and refuses it.")),
                    Contains("text.sqlite: file is not a database"));
}

TEST_CASE("texts of a store cannot end the data of the page and are printable") {
  const SweepFolder folder;
  folder.spoil(
      "UPDATE runs SET message = '</script><b>' || char(1) || x'ff' || char(955); "
      "UPDATE parameters SET value = '<!--' WHERE value = 'gto'");
  const std::string page = page::sweep_page(page::read_sweep(folder.path()), "<i>");
  CHECK_THAT(page, Contains("<title>&lt;i&gt;</title>"));
  const std::string begin = R"(<script type="application/json" id="data">)";
  const std::size_t from = page.find(begin) + begin.size();
  const json::value data = json::parse(page.substr(from, page.find("</script>", from) - from));
  const json::value& shown = data.at("sweep");
  CHECK(shown.at("failures").at(0).at(1) == "</script><b>\\x01\\xff\u03bb");
  CHECK(shown.at("axes").at(1).at("levels").at(0) == "<!--");
  CHECK(page == page::sweep_page(page::read_sweep(folder.path()), "<i>"));
}

TEST_CASE("a page shows at most a hundred thousand points and long messages are cut") {
  CHECK_NOTHROW(page::check_sweep_size(100'000, 10));
  CHECK_THROWS_WITH(
      page::check_sweep_size(100'001, 10),
      Contains("the sweep has 100001 points with a result, and a page shows 100000 at most; sweep fewer"));
  const SweepFolder folder;
  folder.spoil("UPDATE runs SET message = printf('%.*c', 5000, 'x')");
  CHECK(page::read_sweep(folder.path()).failures.at(0).message == std::string(page::most_message, 'x'));
}
