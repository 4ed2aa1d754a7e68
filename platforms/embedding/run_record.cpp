// SPDX-License-Identifier: Apache-2.0
#include "platforms/embedding/run_record.hpp"

#include <cstdint>
#include <string>
#include <type_traits>

#include "models/core/host_error.hpp"

namespace reconverge::embedding {

namespace {

/// Both processes run the same code, so numbers are as in memory.
class Writer {
 public:
  explicit Writer(std::FILE* file) : file_(file) {}

  template <typename Number>
  requires std::is_trivially_copyable_v<Number>
  void operator()(const Number& number) { put(&number, sizeof number); }
  void operator()(const std::string& text) {
    (*this)(text.size());
    put(text.data(), text.size());
  }
  void operator()(const report::OutputFile& output) {
    (*this)(output.name);
    (*this)(output.bytes);
  }
  template <typename Item>
  void operator()(const std::vector<Item>& items) {
    (*this)(items.size());
    for (const Item& item : items) (*this)(item);
  }

 private:
  void put(const void* bytes, std::size_t size) {
    if (std::fwrite(bytes, 1, size, file_) != size) throw HostError("the result of a run cannot be written");
  }

  std::FILE* file_;
};

class Reader {
 public:
  explicit Reader(std::FILE* file) : file_(file) {}

  template <typename Number>
  requires std::is_trivially_copyable_v<Number>
  void operator()(Number& number) { get(&number, sizeof number); }
  void operator()(std::string& text) {
    text.resize(size());
    get(text.data(), text.size());
  }
  void operator()(report::OutputFile& output) {
    (*this)(output.name);
    (*this)(output.bytes);
  }
  template <typename Item>
  void operator()(std::vector<Item>& items) {
    items.resize(size());
    for (Item& item : items) (*this)(item);
  }

 private:
  std::size_t size() {
    std::size_t size = 0;
    (*this)(size);
    return size;
  }
  void get(void* bytes, std::size_t size) {
    if (std::fread(bytes, 1, size, file_) != size) throw HostError("the result of a run is incomplete");
  }

  std::FILE* file_;
};

/// Writes or reads all members.
template <typename Archive, typename Report>
void exchange_report(Archive& archive, Report& report) {
  archive(report.json);
  archive(report.table);
  archive(report.printed);
  archive(report.partial);
  archive(report.passed);
  archive(report.warnings);
  archive(report.outputs);
}

template <typename Archive, typename Failure>
void exchange_failure(Archive& archive, Failure& failure) {
  archive(failure.kind);
  archive(failure.message);
  archive(failure.location.file);
  archive(failure.location.line);
  archive(failure.location.column);
  archive(failure.hint);
}

}  // namespace

void write_run(const RunEnd& end, std::FILE* file) {
  Writer writer(file);
  const bool failed = std::holds_alternative<HostFailure>(end);
  writer(failed);
  if (failed) {
    exchange_failure(writer, std::get<HostFailure>(end));
  } else {
    exchange_report(writer, std::get<ExperimentReport>(end));
  }
  if (std::fflush(file) != 0) throw HostError("the result of a run cannot be written");
}

RunEnd read_run(std::FILE* file) {
  Reader reader(file);
  bool failed = false;
  reader(failed);
  if (!failed) {
    ExperimentReport report;
    exchange_report(reader, report);
    return report;
  }
  HostFailure failure;
  exchange_failure(reader, failure);
  return failure;
}

}  // namespace reconverge::embedding
