// SPDX-License-Identifier: Apache-2.0
#include "tests/cosim/waves_reader.hpp"

#include <gtkwave/fstapi.h>

#include <memory>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace reconverge::tests {

namespace {

struct Close {
  void operator()(void* reader) const { fstReaderClose(reader); }
};

/// "data_i [7:0]" has the name data_i.
std::string without_range(const std::string& name) { return name.substr(0, name.find(' ')); }

std::string joined(const std::vector<std::string>& scopes, const std::string& name) {
  std::string all;
  for (const std::string& scope : scopes) all += scope + '.';
  return all + name;
}

using Changes = std::map<fstHandle, std::map<std::uint64_t, std::string>>;

void note_change(void* changes, std::uint64_t time, fstHandle signal, const unsigned char* value) {
  (*static_cast<Changes*>(changes))[signal][time] = reinterpret_cast<const char*>(value);
}

}  // namespace

std::string ReadSignal::at(std::uint64_t time) const {
  const auto next = changes.upper_bound(time);
  return next == changes.begin() ? std::string() : std::prev(next)->second;
}

ReadSignals read_fst(const std::filesystem::path& file) {
  const std::unique_ptr<void, Close> reader(fstReaderOpen(file.c_str()));
  if (!reader) throw std::runtime_error(file.string() + " is no FST");
  Changes changes;
  fstReaderSetFacProcessMaskAll(reader.get());
  if (fstReaderIterBlocks(reader.get(), note_change, &changes, nullptr) == 0) throw std::runtime_error("no blocks");
  ReadSignals signals;
  std::vector<std::string> scopes;
  while (const fstHier* const part = fstReaderIterateHier(reader.get())) {
    if (part->htyp == FST_HT_SCOPE) scopes.emplace_back(part->u.scope.name);
    if (part->htyp == FST_HT_UPSCOPE) scopes.pop_back();
    if (part->htyp != FST_HT_VAR) continue;
    const auto& var = part->u.var;
    const std::string name = joined(scopes, without_range(var.name));
    if (!signals.emplace(name, ReadSignal{var.length, changes[var.handle]}).second) {
      throw std::runtime_error(name + " is there twice");
    }
  }
  return signals;
}

ReadSignals read_vcd(const std::string& text) {
  ReadSignals signals;
  std::map<std::string, std::vector<std::string>> names;  // of codes
  std::vector<std::string> scopes;
  std::istringstream words(text);
  std::string word, name, code;
  std::uint64_t time = 0;
  const auto change = [&](const std::string& value) {
    for (const std::string& one : names.at(code)) signals[one].changes[time] = value;
  };
  while (words >> word) {
    if (word == "$scope") {
      words >> word >> scopes.emplace_back();
    } else if (word == "$upscope") {
      scopes.pop_back();
    } else if (word == "$var") {
      unsigned width = 0;
      words >> word >> width >> code >> name;
      names[code].push_back(joined(scopes, name));
      signals[joined(scopes, name)].width = width;
      while (word != "$end" && words >> word) {
      }
    } else if (word.front() == '#') {
      time = std::stoull(word.substr(1));
    } else if (word.front() == 'b') {
      words >> code;
      change(word.substr(1));
    } else if (word.front() == '$') {
      while (word != "$end" && word != "$dumpvars" && words >> word) {
      }
    } else {
      code = word.substr(1);
      change(word.substr(0, 1));
    }
  }
  return signals;
}

}  // namespace reconverge::tests
