// SPDX-License-Identifier: Apache-2.0
// random_on_device: random programs on a GPU and on the untimed machine. A program that fails is shrunk on the GPU.
// RECONVERGE_CUDA_DRIVER is the driver's library (libcuda.so.1).

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <vector>

#include "testbenches/device/device.hpp"
#include "testbenches/random/shrink.hpp"
#include "tests/device/random_job.hpp"
#include "tests/random/campaign.hpp"

namespace {

using namespace reconverge;
using namespace reconverge::random_programs;
using device::Buffers;
using device::Device;

struct Options {
  Campaign campaign;
  unsigned tries = 300;                  ///< programs that the shrinking of one failure may run
  unsigned crash_tries = 60;             ///< the same for a crash: each needs a process
  unsigned words = 64;                   ///< in a report
  unsigned patience = 5000;              ///< milliseconds that a kernel may take
  std::optional<unsigned> optimisation;  ///< of the driver's compiler
};

/// The parent of a campaign never opens a device, so that its children can. The device stays open, because the driver
/// may be unloaded first at the end of a process.
Device& this_device() {
  static Device* const device = [] {
    const char* const library = std::getenv("RECONVERGE_CUDA_DRIVER");
    return std::make_unique<Device>(library == nullptr ? "libcuda.so.1" : library).release();
  }();
  return *device;
}

std::uint32_t word(const std::vector<std::byte>& bytes, std::size_t index) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + 4 * index, 4);
  return value;
}

/// Every word that differs, `most` of them in text.
std::string differences(const Buffers& expected, const Buffers& found, unsigned most) {
  std::string text;
  unsigned count = 0;
  for (std::size_t buffer = 0; buffer < expected.size(); ++buffer) {
    for (std::size_t i = 0; i < expected[buffer].size() / 4; ++i) {
      const std::uint32_t a = word(expected[buffer], i);
      const std::uint32_t b = word(found[buffer], i);
      if (a == b || ++count > most) continue;
      text += fmt::format("  buffer {} word {}", buffer, i);
      if (buffer == 1) text += fmt::format(" (thread {}, its word {})", i / slice_words, i % slice_words);
      text += fmt::format(": expected {:#010x}, found {:#010x}\n", a, b);
    }
  }
  return count == 0 ? "" : fmt::format("{} words differ\n{}", count, text);
}

struct Failure {
  bool is_message = false;  ///< the driver or the untimed machine reports an error
  std::string text;
};

/// Throws Endless.
std::optional<Failure> failure_of(const device::Job& job, const Options& options) {
  this_device().set_optimisation(options.optimisation);
  Buffers found;
  try {
    found = this_device().run(job, std::chrono::milliseconds(options.patience));
  } catch (const device::DriverError& error) {
    return Failure{true, error.what()};
  }
  const std::string text = differences(device::run_here(job), found, options.words);
  if (text.empty()) return std::nullopt;
  return Failure{false, text};
}

std::optional<Failure> failure_of(const Program& program, const Options& options) {
  device::Job job = tests::random_job(program);
  job.name = fmt::format("seed {}", program.seed);
  return failure_of(job, options);
}

/// The results of the GPU when the driver's compiler does not optimise; faults of its optimiser are then not visible.
std::string unoptimised(const Program& program, Options options) {
  options.optimisation = 0;
  const auto failure = failure_of(program, options);
  return failure ? failure->text : "agrees\n";
}

std::filesystem::path file_of(const std::filesystem::path& folder, std::uint64_t seed, std::string_view ending) {
  return folder / fmt::format("seed_{}.{}", seed, ending);
}

std::string definite_text(const Program& program) {
  return fmt::format("// From seed {}; grid {} {} {}, block {} {} {}, {} bytes of dynamic shared memory.\n{}",
                     program.seed, program.grid.x, program.grid.y, program.grid.z, program.block.x, program.block.y,
                     program.block.z, program.dynamic_shared_bytes(), tests::random_job(program).ptx);
}

/// Writes the differences of the whole program at once, and then a smaller program with the same kind of failure.
bool passes(std::uint64_t seed, const Options& options) {
  const Program program = generate(seed);
  const std::optional<Failure> failure = failure_of(program, options);
  if (!failure) return true;
  const std::filesystem::path& folder = options.campaign.folder;
  std::ofstream report(file_of(folder, seed, "txt"));
  report << fmt::format("seed {} fails: {}\n", seed, failure->text) << std::flush;
  report << "without optimisation: " << unoptimised(program, options) << std::flush;
  std::ofstream(file_of(folder, seed, "ptx")) << definite_text(program);
  const Program smaller = shrunk(
      program,
      [&](const Program& candidate) {
        const auto again = failure_of(candidate, options);
        return again && again->is_message == failure->is_message;
      },
      options.tries);
  const auto again = failure_of(smaller, options);
  report << fmt::format("the smaller program: {}\n", again ? again->text : "passes now");
  report << "without optimisation: " << unoptimised(smaller, options);
  std::ofstream(file_of(folder, seed, "ptx")) << definite_text(smaller);
  fmt::print("seed {} fails: {}\n", seed, failure->text.substr(0, failure->text.find('\n')));
  return false;
}

/// Runs a text that this program wrote, perhaps changed by hand. Its first line gives the launch.
int run_file(const std::filesystem::path& path, Options options) {
  std::ifstream file(path);
  device::Job job = tests::random_job(Program{});
  job.name = path.string();
  job.ptx.assign(std::istreambuf_iterator<char>(file), {});
  const std::size_t launch = job.ptx.find("grid ");
  if (launch == std::string::npos ||
      std::sscanf(job.ptx.c_str() + launch, "grid %u %u %u, block %u %u %u, %u bytes", &job.grid.x, &job.grid.y,
                  &job.grid.z, &job.block.x, &job.block.y, &job.block.z, &job.dynamic_shared_bytes) != 7) {
    fmt::print("{} does not begin with the grid, the block and the bytes of dynamic shared memory\n", path.string());
    return 1;
  }
  job.buffers[1].resize(job.grid.count() * job.block.count() * slice_words * 4);
  int result = 0;
  for (const unsigned level : {0U, 4U}) {
    options.optimisation = level;
    const auto failure = failure_of(job, options);
    fmt::print("optimisation level {}: {}\n", level, failure ? failure->text : "agrees");
    if (failure) result = 1;
  }
  return result;
}

/// How a process that runs the program ends: empty if normally. It has a minute.
std::string ending_of(const Program& program, const Options& options) {
  std::fflush(nullptr);
  const pid_t process = fork();
  if (process < 0) throw std::runtime_error("no further process can be started");
  if (process == 0) {
    alarm(60);
    try {
      failure_of(program, options);
    } catch (const device::Endless&) {
      std::_Exit(Campaign::endless_status);
    }
    std::_Exit(0);
  }
  int status = 0;
  waitpid(process, &status, 0);
  if (WIFSIGNALED(status)) return fmt::format("ends with signal {}", WTERMSIG(status));
  return WEXITSTATUS(status) == Campaign::endless_status ? "does not end" : "";
}

/// Shrinks a program that ends its process, or that does not end.
void examine_crash(std::uint64_t seed, const Options& options) {
  const Program program = generate(seed);
  std::ofstream report(file_of(options.campaign.folder, seed, "txt"), std::ios::app);
  const std::string ending = ending_of(program, options);
  if (ending.empty()) {
    report << "a process that runs only this program ends as it should\n";
    fmt::print("seed {}: a process that runs only this program ends as it should\n", seed);
    return;
  }
  const Program smaller = shrunk(
      program, [&](const Program& candidate) { return ending_of(candidate, options) == ending; }, options.crash_tries);
  report << fmt::format("{}; the smaller program is in seed_{}.ptx\n", ending, seed);
  std::ofstream(file_of(options.campaign.folder, seed, "ptx")) << definite_text(smaller);
  fmt::print("seed {} {}\n", seed, ending);
}

/// A separate process reports the device, or why there is none.
bool has_device() {
  const pid_t process = fork();
  if (process < 0) throw std::runtime_error("no further process can be started");
  if (process == 0) {
    int status = 0;
    try {
      fmt::print("{} (sm_{})\n", this_device().name(), this_device().capability());
    } catch (const device::Unavailable& reason) {
      fmt::print("skipped: {}\n", reason.what());
      status = 1;
    }
    std::fflush(nullptr);
    std::_Exit(status);
  }
  int status = 0;
  waitpid(process, &status, 0);
  return status == 0;
}

int run_all(const Options& options) {
  if (!has_device()) return 0;
  std::vector<std::uint64_t> crashes;
  const CampaignResult result = run_campaign(
      options.campaign,
      [&](std::uint64_t seed) {
        try {
          return passes(seed, options);
        } catch (const device::Endless&) {
          std::_Exit(Campaign::endless_status);  // this process can run nothing else on the device
        }
      },
      [&](std::uint64_t seed, const char* how) {
        std::ofstream(file_of(options.campaign.folder, seed, "ptx")) << definite_text(generate(seed));
        std::ofstream(file_of(options.campaign.folder, seed, "txt"), std::ios::app)
            << fmt::format("seed {} {}\n", seed, how);
        fmt::print("seed {} {}\n", seed, how);
        crashes.push_back(seed);
      });
  fmt::print("seeds {} to {}: {} failed\n", options.campaign.first, result.next - 1, result.failures);
  if (options.crash_tries > 0) {
    for (const std::uint64_t seed : crashes) examine_crash(seed, options);
  }
  return result.failures == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Random programs on a GPU and on the untimed machine", "random_on_device");
  app.require_subcommand(1);
  Options options;
  options.campaign.jobs = 1;
  options.campaign.folder = "random_on_device";
  options.campaign.seeds_a_range = 50;
  std::uint64_t seed = 1;
  int result = 0;

  CLI::App* print = app.add_subcommand("print", "the PTX of a seed, without undefined results");
  print->add_option("seed", seed)->required();
  print->callback([&] { fmt::print("{}", definite_text(generate(seed))); });

  const auto add_common = [&](CLI::App* command) {
    command->add_option("--folder", options.campaign.folder, "for what fails")->capture_default_str();
    command->add_option("--tries", options.tries, "programs to shrink one failure")->capture_default_str();
    command->add_option("--words", options.words, "that a report lists")->capture_default_str();
    command->add_option("--optimisation", options.optimisation, "of the driver's compiler, 0 to 4");
    command->add_option("--patience", options.patience, "milliseconds that a kernel may take")->capture_default_str();
  };
  CLI::App* run = app.add_subcommand("run", "one seed; a smaller program where it fails");
  run->add_option("seed", seed)->required();
  add_common(run);
  run->callback([&] {
    std::filesystem::create_directories(options.campaign.folder);
    result = passes(seed, options) ? 0 : 1;
    if (result == 0) fmt::print("seed {}: {} agrees\n", seed, this_device().name());
  });

  std::filesystem::path path;
  CLI::App* text = app.add_subcommand("file", "a text that this program wrote, with two levels of optimisation");
  text->add_option("path", path)->required()->check(CLI::ExistingFile);
  text->add_option("--words", options.words, "that are listed")->capture_default_str();
  text->callback([&] { result = run_file(path, options); });

  CLI::App* many = app.add_subcommand("many", "a range of seeds; goes on where the last run in the folder ended");
  many->add_option("first", options.campaign.first, "the first seed")->required();
  many->add_option("count", options.campaign.count, "how many")->required();
  add_common(many);
  many->add_option("--jobs", options.campaign.jobs, "processes")->capture_default_str();
  many->add_option("--seconds", options.campaign.seconds_a_seed, "a seed may take")->capture_default_str();
  many->add_option("--range", options.campaign.seeds_a_range, "seeds of one process")->capture_default_str();
  many->add_option("--most-failures", options.campaign.most_failures, "of one run: then it stops")
      ->capture_default_str();
  many->add_option("--crash-tries", options.crash_tries, "programs to shrink one crash or endless kernel; 0: none")
      ->capture_default_str();
  many->callback([&] { result = run_all(options); });

  try {
    CLI11_PARSE(app, argc, argv);
  } catch (const device::Unavailable& reason) {
    fmt::print("skipped: {}\n", reason.what());
  } catch (const device::Endless& reason) {
    fmt::print("{}\n", reason.what());
    std::fflush(nullptr);
    std::_Exit(1);  // the driver would wait for the kernel
  }
  return result;
}

// SystemC's library has a main that calls this; the program's main replaces that.
extern "C" int sc_main(int /*argc*/, char** /*argv*/) { return 0; }
