// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Runs very many seeds in several processes, across any number of runs.

#include <cstdint>
#include <filesystem>
#include <functional>

namespace reconverge::random_programs {

struct Campaign {
  /// The exit status of a child whose seed does not end, so that the child cannot run others.
  static constexpr int endless_status = 33;

  std::uint64_t first = 1;
  std::uint64_t count = 1'000'000;
  unsigned jobs = 1;
  unsigned seconds_a_seed = 120;      ///< a seed that takes longer counts as failed
  std::uint64_t seeds_a_range = 500;  ///< seeds that a process takes at a time, and that a resumed run may repeat
  unsigned most_failures = 20;        ///< of one run: then it stops
  std::filesystem::path folder;       ///< failures as seed_N.txt and seed_N.ptx; `progress`, where a later run resumes
};

struct CampaignResult {
  std::uint64_t next = 0;  ///< all seeds before it were run
  std::uint64_t failures = 0;
};

/// Runs `passes` for each seed in child processes, so that a crash or an endless loop is a failure like others. Resumes
/// at the seed in `progress`. `passes` writes its own files; `crashed` is called for seeds whose process died or
/// reported that the seed does not end.
CampaignResult run_campaign(const Campaign& campaign, const std::function<bool(std::uint64_t seed)>& passes,
                            const std::function<void(std::uint64_t seed, const char* how)>& crashed);

}  // namespace reconverge::random_programs
