// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <boost/json/value.hpp>
#include <system_error>

#include "models/core/digest.hpp"
#include "models/core/error.hpp"
#include "models/core/input_file.hpp"
#include "platforms/page/check_report.hpp"
#include "platforms/page/effective.hpp"
#include "platforms/page/run.hpp"

namespace reconverge::page {

namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

constexpr std::string_view png_signature("\x89PNG\r\n\x1a\n", 8);
constexpr std::size_t png_header = 24;  ///< signature, length and name of the first chunk, width and height

std::string read_file(const fs::path& file) { return read_input(file, input::report); }

std::uint32_t big_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (const char byte : bytes.substr(0, 4)) value = value << 8U | static_cast<unsigned char>(byte);
  return value;
}

Picture read_picture(const fs::path& folder, const std::string& name) {
  const fs::path file = folder / name;
  std::string bytes = read_file(file);
  if (bytes.size() < png_header || !bytes.starts_with(png_signature))
    throw InputError({file.generic_string(), 0, 0}, "this is no PNG picture", "run the experiment again");
  const std::string_view view = bytes;
  return {name, big_endian(view.substr(16)), big_endian(view.substr(20)), std::move(bytes)};
}

/// The pictures that the report names and that still exist. A report names files in its own folder.
std::vector<Picture> read_pictures(const fs::path& folder, const JsonPlace& document) {
  std::vector<JsonPlace> files;
  if (const auto picture = document.find("picture")) files.push_back(picture->at("file"));
  if (const auto outputs = document.find("outputs")) {
    for (const JsonPlace& output : outputs->items()) files.push_back(output.at("file"));
  }
  std::vector<Picture> pictures;
  for (const JsonPlace& file : files) {
    const std::string name = file.text();
    if (!name.ends_with(".png")) continue;
    if (name.find('/') != std::string::npos || name.find('\0') != std::string::npos)
      file.refuse("is no file of the report's folder");
    if (is_there(folder / name)) pictures.push_back(read_picture(folder, name));
  }
  return pictures;
}

}  // namespace

Run read_run(const fs::path& folder) {
  const fs::path file = folder / "report.json";
  const std::string name = file.generic_string();
  const std::string text = read_file(file);
  json::value document = report::parse_json(text, name);
  const JsonPlace place(document, name);
  check_report(place);
  Run run;
  run.name = place.at("experiment").text();
  run.folder = folder.generic_string();
  run.pictures = read_pictures(folder, place);
  if (const fs::path effective = folder / "effective.yaml"; is_there(effective)) {
    run.configuration = read_effective(read_file(effective), effective.generic_string());
  }
  run.report = std::move(document.as_object());
  run.sha256 = sha256(text);
  return run;
}

}  // namespace reconverge::page
