// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/sweep/batch.hpp"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <cstdio>
#include <deque>
#include <fstream>
#include <thread>

#include "models/core/input_file.hpp"
#include "platforms/cli/print.hpp"
#include "platforms/cli/sweep/point_runner.hpp"
#include "platforms/cli/sweep/spool.hpp"
#include "platforms/report/format/json_place.hpp"

namespace reconverge::cli {

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using report::JsonPlace;
using namespace std::chrono_literals;

json::array texts(const std::vector<std::string>& words) {
  json::array array;
  for (const std::string& word : words) array.emplace_back(word);
  return array;
}

std::vector<std::string> texts_from(const JsonPlace& place) {
  std::vector<std::string> words;
  for (const JsonPlace& item : place.items()) words.push_back(item.text());
  return words;
}

Batch read_batch(const fs::path& file) {
  const std::string name = file.generic_string();
  const json::value document = report::parse_json(read_input(file, input::report), name);
  const JsonPlace place(document, name);
  Batch batch;
  batch.generation = static_cast<int>(place.at("generation").count());
  batch.program = place.at("program").text();
  batch.lease = std::chrono::seconds(place.at("lease_seconds").count());
  if (const auto plugins = texts_from(place.at("plugins")); !plugins.empty()) batch.options.plugins = Plugins(plugins);
  batch.options.limits.cycles = place.at("max_cycles").count();
  batch.options.limits.seconds = static_cast<double>(place.at("max_milliseconds").count()) / 1000;
  batch.options.keep_reports = place.at("keep_reports").flag();
  for (const JsonPlace& each : place.at("points").items()) {
    sweep::Point point;
    point.digest = each.at("digest").text();
    point.experiment = each.at("experiment").text();
    point.file = each.at("file").text();
    point.overrides = texts_from(each.at("overrides"));
    batch.points.push_back(std::move(point));
  }
  return batch;
}

/// Runs a batch, and writes each start and end to standard output, which is the task's log.
class Worker {
 public:
  Worker(const fs::path& sweep, const Batch& batch) : sweep_(sweep), batch_(batch), spool_(sweep / "spool") {
    for (std::size_t i = 0; i < batch.points.size(); ++i) left_.push_back(i);
  }

  ExitCode run() {
    while (true) {
      run_once();
      if (interrupt_.requested()) return ExitCode::interrupted;
      if (left_.empty() || spool_.is_revoked(batch_.generation)) return ExitCode::success;
      // The rest is held by jobs of an earlier generation, which end or are lost.
      std::this_thread::sleep_for(1s);
    }
  }

 private:
  void run_once() {
    std::deque<std::size_t> candidates;
    candidates.swap(left_);
    const PointRunner runner{batch_.points,
                             batch_.options,
                             sweep_,
                             1,
                             interrupt_,
                             false,
                             [&] { return next(candidates); },
                             [&](std::size_t point, auto record) { ended(point, std::move(record)); },
                             [&](std::span<const TaskProgress> running) {
                               for (const TaskProgress& each : running) spool_.renew(digest_of(each.task));
                             },
                             std::chrono::duration_cast<std::chrono::milliseconds>(batch_.lease) / 5};
    runner.run();
    left_.insert(left_.end(), candidates.begin(), candidates.end());
  }

  const std::string& digest_of(std::size_t point) const { return batch_.points[point].digest; }

  std::optional<std::size_t> next(std::deque<std::size_t>& candidates) {
    while (!candidates.empty() && !interrupt_.requested() && !spool_.is_revoked(batch_.generation)) {
      const std::size_t point = candidates.front();
      candidates.pop_front();
      if (spool_.has_result(digest_of(point))) continue;
      if (!spool_.claim(digest_of(point), batch_.lease)) {
        left_.push_back(point);
        continue;
      }
      print_formatted("begin {} {}\n", digest_of(point), label_of(batch_.points[point]));
      std::fflush(stdout);  // the log tells what was lost with a job that is killed
      return point;
    }
    return std::nullopt;
  }

  void ended(std::size_t point, const std::optional<sweep::PointRecord>& record) {
    if (record) spool_.publish(*record);
    print_formatted("end {} {}\n", digest_of(point), record ? record->status : "interrupted");
    spool_.release(digest_of(point));
    std::fflush(stdout);
  }

  fs::path sweep_;
  const Batch& batch_;
  Spool spool_;
  InterruptGuard interrupt_;
  std::deque<std::size_t> left_;
};

}  // namespace

fs::path batch_file(const fs::path& spool, int generation, std::size_t index) {
  return spool / fmt::format("generation-{}", generation) / fmt::format("batch-{}.json", index);
}

void write_batch(const fs::path& file, const Batch& batch) {
  json::array points;
  for (const sweep::Point& point : batch.points) {
    points.push_back({{"digest", point.digest},
                      {"experiment", point.experiment},
                      {"file", point.file},
                      {"overrides", texts(point.overrides)}});
  }
  const json::object document{{"generation", batch.generation},
                              {"program", batch.program},
                              {"lease_seconds", static_cast<std::int64_t>(batch.lease.count())},
                              {"plugins", texts(batch.options.plugins.files())},
                              {"max_cycles", batch.options.limits.cycles},
                              {"max_milliseconds", static_cast<std::uint64_t>(batch.options.limits.seconds * 1000)},
                              {"keep_reports", batch.options.keep_reports},
                              {"points", std::move(points)}};
  fs::create_directories(file.parent_path());
  std::ofstream stream(file, std::ios::binary);
  stream << json::serialize(document) << '\n';
  stream.close();
  if (stream.fail()) throw InputError({file.generic_string()}, "the batch cannot be written", "is the disk full?");
}

ExitCode run_batch(const fs::path& sweep, int generation, std::size_t index) {
  const Batch batch = read_batch(batch_file(sweep / "spool", generation, index));
  if (PointDigests(batch.options).program() != batch.program)
    throw InputError({}, "this is another program than the one that planned the sweep",
                     "install the same version on all hosts");
  return Worker(sweep, batch).run();
}

}  // namespace reconverge::cli
