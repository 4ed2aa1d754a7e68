// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Files through which the jobs of a cluster and the process that watches them work together. They are in a folder that
/// all hosts share:
///
///     claims/DIGEST         who runs the point; its time is renewed while it runs
///     results/DIGEST.json   the record of a point that has ended
///     revoked/GENERATION    jobs of this generation start nothing more
///
/// A point has one record: the first. A claim that was not renewed for the time of a lease belongs to a job that was
/// lost, and another job may take it.

#include <chrono>
#include <filesystem>
#include <functional>
#include <set>
#include <string>

#include "platforms/sweep/point_record.hpp"

namespace reconverge::cli {

class Spool {
 public:
  /// Makes the folders. Throws std::filesystem::filesystem_error.
  explicit Spool(std::filesystem::path folder);

  const std::filesystem::path& folder() const { return folder_; }

  // For jobs.

  bool has_result(const std::string& digest) const;
  /// False if another job holds the point, or if it has a result.
  bool claim(const std::string& digest, std::chrono::seconds lease) const;
  void renew(const std::string& digest) const;
  void release(const std::string& digest) const;
  /// False, and no effect, if there is a record.
  bool publish(const sweep::PointRecord& record) const;
  bool is_revoked(int generation) const;

  // For the process that watches.

  void revoke(int generation) const;
  /// Calls `take` with each record that this object has not handed over. A file that cannot be read is removed, so that
  /// its point runs again.
  void take_results(const std::function<void(const sweep::PointRecord&)>& take);
  /// When all points have results.
  void remove() const;

 private:
  std::filesystem::path claim_of(const std::string& digest) const { return folder_ / "claims" / digest; }
  std::filesystem::path result_of(const std::string& digest) const { return folder_ / "results" / (digest + ".json"); }

  std::filesystem::path folder_;
  std::set<std::string> taken_;
};

}  // namespace reconverge::cli
