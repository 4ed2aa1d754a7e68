// SPDX-License-Identifier: Apache-2.0
#include "platforms/launch/run_plan.hpp"

#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include "models/execution/narrow_address.hpp"
#include "platforms/launch/launch_sequence.hpp"
#include "platforms/launch/npy.hpp"
#include "platforms/launch/png.hpp"

namespace reconverge::launch {

namespace {

class PlanRunner {
 public:
  PlanRunner(const LaunchPlan& plan, const MachineKind& machine, const Platform& platform, const RunControl& control)
      : plan_(plan), control_(control), session_(machine, platform, control.kinds.schemes) {
    for (const PlannedBuffer& buffer : plan.buffers) {
      const DeviceAddress address = buffer.place_in(session_.memory());
      addresses_.push_back(address);
      if (buffer.contents.empty()) continue;
      std::memcpy(session_.memory().view(address).data(), buffer.contents.data(), buffer.contents.size());
    }
    sequence_.emplace(session_, control_);
  }

  void limit_to(const PlanScope& scope) {
    session_.record(scope.recording);
    if (scope.sampling.every > 1) session_.sample(scope.sampling);
  }

  /// As LaunchSequence::run.
  std::optional<LaunchResult> run(const PlannedLaunch& planned, const LaunchSequence::Progress& progress) {
    try {
      const auto [known, is_new] = ready_.try_emplace(&planned);
      Launch& launch = known->second;
      if (is_new) prepare(planned, launch);
      for (const PlannedTexture& texture : planned.textures) {
        if (!texture.reference.empty())
          bind_texture(session_.memory(), *launch.program, texture.reference, view(texture));
      }
      return sequence_->run(launch, progress);
    } catch (const ParameterError&) {
      throw;
    } catch (const InputError& error) {
      if (error.location().line != 0) throw;
      throw InputError(planned.location, error.what());
    }
  }

  Comparison check(const PlannedCheck& check) {
    const ElementType type = plan_.buffers[check.buffer].type;
    const auto got = bytes_of_buffer(check.buffer).subspan(check.first * bytes_of(type), check.expected.size());
    return compare(type, got, check.expected, check.tolerance);
  }

  PlanOutput output(const PlannedOutput& output) {
    const auto bytes = bytes_of_buffer(output.buffer);
    const ElementType type = plan_.buffers[output.buffer].type;
    if (output.format == OutputFormat::npy) return {npy_header(type, output.shape), bytes};
    if (output.format == OutputFormat::png) return {png_bytes(type, output.shape, bytes), {}};
    return {{}, bytes};
  }

  /// Moves the buffers' contents out of the memory. Nothing can run after that.
  std::shared_ptr<const DeviceMemory> take_memory() {
    return std::make_shared<const DeviceMemory>(std::move(session_.memory()));
  }

 private:
  /// The part that is the same in each run of the launch; its memory is allocated once.
  void prepare(const PlannedLaunch& planned, Launch& launch) {
    launch.program = planned.program.get();
    launch.grid = planned.grid;
    launch.block = planned.block;
    launch.dynamic_shared_bytes = planned.dynamic_shared_bytes;
    launch.stack_bytes = planned.stack_bytes;
    launch.cooperative = planned.cooperative;
    launch.parameters = planned.parameters;
    launch.print = control_.print_of(planned.name);
    for (const AddressPlace& place : planned.addresses) {
      const DeviceAddress address = addresses_[place.buffer];
      // The plan has checked that a narrow address exists.
      const std::uint64_t bits =
          place.bytes == 8 ? address : narrowed(address, plan_.buffers[place.buffer].bytes()).value();
      put_address(launch, place.offset, bits + place.addend, place.bytes);
    }
    if (planned.array_bytes != 0) {
      put_address(launch, planned.program->parameters.back().offset,
                  session_.memory().allocate(planned.name + " local arrays", planned.array_bytes));
    }
    for (const PlannedTexture& texture : planned.textures) {
      if (!texture.reference.empty()) continue;
      const std::string name = plan_.buffers[texture.buffer].name + " texture";
      put_address(launch, texture.offset, make_texture(session_.memory(), name, view(texture)));
    }
  }

  static void put_address(Launch& launch, std::size_t offset, DeviceAddress address,
                          std::size_t bytes = sizeof(DeviceAddress)) {
    std::memcpy(launch.parameters.data() + offset, &address, bytes);
  }

  TextureView view(const PlannedTexture& texture) const {
    return view_of(texture, plan_.buffers[texture.buffer], addresses_[texture.buffer]);
  }

  std::span<const std::byte> bytes_of_buffer(std::size_t buffer) { return session_.memory().view(addresses_[buffer]); }

  const LaunchPlan& plan_;
  const RunControl& control_;
  Session session_;
  std::optional<LaunchSequence> sequence_;  ///< begins once the buffers exist
  std::vector<DeviceAddress> addresses_;
  std::map<const PlannedLaunch*, Launch> ready_;
};

}  // namespace

PlanResult run_plan(const LaunchPlan& plan, const MachineKind& machine, const Platform& platform,
                    const RunControl& control, const PlanScope& scope) {
  PlanRunner runner(plan, machine, platform, control);
  runner.limit_to(scope);
  PlanResult result;
  std::uint64_t blocks_ended = 0;
  std::uint64_t blocks = 0;
  for (const std::size_t index : plan.order) blocks += plan.launches[index].grid.count();
  for (const std::size_t index : plan.order) {
    const PlannedLaunch& launch = plan.launches[index];
    std::optional<LaunchResult> ended = runner.run(launch, [&](const LaunchProgress& progress) {
      return RunProgress{launch.name, blocks_ended + progress.blocks_ended, blocks, 0, RunProgress::Unit::blocks};
    });
    if (!ended) return result;
    blocks_ended += launch.grid.count();
    const bool completed = ended->completed;
    if (index < result.launches.size()) {
      result.launches[index] += *ended;
    } else {
      result.launches.push_back(std::move(*ended));
    }
    if (!completed) return result;
  }
  result.completed = true;
  for (const PlannedCheck& check : plan.checks) result.checks.push_back(runner.check(check));
  for (const PlannedOutput& output : plan.outputs) result.outputs.push_back(runner.output(output));
  if (!result.outputs.empty()) result.memory = runner.take_memory();
  return result;
}

void rehearse_plan(const LaunchPlan& plan, const MachineKind& machine, const Platform& platform, SchemeList schemes) {
  for (const PlannedLaunch& launch : plan.launches) {
    if (machine.traits.any_launch && !launch.cooperative) continue;
    bool began = false;
    const auto begin_only = [&](const RunProgress&) { return !std::exchange(began, true); };
    const RunControl control{.kinds = {.schemes = schemes}, .keep_running = begin_only};
    PlanRunner runner(plan, machine, platform, control);
    try {
      runner.run(launch, [&](const LaunchProgress&) { return RunProgress{launch.name}; });
    } catch (const ExecutionError&) {
      // Without the preceding launches, a program may fail. It has started, which is what this checks.
    }
  }
}

}  // namespace reconverge::launch
