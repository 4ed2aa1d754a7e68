#include "platforms/launch/session.hpp"

#include "models/kernel/decode/load_program.hpp"
#include "platforms/configuration/configuration.hpp"
#include "platforms/gpu/schemes.hpp"
#include "platforms/launch/keys.hpp"

namespace reconverge::launch {

namespace {

constexpr std::uint32_t branches_between_questions = 100'000;

FunctionalCounts instructions_of(const Statistics& totals) {
  FunctionalCounts counts;
  const auto& active = totals.of<WarpSchedulerStatistics>().active_lanes;
  for (std::size_t lanes = 0; lanes < active.size(); ++lanes) {
    counts.warp_instructions += active[lanes];
    counts.thread_instructions += lanes * active[lanes];
  }
  return counts;
}

}  // namespace

GpuParameters load_platform(const std::filesystem::path& file, std::span<const std::string> overrides) {
  ExperimentParameters parameters;
  configuration::load(with_schemes(experiment_block), &parameters, file, overrides, section_keys());
  return parameters.gpu;
}

Session::Session(Machine machine, const GpuParameters& gpu) : machine_(machine) {
  if (machine == Machine::timed) {
    gpu_ = std::make_unique<Gpu>("gpu", gpu);
  } else {
    functional_ = std::make_unique<FunctionalMachine>();
  }
}

Session::~Session() = default;

const kernel::Program& Session::load(const std::filesystem::path& file, std::string_view entry) {
  return programs_.emplace_back(kernel::load_program(file, entry));
}

DeviceMemory& Session::memory() { return gpu_ ? gpu_->memory() : functional_->memory(); }

LaunchResult Session::run(const kernel::Program& program, Dim3 grid, Dim3 block,
                          std::initializer_list<Argument> arguments, std::uint32_t dynamic_shared_bytes) {
  return run(make_launch(program, grid, block, {arguments.begin(), arguments.size()}, dynamic_shared_bytes));
}

LaunchResult Session::run_functional(const Launch& launch, const Gpu::KeepGoing& keep_going) {
  struct Stopped {};
  // A program that goes on and on meets branches.
  std::uint32_t branches = 0;
  functional_->observe_branches(nullptr);
  if (keep_going) {
    functional_->observe_branches([&](kernel::Pc, LaneMask, LaneMask) {
      if (++branches % branches_between_questions == 0 && !keep_going({})) throw Stopped{};
    });
  }
  try {
    LaunchResult result;
    result.instructions = functional_->run(launch);
    result.completed = true;
    return result;
  } catch (const Stopped&) {
    return {};
  }
}

LaunchResult Session::run(const Launch& launch, const Gpu::KeepGoing& keep_going) {
  if (!launch.print) {
    std::string printed;
    Launch listening = launch;
    listening.print = [&](std::string_view text) { printed += text; };
    LaunchResult result = run(listening, keep_going);
    result.printed = std::move(printed);
    return result;
  }
  if (functional_) return run_functional(launch, keep_going);
  const Statistics before = gpu_->totals();
  LaunchResult result;
  result.completed = gpu_->run(launch, keep_going);
  result.counters = gpu_->totals().since(before);
  result.instructions = instructions_of(*result.counters);
  return result;
}

}  // namespace reconverge::launch
