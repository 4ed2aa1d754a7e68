// SPDX-License-Identifier: Apache-2.0
#include "platforms/embedding/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "models/core/error.hpp"
#include "models/core/suggestion.hpp"
#include "models/execution/module_variables.hpp"
#include "platforms/configuration/configuration.hpp"
#include "platforms/embedding/embedded_experiment.hpp"
#include "platforms/embedding/loaded_plugins.hpp"
#include "platforms/embedding/poll.hpp"
#include "platforms/embedding/turn.hpp"
#include "platforms/host/installation.hpp"
#include "platforms/launch/keys.hpp"
#include "platforms/machines/machines.hpp"

namespace reconverge::embedding {

namespace {

namespace fs = std::filesystem;

ExperimentParameters parameters_of(const DeviceSettings& settings, const Kinds& kinds) {
  ExperimentParameters parameters;
  without_option([&] {
    configuration::load(with_kinds(experiment_block, kinds), &parameters, platform_file(settings.platform),
                        settings.settings, launch::section_keys());
  });
  parameters.machine = settings.machine;
  return parameters;
}

/// A flag that is set during a scope.
class Raised {
 public:
  explicit Raised(bool& flag) : flag_(flag) { flag_ = true; }
  ~Raised() { flag_ = false; }
  Raised(const Raised&) = delete;
  Raised& operator=(const Raised&) = delete;

 private:
  bool& flag_;
};

}  // namespace

std::string platform_file(const std::string& name) {
  std::error_code ignored;
  if (fs::is_regular_file(name, ignored)) return name;
  const fs::path folder = data_folder() / "yaml/platforms";
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) names.push_back(entry.path().stem().string());
  const std::string wanted = name.ends_with(".yaml") ? name.substr(0, name.size() - 5) : name;
  if (std::ranges::find(names, wanted) != names.end()) return (folder / (wanted + ".yaml")).string();
  std::ranges::sort(names);
  throw InputError({}, fmt::format("there is no platform '{}', neither a file nor a shipped one", name),
                   suggest(wanted, std::vector<std::string_view>(names.begin(), names.end())));
}

Device::Device(const DeviceSettings& settings)
    : plugins_(loaded_plugins()), parameters_(parameters_of(settings, kinds())) {
  const MachineKind& machine = find_machine(settings.machine, kinds().machines);
  const Turn turn;
  session_.emplace(machine, parameters_, kinds().schemes);
  simulation_ = Turn::current();
  session_->device().use_threads(std::max(settings.threads, 1U));
  session_->device().ask_every(cycles_between_questions);
}

Device::~Device() {
  const Turn turn(simulation_);
  session_.reset();
}

bool Device::timed() const { return session_->kind().traits.timed; }

DeviceAddress Device::allocate(std::string name, std::uint64_t bytes) {
  return session_->memory().allocate(std::move(name), bytes);
}

void Device::release(DeviceAddress address) {
  if (running_) throw InputError({}, "memory cannot be freed while a launch runs", "free it after the launch");
  if (session_->memory().release(address)) return;
  throw InputError({}, fmt::format("no buffer begins at address {:#x}", address),
                   "give the address that the allocation returned, once");
}

std::uint64_t Device::bytes_at(DeviceAddress address) { return session_->memory().view(address).size(); }

std::span<std::byte> Device::memory(DeviceAddress address, std::uint64_t bytes) {
  DeviceMemory& memory = session_->memory();
  const Buffer* const buffer = memory.find(address);
  if (buffer == nullptr)
    throw InputError({}, fmt::format("address {:#x} is in no buffer", address), "give an address of an allocation");
  const std::uint64_t offset = address - buffer->address;
  if (bytes > buffer->bytes - offset) {
    throw InputError({},
                     fmt::format("{} bytes from byte {} on exceed buffer '{}' of {} bytes", bytes, offset, buffer->name,
                                 buffer->bytes),
                     "copy fewer bytes, or allocate more");
  }
  return memory.view(buffer->address).subspan(offset, bytes);
}

DeviceAddress Device::variable(const kernel::Program& variables, std::string_view name) {
  return place_variable(variables, name, session_->memory());
}

void Device::check_ready() const {
  if (running_) throw InputError({}, "the device is running a launch", "make another device, or wait for the end");
  if (ended_)
    throw InputError({}, "the last launch of the device was stopped or failed, and no further launch is possible",
                     "make a new device");
}

launch::LaunchResult Device::run(const DeviceLaunch& wanted, KeepRunning keep_running) {
  check_ready();
  Launch launch =
      make_packed_launch(*wanted.program, wanted.grid, wanted.block, wanted.parameters, wanted.dynamic_shared_bytes);
  launch.cooperative = wanted.cooperative;
  programs_.insert(wanted.program);
  Poll poll(std::move(keep_running));
  const KeepGoing keep_going = [&](const LaunchProgress& progress) {
    return poll(
        {wanted.program->name, progress.blocks_ended, progress.blocks, progress.cycles, RunProgress::Unit::blocks});
  };
  const Turn turn(simulation_);
  const Raised running(running_);
  ended_ = true;  // unless it ends without an exception
  // A short launch may end before the machine asks.
  if (!keep_going({0, 0, launch.blocks()})) {
    ended_ = false;
    launch::LaunchResult none;
    none.machine = &session_->kind();
    return none;
  }
  launch::LaunchResult result = session_->run(launch, keep_going);
  ended_ = !result.completed;
  return result;
}

}  // namespace reconverge::embedding
