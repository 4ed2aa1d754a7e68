// SPDX-License-Identifier: Apache-2.0
#include "platforms/host/memory_need.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>

#include "models/core/error.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge;

namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;
constexpr const char* hint = "make it smaller";

/// Sets an environment variable during the lifetime of the object.
class Setting {
 public:
  explicit Setting(const char* value) { setenv("RECONVERGE_MEMORY", value, 1); }
  ~Setting() { unsetenv("RECONVERGE_MEMORY"); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;
};

MemoryNeed need_of(std::uint64_t mebibytes) {
  MemoryNeed need;
  need.add("rays", mebibytes * mebibyte);
  return need;
}

}  // namespace

TEST_CASE("a memory need is the sum of its parts, and names the large parts") {
  MemoryNeed need;
  need.add("scene", 300 * mebibyte);
  need.add("rays", 1000 * mebibyte);
  need.add("rays", 724 * mebibyte);
  need.add("little", mebibyte);
  CHECK(need.total() == 2025 * mebibyte);
  CHECK(need.text() == "2.0 GiB (rays 1.7 GiB, scene 300 MiB)");
}

TEST_CASE("the error for a need above the available memory has both sizes, advice and the override") {
  const tests::TemporaryFolder place;
  place.write("proc/meminfo", "MemAvailable: 2097152 kB\n");
  const MemorySources sources{place.path() / "proc", place.path() / "groups"};
  CHECK_NOTHROW(check_memory(need_of(2048), hint, sources));
  CHECK(memory_is_there(need_of(2048), sources));
  CHECK_FALSE(memory_is_there(need_of(2049), sources));
  CHECK_THROWS_WITH(
      check_memory(need_of(3072), hint, sources),
      "the run would take about 3.0 GiB (rays 3.0 GiB) of memory, and the machine allows 2.0 GiB; make it "
      "smaller, or set RECONVERGE_MEMORY to a size or to off");
  {
    const Setting more("3 GiB");
    CHECK_NOTHROW(check_memory(need_of(3072), hint, sources));
    CHECK_THROWS_WITH(check_memory(need_of(3073), hint, sources), Catch::Contains("RECONVERGE_MEMORY allows 3.0 GiB"));
  }
  {
    const Setting off("off");
    CHECK_NOTHROW(check_memory(need_of(1'000'000), hint, sources));
  }
  const Setting wrong("much");
  CHECK_THROWS_WITH(check_memory(need_of(1), hint, sources), Catch::StartsWith("RECONVERGE_MEMORY: "));
}
