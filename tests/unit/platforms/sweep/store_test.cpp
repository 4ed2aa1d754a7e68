// SPDX-License-Identifier: Apache-2.0
/// The store of a sweep: what is written is read, once for each point, while it grows.

#include "platforms/sweep/store.hpp"

#include <boost/json/parse.hpp>
#include <catch2/catch.hpp>
#include <fstream>

#include "models/core/error.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge;
using namespace reconverge::sweep;
using Catch::Contains;
using reconverge::tests::TemporaryFolder;

namespace {

Point point_of(int sms, const std::string& scheme) {
  Point point;
  point.digest = scheme + std::to_string(sms);
  point.experiment = "e";
  point.file = "e.yaml";
  point.settings = {
      {"gpu.sms", std::to_string(sms), true}, {"gpu.sm.scheme", scheme, true}, {"gpu.l2", "1 MiB", false}};
  return point;
}

PointRecord record_of(const Point& point, double cycles, const std::string& status = "ok") {
  PointRecord record;
  record.digest = point.digest;
  record.status = status;
  record.exit_code = status == "ok" ? 0 : 3;
  record.host = "here";
  record.started = "2026-01-31T12:00:00Z";
  record.seconds = 0.5;
  record.memory_bytes = 1 << 20;
  record.main_part = "total";
  record.parts = {{"a", false, {{"cycles", cycles - 1}}, {{"sm.issued[0]", 3}}},
                  {"total", true, {{"cycles", cycles}, {"slots_memory", 0.25}}, {{"sm.issued[0]", 4}}}};
  record.provenance = {{"command", "[\"reconverge\"]"}};
  return record;
}

std::vector<std::string> texts(const std::vector<Value>& row) {
  std::vector<std::string> result;
  for (const Value& value : row) result.push_back(text_of(value));
  return result;
}

}  // namespace

TEST_CASE("a record of a point has one JSON form, with all numbers") {
  const Point point = point_of(1, "mimd");
  PointRecord record = record_of(point, 100.125);
  record.message = "line\nwith \"quotes\"";
  const std::string text = to_json(record);
  CHECK(text.find('\n') == std::string::npos);
  const PointRecord back = record_from(text, "r.json");
  CHECK(to_json(back) == text);
  CHECK(back.parts.at(1).figures.at(0).value == 100.125);
  CHECK(back.message == record.message);
  CHECK_THROWS_WITH(record_from("{\"format\": \"reconverge report\", \"version\": 1}", "r.json"), Contains("r.json"));
  CHECK_THROWS_AS(record_from(text.substr(0, text.size() / 2), "r.json"), InputError);
}

TEST_CASE("parts, figures and counters of a report become numbers with names") {
  const auto report = boost::json::parse(R"({"format": "reconverge launch report", "schema_version": 1,
    "definitions": {"figures": {}},
    "launches": [{"name": "k", "figures": {"cycles": 5, "ipc": null}, "counters": {"": {"threads": 2}, "sm": {"h": [1, 2]}}},
                 {"name": "k", "figures": {"cycles": 6}}],
    "total": {"name": "total", "figures": {"cycles": 11}, "counters": {}}})")
                          .as_object();
  PointRecord record;
  add_report(record, report, boost::json::parse(R"({"partial": true, "program": {"version": "1"}})").as_object());
  CHECK(record.main_part == "total");
  CHECK(record.partial);
  REQUIRE(record.parts.size() == 3);
  CHECK(record.parts[0].name == "k");
  CHECK(record.parts[1].name == "k#2");
  CHECK(record.parts[0].figures.size() == 1);  // a missing number is none
  REQUIRE(record.parts[0].counters.size() == 3);
  CHECK(record.parts[0].counters[2].name == "sm.h[1]");
  CHECK(record.parts[0].counters[2].value == 2);
  CHECK(record.parts[2].is_sum);
}

TEST_CASE("the workload, the platform and kernels of a launch are parts of a record") {
  const auto report = boost::json::parse(R"({"format": "reconverge launch report", "schema_version": 1,
    "platform": {"sms": 15, "scheme": "mimd"}, "workload": {"scene": "room", "triangles": 7},
    "launches": [{"name": "k", "runs": 2, "rays": 9, "figures": {"cycles": 5, "rays": 9},
                  "parts": [{"name": "B0", "runs": 4}, {"name": "B1 to B0", "runs": 3}]}],
    "total": {"name": "total", "figures": {"cycles": 5}}})")
                          .as_object();
  PointRecord record;
  add_report(record, report, {});
  const auto figure = [&](const std::string& part, const std::string& name) {
    std::vector<double> found;
    for (const RecordedPart& each : record.parts)
      for (const NamedNumber& number : each.figures)
        if (each.name == part && number.name == name) found.push_back(number.value);
    return found;
  };
  CHECK(figure("platform", "sms") == std::vector<double>{15});
  CHECK(figure("workload", "triangles") == std::vector<double>{7});
  CHECK(figure("k", "runs") == std::vector<double>{2});
  CHECK(figure("k", "rays") == std::vector<double>{9});  // also a figure, but once
  CHECK(figure("k/B0", "runs") == std::vector<double>{4});
  CHECK(figure("k/B1 to B0", "runs") == std::vector<double>{3});
}

TEST_CASE("hits, picture and sampling of rays are parts of a record, and hits of a stage are its figures") {
  const auto report = boost::json::parse(R"({"format": "reconverge report", "schema_version": 1,
    "sampling": {"every": 4, "estimated": true}, "checks": {"hits_agree": false},
    "workload": {"structure": {"kind": "bvh", "nodes": 3}},
    "hits": {"checked": 7, "mismatches": 2}, "picture": {"file": "picture.png", "largest_difference": 0.5},
    "stages": [{"name": "shade", "figures": {"cycles": 1}},
               {"name": "bounce 1", "figures": {"cycles": 5},
                "hits": {"mismatches": 1, "max_relative_distance_error": 0.25, "examples": [{"ray": 3}]}}],
    "tracing": {"name": "tracing", "figures": {"cycles": 5}}, "total": {"name": "total", "figures": {"cycles": 6}}})")
                          .as_object();
  PointRecord record;
  add_report(record, report, {});
  std::vector<std::string> all;
  for (const RecordedPart& part : record.parts)
    for (const NamedNumber& figure : part.figures)
      all.push_back(part.name + (part.is_sum ? ": " : "/ ") + figure.name + " " + std::to_string(figure.value));
  CHECK_THAT(all, Catch::UnorderedEquals(std::vector<std::string>{
                      "sampling: every 4.000000", "workload: structure.nodes 3.000000", "hits: checked 7.000000",
                      "hits: mismatches 2.000000", "picture: largest_difference 0.500000", "shade/ cycles 1.000000",
                      "bounce 1/ cycles 5.000000", "bounce 1/ hits.mismatches 1.000000",
                      "bounce 1/ hits.max_relative_distance_error 0.250000", "tracing: cycles 5.000000",
                      "total: cycles 6.000000"}));
}

TEST_CASE("results of a store are rows with a column for each axis and figure") {
  const TemporaryFolder place;
  Store store(place.path() / store_name);
  const std::vector<Point> points{point_of(2, "mimd"), point_of(1, "stack"), point_of(1, "mimd")};
  store.show(points);
  CHECK(store.add(points[1], record_of(points[1], 200), "local"));
  CHECK(store.add(points[0], record_of(points[0], 100), "local"));
  CHECK_FALSE(store.add(points[0], record_of(points[0], 999), "slurm"));
  // A reader sees what is there while the writer is open.
  const Database reader = open_to_read(place.path());
  const Answer answer =
      reader.ask_read_only(R"(SELECT "gpu.sms", "gpu.sm.scheme", status, cycles, slots_memory FROM results)");
  REQUIRE(answer.rows.size() == 2);
  CHECK(texts(answer.rows[0]) == std::vector<std::string>{"2", "mimd", "ok", "100", "0.25"});
  CHECK(texts(answer.rows[1]) == std::vector<std::string>{"1", "stack", "ok", "200", "0.25"});
  CHECK(store.add(points[2], record_of(points[2], 300, "program failed"), "local"));
  CHECK(reader.ask("SELECT * FROM results").rows.size() == 3);
  CHECK(texts(reader.ask("SELECT value, number FROM parameters WHERE path = 'gpu.l2' LIMIT 1").rows[0]) ==
        std::vector<std::string>{"1 MiB", "1048576"});
  CHECK(texts(reader.ask("SELECT cause, share FROM stalls WHERE part = 'total' LIMIT 1").rows[0]) ==
        std::vector<std::string>{"memory", "0.25"});
  CHECK(reader.ask("SELECT * FROM counters WHERE value = 3").rows.size() == 3);
  CHECK(store.costs().size() == 2);
  store.forget_failures(points);
  CHECK(store.has(points[0].digest));
  CHECK_FALSE(store.has(points[2].digest));
  CHECK(reader.ask("SELECT * FROM figures WHERE run NOT IN (SELECT run FROM runs)").rows.empty());
}

TEST_CASE("a query cannot change a store, and errors say what is wrong") {
  const TemporaryFolder place;
  const std::filesystem::path file = place.path() / store_name;
  { Store{file}; }
  const Database reader = open_to_read(file);
  CHECK_THROWS_WITH(reader.ask_read_only("DELETE FROM runs"), Contains("would change"));
  CHECK_THROWS_WITH(reader.ask_read_only("SELECT 1; SELECT 2"), Contains("not one SQL statement"));
  CHECK_THROWS_WITH(reader.ask_read_only("SELECT absent FROM runs"), Contains("no such column: absent"));
  CHECK_THROWS_WITH(open_to_read(place.path() / "missing"), Contains("there is no store"));
  std::ofstream(place.path() / "text.sqlite") << "not a database, but long enough to look like a file of some kind\n";
  CHECK_THROWS_AS(open_to_read(place.path() / "text.sqlite"), InputError);
  Database other(place.path() / "other.sqlite", Database::Access::write);
  other.run("CREATE TABLE x (y)");
  CHECK_THROWS_WITH(open_to_read(place.path() / "other.sqlite"), Contains("no store of a sweep"));
  other.run("PRAGMA user_version = 99");
  CHECK_THROWS_WITH(Store(place.path() / "other.sqlite"), Contains("version 99"));
}

TEST_CASE("submissions stay open until they are closed") {
  const TemporaryFolder place;
  {
    Store store(place.path() / store_name);
    store.add_submission({"17", 1, true});
    store.add_submission({"19", 2, true});
    store.close_submission("17");
  }
  const auto submissions = Store(place.path() / store_name).submissions();
  REQUIRE(submissions.size() == 2);
  CHECK_FALSE(submissions[0].is_open);
  CHECK(submissions[1].is_open);
  CHECK(submissions[1].generation == 2);
}
