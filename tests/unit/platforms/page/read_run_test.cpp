// SPDX-License-Identifier: Apache-2.0
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <catch2/catch.hpp>
#include <random>

#include "models/core/error.hpp"
#include "platforms/page/document.hpp"
#include "platforms/page/run.hpp"
#include "tests/unit/core/temporary_folder.hpp"
#include "tests/unit/platforms/page/sample_report.hpp"

using namespace reconverge;
using namespace reconverge::tests;
using Catch::Contains;
namespace json = boost::json;

namespace {

/// The error for a report with this text; empty if there is none.
std::string refusal_of(const TemporaryFolder& place, const std::string& text) {
  place.write("report.json", text);
  try {
    page::html_page({page::read_run(place.path())}, "title");
    return {};
  } catch (const InputError& error) {
    return error.what();
  }
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

/// Calls `visit` with every value of a document.
template <typename Visit>
void for_each_value(json::value& value, const Visit& visit) {
  visit(value);
  if (value.is_object()) {
    for (auto& member : value.get_object()) for_each_value(member.value(), visit);
  } else if (value.is_array()) {
    for (json::value& item : value.get_array()) for_each_value(item, visit);
  }
}

}  // namespace

TEST_CASE("a report is read with its configuration and its pictures") {
  const TemporaryFolder place;
  place.write("report.json", sample_ray_report());
  place.write("picture.png", sample_png());
  place.write("effective.yaml", "gpu:\n  sms: 15  # command line\n");
  const page::Run run = page::read_run(place.path());
  CHECK(run.name == "room");
  CHECK(run.folder == place.path().generic_string());
  REQUIRE(run.configuration.size() == 1);
  CHECK(run.configuration[0].key == "gpu.sms");
  REQUIRE(run.pictures.size() == 1);
  CHECK(run.pictures[0].width == 2);
  CHECK(run.pictures[0].height == 3);
  CHECK(run.pictures[0].png == sample_png());
}

TEST_CASE("pictures among a launch's outputs are read, unless the file is missing") {
  const TemporaryFolder place;
  place.write("report.json", sample_launch_report());
  CHECK(page::read_run(place.path()).pictures.empty());
  place.write("y.png", sample_png());
  place.write("y.npy", "no picture");
  REQUIRE(page::read_run(place.path()).pictures.size() == 1);
  CHECK(page::read_run(place.path()).pictures[0].file == "y.png");
  place.write("y.png", "no picture");
  CHECK_THROWS_WITH(page::read_run(place.path()), Contains("y.png: this is no PNG picture"));
}

TEST_CASE("a broken report.json is refused with line and column") {
  const TemporaryFolder place;
  CHECK_THROWS_WITH(page::read_run(place.path()), Contains("report.json: there is no such file"));
  const std::string whole = sample_ray_report();
  CHECK_THAT(refusal_of(place, ""), Contains("report.json:1:1: this is not JSON: incomplete"));
  CHECK_THAT(refusal_of(place, "{\n  \"format\": oops}"), Contains("report.json:2:13: this is not JSON"));
  CHECK_THAT(refusal_of(place, whole + "}"), Contains("this is not JSON: extra data"));
  CHECK_THAT(refusal_of(place, whole.substr(0, whole.size() / 2)), Contains("this is not JSON: incomplete"));
  CHECK_THAT(refusal_of(place, std::string(100'000, '[')), Contains("this is not JSON"));
  CHECK_THAT(refusal_of(place, "[]"), Contains("the document is no object"));
  CHECK_THAT(refusal_of(place, replaced(whole, "\"room\"", "7")), Contains("experiment is no text"));
  CHECK_THAT(refusal_of(place, replaced(whole, "[[1, 3], [2, 2]]", "[[1, 3], [2]]")),
             Contains("stages[0].timeline.lanes[1] has 1 values, and 2 are expected"));
  CHECK_THAT(refusal_of(place, replaced(whole, "[4, 0]", "[4, -1]")),
             Contains("stages[0].profile.instructions[0].stalls[1] is no whole number from 0 on"));
  CHECK_THAT(refusal_of(place, replaced(whole, "[0, 6]", "[6]")),
             Contains("stages[0].profile.stalls_of_no_warp has 1 values, and 2 are expected"));
  CHECK_THAT(refusal_of(place, replaced(whole, "\"interval\": 1000", "\"interval\": 0")),
             Contains("interval is 0 cycles"));
  CHECK_THAT(refusal_of(place, replaced(whole, "\"kernel\": \"trace\", ", "")),
             Contains("stages[0].kernel is missing"));
}

TEST_CASE("lists with a number for each interval or cause are refused if numbers are missing") {
  const TemporaryFolder place;
  for (const std::string path : {"timeline/begin", "timeline/lanes", "timeline/lanes/1", "timeline/slots",
                                 "timeline/slots/0", "timeline/caches/l1/accesses", "timeline/caches/l1/hits",
                                 "timeline/dram_bytes", "profile/stalls_of_no_warp", "profile/instructions/0/stalls"}) {
    INFO(path);
    json::value document = json::parse(sample_ray_report());
    document.at_pointer("/stages/0/" + path).as_array().pop_back();
    CHECK_FALSE(refusal_of(place, json::serialize(document)).empty());
  }
}

TEST_CASE("a foreign or newer report.json is refused") {
  const TemporaryFolder place;
  CHECK_THAT(refusal_of(place, "{\"format\": \"reconverge manifest\", \"schema_version\": 1}"),
             Contains("format is 'reconverge manifest', which is no report of a run"));
  CHECK_THAT(refusal_of(place, "{}"), Contains("format is missing"));
  CHECK_THAT(refusal_of(place, replaced(sample_ray_report(), "\"schema_version\": 1", "\"schema_version\": 2")),
             Contains("schema_version is 2, and this program reads 1 and earlier ones"));
}

TEST_CASE("a report with a picture outside its folder is refused") {
  const TemporaryFolder place;
  for (const char* const name : {"../picture.png", "/etc/picture.png", "a/b.png", "a\\u0000.png"}) {
    CHECK_THAT(refusal_of(place, replaced(sample_ray_report(), "picture.png", name)),
               Contains("picture.file is no file of the report's folder"));
  }
}

TEST_CASE("a report value of another type is read or refused") {
  const TemporaryFolder place;
  const std::vector<json::value> others{nullptr, true, -1, 1e300, "text", json::array{1}, json::object{{"a", 1}}};
  for (const std::string& text : {sample_ray_report(), sample_launch_report()}) {
    json::value document = json::parse(text);
    std::size_t refused = 0;
    for_each_value(document, [&](json::value& value) {
      const json::value kept = value;
      for (const json::value& other : others) {
        value = other;
        refused += refusal_of(place, json::serialize(document)).empty() ? 0 : 1;
      }
      value = kept;
    });
    CHECK(refused > 100);
    CHECK(refusal_of(place, json::serialize(document)).empty());
  }
}

TEST_CASE("damaged bytes are read or refused") {
  const TemporaryFolder place;
  std::mt19937 random(7);
  const std::string whole = sample_ray_report();
  for (int round = 0; round < 1000; ++round) {
    std::string text = whole;
    for (int change = 0; change < 3; ++change) text[random() % text.size()] = static_cast<char>(random());
    if (random() % 4 == 0) text.resize(random() % text.size());
    CHECK_NOTHROW(refusal_of(place, text));
  }
}
