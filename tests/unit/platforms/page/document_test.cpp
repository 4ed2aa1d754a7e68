// SPDX-License-Identifier: Apache-2.0
#include "platforms/page/document.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <catch2/catch.hpp>

#include "platforms/page/base64.hpp"
#include "platforms/page/page_size.hpp"
#include "tests/unit/core/temporary_folder.hpp"
#include "tests/unit/platforms/page/sample_report.hpp"

using namespace reconverge;
using namespace reconverge::tests;
using Catch::Contains;
namespace json = boost::json;

namespace {

page::Run sample_run(const std::string& report) {
  const TemporaryFolder place;
  place.write("report.json", report);
  page::Run run = page::read_run(place.path());
  run.folder = "out/sample";
  return run;
}

/// The JSON of a page as a browser reads it, up to the first end of a script element.
std::string data_of(const std::string& page) {
  const std::string begin = R"(<script type="application/json" id="data">)";
  const std::size_t from = page.find(begin) + begin.size();
  return page.substr(from, page.find("</script>", from) - from);
}

}  // namespace

TEST_CASE("the page has the sections of every run, totals first") {
  const json::value data =
      page::page_data({sample_run(sample_ray_report()), sample_run(sample_launch_report())}, "two");
  CHECK(data.at("title") == "two");
  const json::array& sections = data.at("runs").at(0).at("sections").as_array();
  REQUIRE(sections.size() == 3);
  CHECK(sections[0].at("name") == "tracing");
  CHECK(sections[0].at("kind") == "sum");
  CHECK(sections[2].at("name") == "bounce 1");
  CHECK(sections[2].at("kind") == "stage");
  CHECK(sections[2].at("profile").at("instructions").at(0).at("branch").at("divergent") == 2);
  CHECK(data.at("runs").at(1).at("sections").at(1).at("kind") == "launch");
  CHECK(data.at("runs").at(1).at("partial") == true);
  CHECK(data.at("definitions").at("figures").at("cycles").at("unit") == "cycles");
  CHECK_FALSE(data.at("runs").at(0).as_object().contains("definitions"));
}

TEST_CASE("the page has the timeline of warps if it was recorded") {
  page::Run run = sample_run(sample_ray_report());
  CHECK_FALSE(page::page_data({run}, "").at("runs").at(0).as_object().contains("warps"));
  run.warps = trace::WarpTimeline{100, 200, {{"SM 0 warp 3", {{110, 120, 32, 7}, {130, 140, 5, 8}}}}};
  CHECK(json::serialize(page::page_data({run}, "").at("runs").at(0).at("warps")) ==
        R"({"begin":100,"end":200,"rows":[{"name":"SM 0 warp 3","spans":[[110,120,32,7],[130,140,5,8]]}]})");
}

TEST_CASE("no name ends its enclosing element") {
  using namespace std::string_literals;
  const std::string hostile = "</script><script>alert(1)</script><!-- \"'& \0\x01 \xe2\x80\xa8 \xff"s;
  page::Run run = sample_run(sample_ray_report());
  run.name = hostile;
  run.configuration.push_back({hostile, hostile, hostile, hostile});
  const std::string page = page::html_page({run}, hostile);
  const std::string data = data_of(page);
  CHECK(data.find_first_of("<>&") == std::string::npos);
  CHECK(data.find('\0') == std::string::npos);
  CHECK_THAT(page, Contains("<title>&lt;/script&gt;&lt;script&gt;"));
  // Only the byte that is not UTF-8 is changed.
  const std::string valid = hostile.substr(0, hostile.size() - 1);
  run.name = valid;
  run.configuration.back() = {valid, valid, valid, valid};
  const json::value back = json::parse(data_of(page::html_page({run}, valid)));
  CHECK(back.at("runs").at(0).at("name") == json::value(valid));
  CHECK(back.at("runs").at(0).at("configuration").at(0).at(3) == json::value(valid));
}

TEST_CASE("the same runs result in the same page, which needs no network") {
  const std::vector<page::Run> runs{sample_run(sample_ray_report())};
  const std::string page = page::html_page(runs, "room");
  CHECK(page == page::html_page(runs, "room"));
  CHECK_THAT(page, Contains("default-src 'none'"));
  CHECK(page.find("src=\"http") == std::string::npos);
  CHECK(page.find("<link rel=\"stylesheet\"") == std::string::npos);
}

TEST_CASE("paths of folders are relative to the folder of the page") {
  page::Run run = sample_run(sample_ray_report());
  run.folder = std::filesystem::absolute("out/sample").string();
  CHECK(page::page_data({run}, "", std::filesystem::current_path()).at("runs").at(0).at("folder") == "out/sample");
  run.folder = "out/sample";
  CHECK(page::page_data({run}, "", "pages").at("runs").at(0).at("folder") == "sample");
}

TEST_CASE("a picture is in the page as base64, only once if several runs have it") {
  page::Run run = sample_run(sample_ray_report());
  run.pictures.push_back({"picture.png", 2, 3, sample_png()});
  page::Run other = run;
  other.pictures.front().file = "y.png";
  other.pictures.push_back({"z.png", 2, 3, sample_png() + "more"});
  const json::value data = page::page_data({run, other}, "");
  CHECK(data.at("images") == json::value{page::base64(sample_png()), page::base64(sample_png() + "more")});
  CHECK(data.at("runs").at(0).at("pictures").at(0).at("image") == 0);
  CHECK(data.at("runs").at(1).at("pictures").at(0).at("image") == 0);
  CHECK(data.at("runs").at(1).at("pictures").at(0).at("file") == "y.png");
  CHECK(data.at("runs").at(1).at("pictures").at(1).at("image") == 1);
  // RFC 4648, section 10.
  CHECK(page::base64("").empty());
  CHECK(page::base64("f") == "Zg==");
  CHECK(page::base64("fo") == "Zm8=");
  CHECK(page::base64("foobar") == "Zm9vYmFy");
}

TEST_CASE("a page that is too large for browsers is refused") {
  CHECK_NOTHROW(page::check_page_size(std::string(2'000'000, 'x'), 2'000'000));
  CHECK_THROWS_WITH(page::check_page_size(std::string(2'000'001, 'x'), 2'000'000),
                    Contains("the page would have 2 MiB, and browsers take 2 MiB at most; give fewer folders"));
}

TEST_CASE("the sizes of the inputs of a page are checked before they are read") {
  const TemporaryFolder place;
  place.write("a/report.json", "12345");
  place.write("a/effective.yaml", "123");
  place.write("a/y.png", "1234");
  place.write("a/y.npy", "1234567");
  place.write("t", "12");
  const page::PageInput input =
      page::page_input({{place.path() / "a", place.path() / "none"}}, {{(place.path() / "t").string()}});
  CHECK(input.reports == 8);
  CHECK(input.pictures == 4);
  CHECK(input.traces == 2);
  CHECK(input.total() == 14);
}
