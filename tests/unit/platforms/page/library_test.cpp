// SPDX-License-Identifier: Apache-2.0
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "models/core/digest.hpp"
#include "platforms/page/template.hpp"

using namespace reconverge;
namespace json = boost::json;

namespace {

const std::filesystem::path library = std::filesystem::path(RECONVERGE_SOURCE_DIR) / "platforms/page/uplot";

std::string read(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

TEST_CASE("the files of the chart library match the digests in its package.json") {
  const json::object package = json::parse(read(library / "package.json")).as_object();
  CHECK(package.at("name") == "uplot");
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(library)) {
    const std::string name = entry.path().filename().string();
    if (name == "package.json") continue;
    INFO(name);
    CHECK(package.at("sha256").at(name) == json::value(sha256_of_file(entry.path())));
    ++files;
  }
  CHECK(files == package.at("sha256").as_object().size());
}

TEST_CASE("the program contains the whole page") {
  const page::PageTemplate parts = page::page_template();
  CHECK(parts.before_title.starts_with("<!doctype html>"));
  CHECK(parts.before_title.ends_with("<title>"));
  CHECK(parts.before_data.find(read(library / "uPlot.min.css")) != std::string_view::npos);
  CHECK(parts.before_data.ends_with("<script type=\"application/json\" id=\"data\">"));
  CHECK(parts.after_data.find(read(library / "uPlot.iife.min.js")) != std::string_view::npos);
  CHECK(parts.after_data.ends_with("</html>\n"));
}
