// SPDX-License-Identifier: Apache-2.0
#include "platforms/report/folder_lock.hpp"

#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "platforms/report/output_error.hpp"

namespace reconverge::report {

namespace {

using namespace std::chrono_literals;

constexpr auto patience = 1s;
constexpr auto pause = 10ms;

/// `, process 1234,`; empty if the system does not tell. Lines read `1: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF`;
/// device numbers differ from those of fstat on some file systems.
std::string holder_of(const Descriptor& folder) {
  struct stat self {};
  if (fstat(folder.get(), &self) != 0) return {};
  const std::string inode = fmt::format(":{}", self.st_ino);
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number;
    std::string kind;
    std::string advisory;
    std::string access;
    long process = 0;
    std::string place;
    words >> number >> kind >> advisory >> access >> process >> place;
    if (words && kind == "FLOCK" && process > 0 && place.ends_with(inode)) return fmt::format(", process {},", process);
  }
  return {};
}

}  // namespace

void lock_folder(const Descriptor& folder) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (flock(folder.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) return;
    if (std::chrono::steady_clock::now() >= end) {
      throw OutputError(folder.path(),
                        fmt::format("another run{} writes into this folder; wait for its end, or name another folder "
                                    "with --out",
                                    holder_of(folder)));
    }
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace reconverge::report
