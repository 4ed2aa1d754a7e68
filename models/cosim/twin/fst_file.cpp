// SPDX-License-Identifier: Apache-2.0
// Writes FST with GTKWave's writer, which comes with Verilator.

#include <fmt/format.h>
#include <gtkwave/fstapi.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <unordered_map>

#include "models/cosim/twin/gtkwave.hpp"
#include "models/cosim/twin/waves.hpp"

namespace reconverge::twin {

namespace {

constexpr int hundred_picoseconds = -10;  // 10^-10 s

/// The writer needs a file with a name, and creates others in the same folder.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_((std::filesystem::temp_directory_path() / "reconverge-XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr) throw std::system_error(errno, std::generic_category(), path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string file() const { return path_ + "/signals.fst"; }

 private:
  std::string path_;
};

class FstWriter {
 public:
  explicit FstWriter(const std::string& file) : writer_(fstWriterCreate(file.c_str(), 1)) {
    if (!writer_) throw std::system_error(errno, std::generic_category(), file);
    fstWriterSetDate(writer_.get(), "");  // the same run writes the same bytes
    fstWriterSetVersion(writer_.get(), "Reconverge");
    fstWriterSetTimescale(writer_.get(), hundred_picoseconds);
  }

  void enter(const std::string& scope) { fstWriterSetScope(writer_.get(), FST_ST_VCD_MODULE, scope.c_str(), nullptr); }
  void leave() { fstWriterSetUpscope(writer_.get()); }
  /// `alias`: the same signal under another name; 0: none.
  fstHandle declare(const DeclaredSignal& signal, fstHandle alias) {
    const std::string name = signal.range.empty() ? signal.name : fmt::format("{} {}", signal.name, signal.range);
    return fstWriterCreateVar(writer_.get(), FST_VT_VCD_WIRE, FST_VD_IMPLICIT, signal.width, name.c_str(), alias);
  }
  void go_to(std::uint64_t time) { fstWriterEmitTimeChange(writer_.get(), time); }
  void change(fstHandle signal, const std::string& value) {
    fstWriterEmitValueChange(writer_.get(), signal, value.c_str());
  }

 private:
  struct Close {
    void operator()(void* writer) const { fstWriterClose(writer); }
  };
  std::unique_ptr<void, Close> writer_;
};

/// The scopes that are open.
class OpenScopes {
 public:
  explicit OpenScopes(FstWriter& writer) : writer_(writer) {}

  void go_to(const std::vector<std::string>& wanted) {
    const auto parts = std::ranges::mismatch(open_, wanted);
    const auto common = static_cast<std::size_t>(parts.in1 - open_.begin());
    for (; open_.size() > common; open_.pop_back()) writer_.leave();
    while (open_.size() < wanted.size()) writer_.enter(open_.emplace_back(wanted[open_.size()]));
  }

 private:
  FstWriter& writer_;
  std::vector<std::string> open_;
};

std::vector<std::string> parts_of(const std::string& scope) {
  std::vector<std::string> parts;
  std::istringstream in(scope);
  for (std::string part; std::getline(in, part, '.');) parts.push_back(part);
  return parts;
}

/// Reads a stream, one time after another.
class ReadStream {
 public:
  static constexpr std::uint64_t ended = std::numeric_limits<std::uint64_t>::max();

  ReadStream(SignalStream& stream, FstWriter& writer, OpenScopes& scopes) : body_(stream.body), writer_(writer) {
    const std::vector<std::string> below = parts_of(stream.scope);
    for (const DeclaredSignal& signal : declared_signals(stream.header)) {
      std::vector<std::string> wanted = below;
      // `below` replaces the outermost scope of the RTL.
      if (!signal.scopes.empty()) wanted.insert(wanted.end(), signal.scopes.begin() + 1, signal.scopes.end());
      scopes.go_to(wanted);
      const fstHandle handle = writer.declare(signal, known(signal.code));
      handles_.emplace(signal.code, handle);
    }
    body_.rewind();
    find_time();
  }

  /// The time of the next changes.
  std::uint64_t time() const { return time_; }

  /// Writes the changes of this time.
  void write() {
    while (body_.next_line(line_)) {
      if (line_.empty()) continue;
      if (line_.front() == '#') return read_time();
      const bool bus = line_.front() == 'b';
      const std::size_t end = bus ? line_.find(' ') : 1;
      const fstHandle handle = known(line_.substr(bus ? end + 1 : end));
      if (handle == 0) throw std::logic_error("a signal that was not declared: " + line_);
      writer_.change(handle, line_.substr(bus ? 1 : 0, bus ? end - 1 : 1));
    }
    time_ = ended;
  }

 private:
  fstHandle known(const std::string& code) const {
    const auto found = handles_.find(code);
    return found == handles_.end() ? 0 : found->second;
  }
  void read_time() { time_ = std::stoull(line_.substr(1)); }
  void find_time() {
    while (body_.next_line(line_)) {
      if (line_.starts_with('#')) return read_time();
    }
    time_ = ended;
  }

  SpooledText& body_;
  FstWriter& writer_;
  std::unordered_map<std::string, fstHandle> handles_;
  std::string line_;
  std::uint64_t time_ = 0;
};

void write(const std::vector<SignalStream*>& streams, const std::string& file) {
  FstWriter writer(file);
  OpenScopes scopes(writer);
  std::vector<ReadStream> reading;
  reading.reserve(streams.size());
  for (SignalStream* const stream : streams) reading.emplace_back(*stream, writer, scopes);
  scopes.go_to({});
  for (;;) {
    const std::uint64_t next = std::ranges::min_element(reading, {}, &ReadStream::time)->time();
    if (next == ReadStream::ended) return;
    writer.go_to(next);
    for (ReadStream& stream : reading) {
      if (stream.time() == next) stream.write();
    }
  }
}

}  // namespace

bool can_write_waves() { return true; }

std::string fst_of(const std::vector<SignalStream*>& streams) {
  const TemporaryFolder folder;
  write(streams, folder.file());
  if (take_write_error()) throw std::system_error(ENOSPC, std::generic_category(), folder.file());
  std::ifstream in(folder.file(), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace reconverge::twin
