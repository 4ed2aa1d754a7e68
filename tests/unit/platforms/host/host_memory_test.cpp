// SPDX-License-Identifier: Apache-2.0
#include "platforms/host/host_memory.hpp"

#include <sys/resource.h>

#include <catch2/catch.hpp>

#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge;

namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;

/// The files in which a system describes its memory, as written by the test.
struct System {
  std::optional<AvailableMemory> available() const {
    return available_memory({place.path() / "proc", place.path() / "groups"});
  }
  void has_mebibytes(std::uint64_t available) const {
    place.write("proc/meminfo",
                "MemTotal:  99999999 kB\nMemFree:  1 kB\nMemAvailable:  " + std::to_string(available * 1024) + " kB\n");
  }

  tests::TemporaryFolder place;
};

/// Limits the address space of this process during the lifetime of the object.
class SpaceLimit {
 public:
  explicit SpaceLimit(rlim_t bytes) {
    getrlimit(RLIMIT_AS, &earlier_);
    const rlimit limit{bytes, earlier_.rlim_max};
    setrlimit(RLIMIT_AS, &limit);
  }
  ~SpaceLimit() { setrlimit(RLIMIT_AS, &earlier_); }
  SpaceLimit(const SpaceLimit&) = delete;
  SpaceLimit& operator=(const SpaceLimit&) = delete;

 private:
  rlimit earlier_{};
};

}  // namespace

TEST_CASE("available memory is the value that the operating system reports") {
  const System system;
  CHECK_FALSE(system.available());
  system.has_mebibytes(3000);
  REQUIRE(system.available());
  CHECK(system.available()->bytes == 3000 * mebibyte);
  CHECK(system.available()->limit == "the machine");
}

TEST_CASE("available memory is limited by the remainder of a control group and its parents") {
  const System system;
  system.has_mebibytes(3000);
  system.place.write("proc/self/cgroup", "0::/a/b\n");
  system.place.write("groups/a/b/memory.max", "max\n");
  system.place.write("groups/a/b/memory.current", "1048576\n");
  CHECK(system.available()->bytes == 3000 * mebibyte);
  system.place.write("groups/a/memory.max", std::to_string(2000 * mebibyte) + "\n");
  system.place.write("groups/a/memory.current", std::to_string(500 * mebibyte) + "\n");
  CHECK(system.available()->bytes == 1500 * mebibyte);
  CHECK(system.available()->limit == "the control group");
  system.place.write("groups/memory.max", std::to_string(300 * mebibyte) + "\n");
  system.place.write("groups/memory.current", std::to_string(400 * mebibyte) + "\n");
  CHECK(system.available()->bytes == 0);
}

TEST_CASE("file pages of a control group count as available") {
  const System system;
  system.has_mebibytes(3000);
  const std::string pages = "anon 5\nfile 99\ninactive_file " + std::to_string(300 * mebibyte) + "\nactive_file " +
                            std::to_string(400 * mebibyte) + "\n";
  system.place.write("proc/self/cgroup", "0::/\n4:memory:/\n");
  system.place.write("groups/memory.max", std::to_string(1000 * mebibyte) + "\n");
  system.place.write("groups/memory.current", std::to_string(900 * mebibyte) + "\n");
  system.place.write("groups/memory.stat", pages);
  CHECK(system.available()->bytes == 800 * mebibyte);
  system.place.write("groups/memory/memory.limit_in_bytes", std::to_string(1000 * mebibyte) + "\n");
  system.place.write("groups/memory/memory.usage_in_bytes", std::to_string(900 * mebibyte) + "\n");
  system.place.write("groups/memory/memory.stat",
                     pages + "total_inactive_file " + std::to_string(100 * mebibyte) + "\ntotal_active_file 0\n");
  CHECK(system.available()->bytes == 200 * mebibyte);
}

TEST_CASE("control groups of the first version are found by their controller") {
  const System system;
  system.has_mebibytes(3000);
  system.place.write("proc/self/cgroup", "7:pids:/x\n4:cpu,memory:/here\nno line of it\n");
  system.place.write("groups/memory/here/memory.limit_in_bytes", std::to_string(800 * mebibyte) + "\n");
  system.place.write("groups/memory/here/memory.usage_in_bytes", std::to_string(100 * mebibyte) + "\n");
  CHECK(system.available()->bytes == 700 * mebibyte);
  system.place.write("groups/memory/here/memory.limit_in_bytes", "9223372036854771712\n");
  CHECK(system.available()->bytes == 3000 * mebibyte);
}

TEST_CASE("the address space limit counts if it is lower") {
  const System system;
  system.has_mebibytes(3'000'000);
  system.place.write("proc/self/status", "Name: x\nVmSize:  1024 kB\n");
  const SpaceLimit limit(rlim_t{1} << 40U);
  CHECK(system.available()->bytes == (std::uint64_t{1} << 40U) - mebibyte);
  CHECK(system.available()->limit == "ulimit -v");
}

TEST_CASE("the machine of this test reports its available memory") {
  REQUIRE(available_memory());
  CHECK(available_memory()->bytes > 0);
}
