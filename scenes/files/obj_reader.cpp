// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <vector>

#include "models/core/error.hpp"
#include "models/core/input_file.hpp"
#include "scenes/files/mesh_readers.hpp"

namespace reconverge::scenes {

namespace {

/// The words of a text, line by line. A backslash at the end of a line continues it on the next.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}

  /// False at the end of the text.
  bool next() {
    words_.clear();
    if (at_ >= text_.size()) return false;
    while (take_line()) {
    }
    return true;
  }
  std::uint32_t number() const { return number_; }
  const std::vector<std::string_view>& words() const { return words_; }

 private:
  /// Returns whether the line continues.
  bool take_line() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view line = text_.substr(at_, end - at_);
    at_ = end + 1;
    ++number_;
    line = line.substr(0, line.find('#'));
    while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
    const bool goes_on = line.ends_with('\\') && at_ < text_.size();
    if (goes_on) line.remove_suffix(1);
    split(line);
    return goes_on;
  }

  void split(std::string_view line) {
    while (!line.empty()) {
      std::size_t end = 0;
      while (end < line.size() && !is_blank(line[end])) ++end;
      if (end != 0) words_.push_back(line.substr(0, end));
      line.remove_prefix(std::min(end + 1, line.size()));
    }
  }

  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t number_ = 0;
  std::vector<std::string_view> words_;
};

class ObjReader {
 public:
  ObjReader(const SceneFile& file, LoadedMesh& into) : file_(file), into_(into) {}

  void read() {
    for (const std::filesystem::path& library : material_files(file_)) {
      read_library(library.string(), read_input(library, input::materials));
    }
    Lines lines(file_.bytes);
    while (lines.next()) {
      place_ = {file_.name, lines.number(), 0};
      if (!lines.words().empty()) read_line(lines.words());
    }
    for (const Face& face : faces_) {
      add_polygon(into_, std::span(corners_).subspan(face.first, face.count), face.material);
    }
  }

 private:
  struct Face {
    std::size_t first = 0;
    std::size_t count = 0;
    std::uint32_t material = 0;
  };

  void read_line(const std::vector<std::string_view>& words) {
    const std::string_view keyword = words.front();
    const auto rest = std::span(words).subspan(1);
    if (keyword == "v") {
      into_.mesh.positions.push_back(vector(rest));
    } else if (keyword == "f") {
      read_face(rest);
    } else if (keyword == "l" || keyword == "p") {
      ++into_.repairs.other_primitives;
    } else if (keyword == "usemtl" && !rest.empty()) {
      use_material(std::string(rest.front()));
    }
  }

  float number(std::string_view word) const {
    if (word.starts_with('+')) word.remove_prefix(1);
    double value = 0;
    const auto parsed = std::from_chars(word.data(), word.data() + word.size(), value);
    // Numbers out of range are dropped together with their triangles.
    const bool whole = parsed.ptr == word.data() + word.size() && parsed.ec != std::errc::invalid_argument;
    if (!whole) throw InputError(place_, fmt::format("'{}' is not a number", word));
    return parsed.ec == std::errc{} ? static_cast<float>(value) : NAN;
  }

  Vec3 vector(std::span<const std::string_view> words) const {
    if (words.size() < 3) throw InputError(place_, "three numbers are needed here");
    return {number(words[0]), number(words[1]), number(words[2])};
  }

  /// `7`, `7/1`, `7//2`, `-1/...`: the part before the slash, counted from one or, if negative, from the last vertex.
  std::uint32_t corner(std::string_view word) const {
    const std::string_view digits = word.substr(0, word.find('/'));
    std::int64_t index = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (parsed.ptr != digits.data() + digits.size() || parsed.ec == std::errc::invalid_argument) {
      throw InputError(place_, fmt::format("'{}' is no corner of a face", word), "write vertex, vertex/texture/normal");
    }
    if (parsed.ec != std::errc{} || index == 0) return no_corner;
    const auto vertices = static_cast<std::int64_t>(into_.mesh.positions.size());
    if (index < -vertices || index >= no_corner) return no_corner;
    return static_cast<std::uint32_t>(index > 0 ? index - 1 : vertices + index);
  }

  /// Faces may refer to later vertices, so they are split at the end.
  void read_face(std::span<const std::string_view> words) {
    if (!material_) use_material("default");
    faces_.push_back({corners_.size(), words.size(), *material_});
    for (const std::string_view word : words) corners_.push_back(corner(word));
  }

  void use_material(const std::string& name) {
    const auto [known, is_new] = materials_.try_emplace(name, 0);
    if (is_new) {
      const auto found = library_.find(name);
      known->second = add_material(into_.mesh, name, found == library_.end() ? Appearance{} : found->second);
    }
    material_ = known->second;
  }

  void read_library(const std::string& name, const std::string& text) {
    Lines lines(text);
    Appearance* material = nullptr;
    while (lines.next()) {
      place_ = {name, lines.number(), 0};
      const auto words = std::span(lines.words());
      if (words.size() < 2) continue;
      if (words[0] == "newmtl") {
        material = &library_[std::string(words[1])];
        *material = {};
      } else if (material != nullptr) {
        read_material(words, *material);
      }
    }
  }

  void read_material(std::span<const std::string_view> words, Appearance& material) const {
    if (words[0] == "Ns") {
      // Converts Blinn's exponent to the microfacet roughness of the same highlight width (Walter et al., EGSR 2007,
      // section 5.2).
      material.roughness = std::sqrt(2.0F / (std::max(number(words[1]), 0.0F) + 2.0F));
    }
    // `Kd spectral file` and similar forms are not colours.
    if (words.size() < 4 || words[1] == "spectral" || words[1] == "xyz") return;
    if (words[0] == "Kd") material.albedo = vector(words.subspan(1));
    if (words[0] == "Ke") material.emission = vector(words.subspan(1));
    if (words[0] == "Ks") material.mirror = luminance(vector(words.subspan(1)));
  }

  const SceneFile& file_;
  LoadedMesh& into_;
  SourceLocation place_;
  std::vector<std::uint32_t> corners_;
  std::vector<Face> faces_;
  std::map<std::string, Appearance> library_;
  std::map<std::string, std::uint32_t> materials_;
  std::optional<std::uint32_t> material_;
};

}  // namespace

void read_obj(const SceneFile& file, LoadedMesh& into) { ObjReader(file, into).read(); }

}  // namespace reconverge::scenes
