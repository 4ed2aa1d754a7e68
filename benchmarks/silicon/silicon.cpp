// SPDX-License-Identifier: Apache-2.0
// silicon --out FILE [--platform YAML]: takes the measurements of this folder on the first GPU of NVIDIA's driver, or
// on a simulated platform, and writes them as JSON. Without a GPU, prints the reason and ends with exit code 0.

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/json/value_from.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>

#include "benchmarks/silicon/bandwidth.hpp"
#include "benchmarks/silicon/kernels.hpp"
#include "benchmarks/silicon/measurement.hpp"
#include "models/core/simulation_context.hpp"
#include "platforms/launch/session.hpp"
#include "platforms/machines/gpu/gpu.hpp"
#include "platforms/machines/gpu/gpu_kind.hpp"
#include "testbenches/device/device.hpp"

extern "C" int sc_main(int /*argc*/, char** /*argv*/) { return 0; }

namespace reconverge::silicon {
namespace {

namespace json = boost::json;

/// What runs the jobs.
struct Target {
  json::object description;
  std::function<device::Buffers(const device::Job&)> run;
  std::function<double()> milliseconds;  ///< of the last run
  std::function<double()> active_lanes;  ///< of it, in the average warp instruction; empty: not counted
  unsigned multiprocessors = 1;
  std::uint64_t most_bytes = 0;  ///< measurements with larger buffers are left out
  unsigned scale = 1;            ///< of the kernels' sizes
  unsigned repetitions = 1;      ///< of a kernel; the fastest counts
};

Target gpu_target(const std::shared_ptr<device::Device>& device) {
  Target target;
  target.description = {{"device", device->name()},
                        {"capability", device->capability()},
                        {"driver", device->driver_version()},
                        {"multiprocessors", device->multiprocessors()},
                        {"highest_clock_mhz", device->clock_khz() / 1000},
                        {"date", fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)))}};
  target.run = [device](const device::Job& job) { return device->run(job); };
  target.milliseconds = [device] { return device->milliseconds(); };
  target.multiprocessors = static_cast<unsigned>(device->multiprocessors());
  target.most_bytes = std::uint64_t{4} << 30U;
  target.repetitions = 5;
  return target;
}

Target platform_target(const std::string& file, const std::vector<std::string>& settings) {
  const GpuParameters parameters = launch::load_platform(file, settings);
  const auto milliseconds = std::make_shared<double>(0);
  const auto active_lanes = std::make_shared<double>(0);
  Target target;
  target.description = {{"platform", std::filesystem::path(file).filename().string()},
                        {"settings", json::value_from(settings)},
                        {"multiprocessors", parameters.sms}};
  target.run = [=](const device::Job& job) {
    const SimulationContext context;
    Gpu gpu("gpu", parameters);
    device::Buffers buffers = device::run_on(
        gpu.memory(), [&](const Launch& launch) { gpu.run(launch); }, job);
    reconverge::Measurement counted;
    counted.totals = gpu.totals();
    const Executed executed = gpu_machine().executed(counted);
    *active_lanes = static_cast<double>(executed.threads) / static_cast<double>(executed.issued);
    const auto cycles = static_cast<double>(gpu_machine().cycles(gpu.totals()));
    *milliseconds = cycles * 1000 / static_cast<double>(parameters.clock);
    return buffers;
  };
  target.milliseconds = [=] { return *milliseconds; };
  target.active_lanes = [=] { return *active_lanes; };
  target.multiprocessors = parameters.sms;
  target.most_bytes = std::uint64_t{256} << 20U;
  target.scale = 16;
  return target;
}

/// A line of the JSON file. `values` is one number, or a list.
std::string line(const std::string& group, const std::string& name, const std::string& unit,
                 const std::function<std::vector<double>()>& values) {
  const auto quoted = [](const std::string& text) { return json::serialize(json::value(text)); };
  const std::string result =
      fmt::format(R"({{"group": {}, "name": {}, "unit": {})", quoted(group), quoted(name), quoted(unit));
  try {
    const std::vector<double> all = values();
    std::string list;
    for (const double each : all) list += fmt::format("{}{:.7g}", list.empty() ? "" : ", ", each);
    return result + ", \"value\": " + (all.size() == 1 ? list : "[" + list + "]") + "}";
  } catch (const std::exception& error) {
    return result + fmt::format(", \"error\": {}}}", quoted(error.what()));
  }
}

std::string taken(const Target& target, const Measurement& each) {
  return line(each.group, each.name, each.unit, [&] {
    std::vector<device::Buffers> after;
    for (const device::Job& job : each.jobs()) after.push_back(target.run(job));
    return each.values(after);
  });
}

/// Milliseconds of a launch, the shortest of several.
double fastest(const Target& target, const device::Job& job) {
  std::vector<double> times;
  for (unsigned i = 0; i < target.repetitions; ++i) {
    target.run(job);
    times.push_back(target.milliseconds());
  }
  return std::ranges::min(times);
}

/// The fastest time of a kernel and, if the target counts them, the lanes of its average warp instruction.
std::vector<std::string> timed(const Target& target, const TimedJob& each) {
  double lanes = 0;
  std::vector<std::string> lines = {line("kernels", each.name, "ms", [&] {
    const double milliseconds = fastest(target, each.job());
    if (target.active_lanes) lanes = target.active_lanes();
    return std::vector<double>{milliseconds};
  })};
  if (lanes != 0) {
    lines.push_back(
        line("efficiency", each.name, "active lanes per warp instruction", [=] { return std::vector<double>{lanes}; }));
  }
  return lines;
}

std::string moved(const Target& target, const Bandwidth& each) {
  return line("bandwidth", each.name, "GB/s", [&] {
    const double milliseconds = fastest(target, each.more) - fastest(target, each.less);
    return std::vector<double>{each.bytes / milliseconds / 1e6};
  });
}

std::vector<Measurement> measurements() {
  std::vector<Measurement> all;
  for (auto* const list : {latencies, throughputs, memory_measurements, geometry_measurements, fetch_measurements,
                           divergence_measurements, path_measurements}) {
    std::ranges::move(list(), std::back_inserter(all));
  }
  return all;
}

void write_ptx(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  unsigned number = 0;
  for (const Measurement& each : measurements()) {
    if (each.bytes > (std::uint64_t{64} << 20U)) continue;
    for (const device::Job& job : each.jobs()) {
      std::ofstream(folder / fmt::format("{:03}.ptx", number++)) << "// " << each.group << ": " << job.name << '\n'
                                                                 << job.ptx;
    }
  }
}

/// One measurement a line.
void write(const std::filesystem::path& file, const json::object& description, const std::vector<std::string>& all) {
  std::ofstream out(file);
  out << "{\"target\": " << description << ",\n \"measurements\": [\n";
  for (std::size_t i = 0; i < all.size(); ++i) out << "  " << all[i] << (i + 1 < all.size() ? ",\n" : "\n");
  out << "]}\n";
  if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
}

int run(int argc, char** argv) {
  CLI::App app("Measurements of a GPU or of a simulated platform, with the same PTX", "silicon");
  std::string platform;
  std::vector<std::string> settings;
  std::vector<std::string> groups;
  std::string out;
  std::string ptx;
  unsigned repetitions = 0;
  app.add_option("--platform", platform, "a YAML file with gpu: instead of a GPU");
  app.add_option("--set", settings, "PATH=VALUE for the platform");
  app.add_option("--group", groups,
                 "latency, throughput, memory, geometry, bandwidth, fetch, divergence, paths, kernels; default: all");
  app.add_option("--ptx", ptx, "a folder for the texts of all measurements; nothing is run");
  app.add_option("--repetitions", repetitions, "of each kernel, the fastest counts; default: 5 on a GPU");
  app.add_option("--out", out, "the JSON file");
  CLI11_PARSE(app, argc, argv);
  if (!ptx.empty()) {
    write_ptx(ptx);
    return 0;
  }
  if (out.empty()) throw std::runtime_error("--out FILE is missing");
  std::optional<Target> target;
  if (platform.empty()) {
    const char* const library = std::getenv("RECONVERGE_CUDA_DRIVER");
    try {
      target = gpu_target(std::make_shared<device::Device>(library == nullptr ? "libcuda.so.1" : library));
    } catch (const device::Unavailable& reason) {
      fmt::print("skipped: {}\n", reason.what());
      return 0;
    }
  } else {
    target = platform_target(platform, settings);
  }
  if (repetitions != 0) target->repetitions = repetitions;
  const auto wanted = [&](const std::string& group) {
    return groups.empty() || std::ranges::find(groups, group) != groups.end();
  };
  std::vector<std::string> all;
  for (const Measurement& each : measurements()) {
    if (!wanted(each.group) || each.bytes > target->most_bytes) continue;
    all.push_back(taken(*target, each));
    write(out, target->description, all);
  }
  if (wanted("bandwidth")) {
    for (const Bandwidth& each : bandwidths(target->multiprocessors)) {
      all.push_back(moved(*target, each));
      write(out, target->description, all);
    }
  }
  if (wanted("kernels")) {
    for (const TimedJob& each : timed_kernels(target->multiprocessors, target->scale)) {
      std::ranges::move(timed(*target, each), std::back_inserter(all));
      write(out, target->description, all);
    }
  }
  fmt::print("{}: {} measurements\n", out, all.size());
  return 0;
}

}  // namespace
}  // namespace reconverge::silicon

int main(int argc, char** argv) {
  try {
    return reconverge::silicon::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "silicon: {}\n", error.what());
    return 1;
  }
}
