// SPDX-License-Identifier: Apache-2.0 Prints an error if the host's processor lacks instructions that the build uses;
// otherwise the program would end with an illegal instruction. This file is compiled for any x86-64 processor, and its
// function runs before all initialisers.

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace {

[[gnu::constructor(101)]] void check_processor() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")) return;
  constexpr std::string_view message =
      "reconverge: this program needs a processor with AVX2, FMA and BMI2 (x86-64-v3); for others, configure a build "
      "with -DRECONVERGE_AVX2=OFF\n";
  const auto written = write(STDERR_FILENO, message.data(), message.size());
  _exit(written < 0 ? EXIT_FAILURE : 5);
}

}  // namespace
