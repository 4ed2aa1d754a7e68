#include "platforms/launch/run_plan.hpp"

#include <cstring>

#include "platforms/launch/npy.hpp"
#include "platforms/launch/png.hpp"

namespace reconverge::launch {

namespace {

class PlanRunner {
 public:
  PlanRunner(const LaunchPlan& plan, Machine machine, const Platform& platform, SchemeList schemes)
      : plan_(plan), session_(machine, platform, schemes) {
    for (const PlannedBuffer& buffer : plan.buffers) {
      const DeviceAddress address = buffer.place_in(session_.memory());
      addresses_.push_back(address);
      if (buffer.contents.empty()) continue;
      std::memcpy(session_.memory().view(address).data(), buffer.contents.data(), buffer.contents.size());
    }
  }

  LaunchResult run(const PlannedLaunch& planned, const PlanPrint& print, const KeepGoing& keep_going) {
    Launch launch;
    launch.program = planned.program.get();
    launch.grid = planned.grid;
    launch.block = planned.block;
    launch.dynamic_shared_bytes = planned.dynamic_shared_bytes;
    launch.stack_bytes = planned.stack_bytes;
    launch.parameters = planned.parameters;
    launch.print = [&](std::string_view text) {
      if (print) print(planned.name, text);
    };
    for (const AddressPlace& place : planned.addresses) {
      const DeviceAddress address = addresses_[place.buffer] + place.addend;
      std::memcpy(launch.parameters.data() + place.offset, &address, sizeof address);
    }
    try {
      if (planned.array_bytes != 0) place_arrays(planned, launch);
      for (const PlannedTexture& texture : planned.textures) place(texture, launch);
      return session_.run(launch, keep_going);
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

  std::string output(const PlannedOutput& output) {
    const auto bytes = bytes_of_buffer(output.buffer);
    const ElementType type = plan_.buffers[output.buffer].type;
    if (output.format == OutputFormat::npy) return npy_bytes(type, output.shape, bytes);
    if (output.format == OutputFormat::png) return png_bytes(type, output.shape, bytes);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

 private:
  void place_arrays(const PlannedLaunch& planned, Launch& launch) {
    const DeviceAddress arrays = session_.memory().allocate(planned.name + " local arrays", planned.array_bytes);
    std::memcpy(launch.parameters.data() + planned.program->parameters.back().offset, &arrays, sizeof arrays);
  }

  void place(const PlannedTexture& texture, Launch& launch) {
    const PlannedBuffer& buffer = plan_.buffers[texture.buffer];
    const TextureView view = view_of(texture, buffer, addresses_[texture.buffer]);
    if (!texture.reference.empty()) {
      return bind_texture(session_.memory(), *launch.program, texture.reference, view);
    }
    const DeviceAddress handle = make_texture(session_.memory(), buffer.name + " texture", view);
    std::memcpy(launch.parameters.data() + texture.offset, &handle, sizeof handle);
  }

  std::span<const std::byte> bytes_of_buffer(std::size_t buffer) { return session_.memory().view(addresses_[buffer]); }

  const LaunchPlan& plan_;
  Session session_;
  std::vector<DeviceAddress> addresses_;
};

}  // namespace

PlanResult run_plan(const LaunchPlan& plan, Machine machine, const Platform& platform, const KeepRunning& keep_running,
                    const PlanPrint& print, SchemeList schemes) {
  PlanRunner runner(plan, machine, platform, schemes);
  PlanResult result;
  Cycle cycles = 0;
  for (const PlannedLaunch& launch : plan.launches) {
    const auto ask = [&](std::uint64_t ended, Cycle since) {
      return !keep_running || keep_running({launch.name, ended, launch.grid.count(), cycles + since});
    };
    if (!ask(0, 0)) return result;
    result.launches.push_back(runner.run(
        launch, print, [&](const LaunchProgress& progress) { return ask(progress.blocks_ended, progress.cycles); }));
    if (!result.launches.back().completed) return result;
    cycles += result.launches.back().cycles();
  }
  result.completed = true;
  for (const PlannedCheck& check : plan.checks) result.checks.push_back(runner.check(check));
  for (const PlannedOutput& output : plan.outputs) result.outputs.push_back(runner.output(output));
  return result;
}

void rehearse_plan(const LaunchPlan& plan, Machine machine, const Platform& platform, SchemeList schemes) {
  if (machine == Machine::functional) return;  // it has no limits
  for (const PlannedLaunch& launch : plan.launches) {
    PlanRunner runner(plan, machine, platform, schemes);
    try {
      runner.run(launch, {}, [](const LaunchProgress&) { return false; });
    } catch (const ExecutionError&) {
      // Without the launches before it a program may well go wrong; it has started, which is what was asked.
    }
  }
}

}  // namespace reconverge::launch
