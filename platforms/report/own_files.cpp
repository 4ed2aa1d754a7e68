// SPDX-License-Identifier: Apache-2.0
#include "platforms/report/own_files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <memory>

#include "models/core/digest.hpp"
#include "platforms/report/format/report_format.hpp"
#include "platforms/report/output_error.hpp"
#include "platforms/report/pending_file.hpp"

namespace reconverge::report {

namespace {

namespace json = boost::json;

constexpr std::string_view seal_begins = "$comment SHA-256 of all lines before this one: ";
constexpr std::string_view seal_ends = " $end\n";
constexpr std::size_t digest_length = 64;
constexpr std::size_t most_manifest_bytes = std::size_t{1} << 26U;

std::vector<std::string> entries_of(const Descriptor& folder) {
  const int copy = openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(copy < 0 ? nullptr : fdopendir(copy), &closedir);
  if (stream == nullptr) throw OutputError(folder.path(), reason_of(errno));
  std::vector<std::string> names;
  while (const dirent* entry = readdir(stream.get())) {
    if (std::string name = entry->d_name; name != "." && name != "..") names.push_back(std::move(name));
  }
  std::ranges::sort(names);
  return names;
}

/// The digest of a plain file up to that position; nothing if there is none, or it is shorter.
std::optional<std::string> digest_of(const Descriptor& folder, const std::string& name, off_t end) {
  Sha256 hash;
  auto left = static_cast<std::uint64_t>(end);
  const bool is_read = read_plain(folder, name, [&](std::string_view piece) {
    hash.add(piece.substr(0, left));
    left -= std::min<std::uint64_t>(left, piece.size());
    return left != 0;
  });
  return is_read && left == 0 ? std::optional(hash.digits()) : std::nullopt;
}

/// Checks the end first, as a file of such a name may be large.
bool is_sealed(const Descriptor& folder, const std::string& name, off_t size) {
  constexpr std::size_t seal = seal_begins.size() + digest_length + seal_ends.size();
  const off_t first = size - static_cast<off_t>(seal);
  if (first < 0) return false;
  std::string end;
  const auto take = [&end](std::string_view piece) {
    end += piece;
    return end.size() < seal;
  };
  if (!read_plain(folder, name, take, first) || !end.starts_with(seal_begins)) return false;
  const auto digest = digest_of(folder, name, first);
  return digest && end == fmt::format("{}{}{}", seal_begins, *digest, seal_ends);
}

std::optional<std::string> bytes_of(const Descriptor& folder, const std::string& name) {
  std::string bytes;
  const auto take = [&bytes](std::string_view piece) {
    bytes += piece;
    return bytes.size() <= most_manifest_bytes;
  };
  return read_plain(folder, name, take) ? std::optional(std::move(bytes)) : std::nullopt;
}

std::string text_of(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string();
}

}  // namespace

std::optional<std::vector<ListedFile>> listed_files(std::string_view manifest) {
  boost::system::error_code error;
  const json::value document = json::parse(manifest, error);
  if (error || !document.is_object()) return std::nullopt;
  const json::object& object = document.as_object();
  const json::value* version = object.if_contains("schema_version");
  const json::value* outputs = object.if_contains("outputs");
  const bool is_known =
      version != nullptr && version->is_int64() && version->get_int64() >= 1 && version->get_int64() <= schema_version;
  if (text_of(object, "format") != manifest_format || !is_known || outputs == nullptr || !outputs->is_array()) {
    return std::nullopt;
  }
  std::vector<ListedFile> files;
  for (const json::value& output : outputs->as_array()) {
    if (!output.is_object()) return std::nullopt;
    ListedFile file{text_of(output.as_object(), "file"), text_of(output.as_object(), "sha256")};
    // Files of a report are in its folder.
    const bool is_name = !file.name.empty() && file.name.front() != '.' && file.name.find('/') == std::string::npos;
    if (!is_name || file.sha256.size() != digest_length) return std::nullopt;
    files.push_back(std::move(file));
  }
  return files;
}

std::string sealed(std::string bytes) {
  if (!bytes.empty() && bytes.back() != '\n') bytes += '\n';
  const std::string digest = sha256(bytes);
  return fmt::format("{}{}{}{}", bytes, seal_begins, digest, seal_ends);
}

OwnFiles::OwnFiles(const Descriptor& folder) : folder_(folder), entries_(entries_of(folder)) {
  for (const std::string& name : entries_) {
    const bool is_temporary = is_temporary_name(name);
    if (name != manifest_name && !is_temporary) continue;
    const auto found = look_at(folder, name);
    if (!found || !S_ISREG(found->st_mode)) continue;
    if (is_temporary && found->st_uid == geteuid()) temporaries_.push_back(name);
    // Not read: a file left by a killed run may be an output of any size.
    if (static_cast<std::uint64_t>(found->st_size) > most_manifest_bytes) continue;
    const auto bytes = bytes_of(folder, name);
    const auto listed = bytes ? listed_files(*bytes) : std::nullopt;
    if (!listed) continue;
    if (!is_temporary) has_own_manifest_ = true;
    add(*listed);
  }
}

void OwnFiles::add(const std::vector<ListedFile>& listed) {
  has_manifest_ = true;
  for (const ListedFile& file : listed) {
    names_.push_back(file.name);
    digests_.emplace(file.name, file.sha256);
  }
}

std::string OwnFiles::first_but(const std::vector<std::string>& known) const {
  const auto is_known = [&](const std::string& name) {
    return std::ranges::find(known, name) != known.end() || std::ranges::find(temporaries_, name) != temporaries_.end();
  };
  const auto found = std::ranges::find_if_not(entries_, is_known);
  return found == entries_.end() ? std::string() : *found;
}

bool OwnFiles::has(const std::string& name) const {
  if (name == manifest_name) return has_own_manifest_;
  const auto found = look_at(folder_, name);
  if (!found || !S_ISREG(found->st_mode)) return false;
  const auto [begin, end] = digests_.equal_range(name);
  if (begin == end) return is_sealed(folder_, name, found->st_size);
  const auto digest = digest_of(folder_, name, found->st_size);
  return digest && std::any_of(begin, end, [&](const auto& each) { return each.second == *digest; });
}

}  // namespace reconverge::report
