// SPDX-License-Identifier: Apache-2.0
#include "tests/random/campaign.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <vector>

namespace reconverge::random_programs {

namespace {

using Clock = std::chrono::steady_clock;

/// Seeds from first to end - 1.
struct Range {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
};

/// A child that works through a range. It writes a message before each seed and after each failed seed.
struct Worker {
  pid_t process = 0;
  int pipe = -1;
  Range left;  ///< `first` is the current seed
  Clock::time_point since;
};

struct Message {
  std::uint64_t seed = 0;
  std::uint64_t failed = 0;
};

class Runner {
 public:
  Runner(const Campaign& campaign, const std::function<bool(std::uint64_t)>& passes,
         const std::function<void(std::uint64_t, const char*)>& crashed)
      : campaign_(campaign), passes_(passes), crashed_(crashed), end_(campaign.first + campaign.count) {
    std::filesystem::create_directories(campaign.folder);
    next_ = campaign.first;
    if (std::ifstream progress(progress_file()); progress) {
      std::uint64_t first = 0;
      std::uint64_t next = 0;
      if (progress >> first >> next >> failures_ && first == campaign.first) next_ = next;
    }
    taken_ = next_;
  }

  CampaignResult run() {
    const std::uint64_t enough = failures_ + campaign_.most_failures;
    while (failures_ < enough) {
      while (workers_.size() < campaign_.jobs) {
        const std::optional<Range> range = take();
        if (!range) break;
        start(*range);
      }
      if (workers_.empty()) break;
      listen();
    }
    stop();
    return {next_, failures_};
  }

 private:
  std::filesystem::path progress_file() const { return campaign_.folder / "progress"; }

  std::optional<Range> take() {
    if (!again_.empty()) {
      const Range range = again_.front();
      again_.pop_front();
      return range;
    }
    if (taken_ >= end_) return std::nullopt;
    const Range range{taken_, std::min(end_, taken_ + campaign_.seeds_a_range)};
    taken_ = range.end;
    return range;
  }

  void start(Range range) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe for another process");
    const pid_t process = fork();
    if (process < 0) throw std::runtime_error("no further process can be started");
    if (process == 0) {
      close(ends[0]);
      work(range, ends[1]);
    }
    close(ends[1]);
    workers_.push_back({process, ends[0], range, Clock::now()});
  }

  [[noreturn]] void work(Range range, int out) const {
    const auto say = [out](Message message) {
      if (write(out, &message, sizeof message) != static_cast<ssize_t>(sizeof message)) std::_Exit(2);
    };
    for (std::uint64_t seed = range.first; seed < range.end; ++seed) {
      say({seed, 0});
      if (!passes_(seed)) say({seed, 1});
    }
    std::_Exit(0);
  }

  void listen() {
    std::vector<pollfd> sources;
    for (const Worker& worker : workers_) sources.push_back({worker.pipe, POLLIN, 0});
    poll(sources.data(), sources.size(), 1000);
    for (std::size_t i = workers_.size(); i-- > 0;) {
      Worker& worker = workers_[i];
      Message message;
      if (sources[i].revents != 0) {
        if (read(worker.pipe, &message, sizeof message) == static_cast<ssize_t>(sizeof message)) {
          worker.left.first = message.seed;
          worker.since = Clock::now();
          failures_ += message.failed;
        } else {
          end(i, false);
        }
      } else if (Clock::now() - worker.since > std::chrono::seconds(campaign_.seconds_a_seed)) {
        kill(worker.process, SIGKILL);
        end(i, true);
      }
    }
  }

  void end(std::size_t index, bool too_long) {
    const Worker worker = workers_[index];
    workers_.erase(workers_.begin() + static_cast<std::ptrdiff_t>(index));
    close(worker.pipe);
    int status = 0;
    waitpid(worker.process, &status, 0);
    const bool done = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!done) {
      ++failures_;
      const bool endless = WIFEXITED(status) && WEXITSTATUS(status) == Campaign::endless_status;
      crashed_(worker.left.first, too_long ? "took too long" : endless ? "does not end" : "crashed");
      if (worker.left.first + 1 < worker.left.end) again_.push_back({worker.left.first + 1, worker.left.end});
    }
    note_progress();
  }

  /// Ends the processes that are still working.
  void stop() {
    if (workers_.empty()) return;
    note_progress();
    for (const Worker& worker : workers_) {
      kill(worker.process, SIGKILL);
      close(worker.pipe);
      waitpid(worker.process, nullptr, 0);
    }
    workers_.clear();
  }

  void note_progress() {
    next_ = taken_;
    for (const Worker& worker : workers_) next_ = std::min(next_, worker.left.first);
    for (const Range& range : again_) next_ = std::min(next_, range.first);
    const std::filesystem::path draft = campaign_.folder / "progress.new";
    std::ofstream(draft) << campaign_.first << ' ' << next_ << ' ' << failures_ << '\n';
    std::filesystem::rename(draft, progress_file());
    fmt::print("{} of {} seeds run, {} failed\n", next_ - campaign_.first, campaign_.count, failures_);
    std::fflush(stdout);
  }

  const Campaign& campaign_;
  const std::function<bool(std::uint64_t)>& passes_;
  const std::function<void(std::uint64_t, const char*)>& crashed_;
  std::uint64_t end_;
  std::uint64_t next_ = 0;
  std::uint64_t taken_ = 0;
  std::uint64_t failures_ = 0;
  std::deque<Range> again_;
  std::vector<Worker> workers_;
};

}  // namespace

CampaignResult run_campaign(const Campaign& campaign, const std::function<bool(std::uint64_t seed)>& passes,
                            const std::function<void(std::uint64_t seed, const char* how)>& crashed) {
  return Runner(campaign, passes, crashed).run();
}

}  // namespace reconverge::random_programs
