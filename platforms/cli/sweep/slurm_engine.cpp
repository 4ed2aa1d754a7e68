// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <thread>

#include "models/core/error.hpp"
#include "platforms/cli/execute.hpp"
#include "platforms/cli/sweep/batch.hpp"
#include "platforms/cli/sweep/engine.hpp"
#include "platforms/cli/sweep/slurm.hpp"
#include "platforms/cli/sweep/spool.hpp"

namespace reconverge::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_tasks = 1'000;      // Slurm's default limit of an array is 1,001
constexpr double seconds_of_batch = 300;       // starting a task takes Slurm a second or so
constexpr std::size_t points_of_batch = 16;    // as long as nothing is predicted
constexpr int most_fruitless_generations = 3;  // submissions without one result
constexpr double least_memory = 256.0 * 1024 * 1024;
constexpr std::chrono::seconds longest_cancel{60};

std::string shell_quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

class SlurmEngine : public Engine {
 public:
  SlurmEngine(std::string folder, SlurmOptions options)
      : folder_(fs::absolute(folder).lexically_normal()), options_(std::move(options)), spool_(folder_ / "spool") {}

  std::string_view name() const override { return "slurm"; }

  void run(SweepSession& session) override {
    take_results(session);
    adopt(session);
    int fruitless = 0;
    while (session.done() < session.points().size()) {
      if (session.interrupt().requested()) return cancel(session);
      if (jobs_.empty()) {
        const std::size_t before = session.added();
        submit(session);
        if (options_.detach) return;
        watch(session);
        fruitless = session.added() == before ? fruitless + 1 : 0;
        if (fruitless == most_fruitless_generations) return give_up(session);
      } else {
        if (options_.detach) return;
        watch(session);
      }
    }
    for (const std::string& job : jobs_) slurm::cancel(job);  // tasks that have nothing left to do
    close(session);
    spool_.remove();
  }

 private:
  void take_results(SweepSession& session) {
    spool_.take_results([&](const sweep::PointRecord& record) { session.record(record, name()); });
  }

  /// Continues to watch what an earlier process submitted.
  void adopt(SweepSession& session) {
    for (const sweep::Submission& each : session.store().submissions()) {
      generation_ = std::max(generation_, each.generation);
      if (each.is_open) jobs_.push_back(each.job);
    }
  }

  std::vector<std::vector<std::size_t>> batches_of(const SweepSession& session) const {
    std::vector<std::vector<std::size_t>> batches;
    const std::vector<std::size_t> left = session.undone();
    const std::size_t most = std::max<std::size_t>(options_.batch != 0 ? options_.batch : points_of_batch,
                                                   (left.size() + most_tasks - 1) / most_tasks);
    double seconds = 0;
    for (const std::size_t point : left) {
      const double expected = session.prediction().seconds(point).value_or(0);
      const bool by_time = options_.batch == 0 && expected > 0 && left.size() <= most_tasks;
      const bool is_full = batches.empty() || (by_time ? seconds + expected > seconds_of_batch && seconds > 0
                                                       : batches.back().size() == most);
      if (is_full) {
        batches.emplace_back();
        seconds = 0;
      }
      batches.back().push_back(point);
      seconds += expected;
    }
    return batches;
  }

  void submit(SweepSession& session) {
    ++generation_;
    const std::vector<std::vector<std::size_t>> batches = batches_of(session);
    const std::string program = PointDigests(session.options()).program();
    for (std::size_t i = 0; i < batches.size(); ++i) {
      Batch batch{generation_, program, std::chrono::seconds(options_.lease_seconds), session.options(), {}};
      for (const std::size_t point : batches[i]) batch.points.push_back(session.points()[point]);
      write_batch(batch_file(spool_.folder(), generation_, i), batch);
    }
    const std::string job = slurm::submit(write_script(), batches.size(), options_of(session, batches));
    session.store().add_submission({job, generation_, true});
    jobs_.push_back(job);
    session.say(
        fmt::format("Submitted {} points as Slurm job {} with {} tasks", session.undone().size(), job, batches.size()));
  }

  fs::path write_script() const {
    const fs::path script = spool_.folder() / fmt::format("generation-{}", generation_) / "task.sh";
    std::ofstream stream(script);
    // Without exec, the shell would not pass on the signal of scancel.
    stream << fmt::format("#!/bin/sh\ncd {} && exec {} sweep-batch {} {} \"$SLURM_ARRAY_TASK_ID\"\n",
                          shell_quoted(fs::current_path().string()),
                          shell_quoted(fs::read_symlink("/proc/self/exe").string()), shell_quoted(folder_.string()),
                          generation_);
    stream.close();
    if (stream.fail()) throw InputError({script.generic_string()}, "the script cannot be written", "is the disk full?");
    return script;
  }

  std::vector<std::string> options_of(const SweepSession& session,
                                      const std::vector<std::vector<std::size_t>>& batches) const {
    const fs::path logs = folder_ / "logs" / fmt::format("generation-{}", generation_);
    fs::create_directories(logs);
    std::vector<std::string> options{"--job-name=reconverge", "--ntasks=1", "--cpus-per-task=1",
                                     "--output=" + (logs / "task-%a.log").string()};
    double memory = 0;
    double seconds = 0;
    const double limit = session.options().limits.seconds;
    for (const auto& batch : batches) {
      double of_batch = 0;
      for (const std::size_t point : batch) {
        memory = std::max(memory, session.prediction().memory_bytes(point).value_or(0));
        of_batch += limit != 0 ? limit : 4 * session.prediction().seconds(point).value_or(0);
      }
      seconds = std::max(seconds, of_batch);
    }
    constexpr double mebibyte = 1024.0 * 1024;
    if (memory > 0)
      options.push_back(fmt::format("--mem={:.0f}M", std::ceil(2 * std::max(memory, least_memory) / mebibyte)));
    if (seconds > 0) options.push_back(fmt::format("--time={:.0f}", std::ceil(seconds / 60) + 10));
    options.insert(options.end(), options_.options.begin(), options_.options.end());
    return options;
  }

  /// Returns when no job is active, after an interrupt, or when all points have results.
  void watch(SweepSession& session) {
    const std::chrono::milliseconds interval(options_.poll_milliseconds);
    while (!session.interrupt().requested()) {
      std::size_t running = 0;
      bool is_active = false;
      for (const std::string& job : jobs_) {
        const std::optional<slurm::JobState> state = slurm::state_of(job);
        is_active = is_active || !state || state->is_active();
        if (state) running += state->running;
      }
      // Results that are there when the jobs have ended are all that come.
      take_results(session);
      if (session.done() == session.points().size()) return;
      if (!is_active) return close(session);
      session.show(running, fmt::format("{} tasks of Slurm run", running));
      std::this_thread::sleep_for(interval);
    }
  }

  /// Jobs of this generation start nothing more, even if a host is cut off and runs on.
  void close(SweepSession& session) {
    for (const std::string& job : jobs_) session.store().close_submission(job);
    jobs_.clear();
    spool_.revoke(generation_);
  }

  void cancel(SweepSession& session) {
    session.clear();
    spool_.revoke(generation_);
    const auto begin = std::chrono::steady_clock::now();
    for (const std::string& job : jobs_) slurm::cancel(job);
    for (const std::string& job : jobs_) {
      while (std::chrono::steady_clock::now() - begin < longest_cancel) {
        const auto state = slurm::state_of(job);
        if (state && !state->is_active()) break;
        std::this_thread::sleep_for(std::chrono::milliseconds(options_.poll_milliseconds));
      }
    }
    take_results(session);
    close(session);
  }

  void give_up(SweepSession& session) {
    session.clear();
    warn({fmt::format("{} submissions gave no result, so {} points have none: see the logs in {}",
                      most_fruitless_generations, session.undone().size(), (folder_ / "logs").generic_string())});
  }

  fs::path folder_;
  SlurmOptions options_;
  Spool spool_;
  std::vector<std::string> jobs_;  ///< that may still run
  int generation_ = 0;             ///< of the last submission
};

}  // namespace

std::unique_ptr<Engine> slurm_engine(std::string folder, SlurmOptions options) {
  return std::make_unique<SlurmEngine>(std::move(folder), std::move(options));
}

}  // namespace reconverge::cli
