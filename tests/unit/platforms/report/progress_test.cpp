// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/run/progress.hpp"

#include <catch2/catch.hpp>

using namespace reconverge;

TEST_CASE("progress has stage, rays, speed and remaining time") {
  // A quarter of the rays took 30 s, so the rest take 90 s.
  CHECK(cli::progress_text(RunProgress{"bounce 1", 2500, 10'000, 60'000'000}, 30) ==
        "bounce 1: 2500 of 10000 rays (25 %), 2.00 Mcycles/s, 0.1 krays/s, 1:30 left");
}

TEST_CASE("the remaining time is computed from the share of the time, if it is known") {
  // The rays are a quarter of all, but take a tenth of the time.
  CHECK(cli::progress_text(RunProgress{"bounce 1", 2500, 10'000, 60'000'000, RunProgress::Unit::rays, 0.1}, 30)
            .ends_with("(25 %), 2.00 Mcycles/s, 0.1 krays/s, 4:30 left"));
}

TEST_CASE("progress has no remaining time before the first rays are traced") {
  CHECK(cli::progress_text(RunProgress{"bounce 1", 0, 10'000, 0}, 0) ==
        "bounce 1: 0 of 10000 rays (0 %), 0.00 Mcycles/s, 0.0 krays/s");
}

TEST_CASE("long times have hours") {
  CHECK(cli::progress_text(RunProgress{"b", 1, 7262, 0}, 1).ends_with("2:01:01 left"));
}

TEST_CASE("progress of launches has blocks, speed, elapsed time and remaining time") {
  CHECK(cli::progress_text(RunProgress{"saxpy", 4, 16, 3'000'000, RunProgress::Unit::blocks}, 2) ==
        "saxpy: 4 of 16 blocks (25 %), 1.50 Mcycles/s, 0:02 elapsed, 0:06 left");
}

TEST_CASE("progress without time has no speed") {
  CHECK(cli::progress_text(RunProgress{"saxpy", 0, 16, 0, RunProgress::Unit::blocks}, 2) ==
        "saxpy: 0 of 16 blocks (0 %), 0:02 elapsed");
}

TEST_CASE("progress of a long launch without a finished block names the limit that would end it") {
  CHECK(cli::progress_text(RunProgress{"spin", 0, 16, 120'000'000, RunProgress::Unit::blocks}, 60) ==
        "spin: 0 of 16 blocks (0 %), 2.00 Mcycles/s, 1:00 elapsed; --max-cycles would end it");
  CHECK(cli::progress_text(RunProgress{"spin", 0, 16, 0, RunProgress::Unit::blocks}, 60)
            .ends_with("; --max-seconds would end it"));
}
