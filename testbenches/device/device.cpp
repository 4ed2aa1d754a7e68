// SPDX-License-Identifier: Apache-2.0
#include "testbenches/device/device.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <list>
#include <stdexcept>
#include <thread>

namespace reconverge::device {

namespace {

/// For recursion and calls by pointer, whose depth the driver's compiler does not know. CUDA gives 1024 bytes.
constexpr std::size_t stack_bytes = 8192;

}  // namespace

class Device::Module {
 public:
  Module(const Device& device, const Job& job) : device_(device), api_(device.api_) {
    std::array<char, 8192> log{};
    std::array<int, 3> option{jit_error_log, jit_error_log_bytes, jit_optimisation_level};
    // Numbers are passed as pointers of that value.
    std::array<void*, 3> value{log.data(), nullptr, nullptr};
    const std::uintptr_t log_bytes = log.size();
    std::memcpy(&value[1], &log_bytes, sizeof log_bytes);
    const std::uintptr_t level = device.optimisation_.value_or(0);
    std::memcpy(&value[2], &level, sizeof level);
    const unsigned options = device.optimisation_ ? 3 : 2;
    const Status status = api_->cuModuleLoadDataEx(&handle_, job.ptx.c_str(), options, option.data(), value.data());
    if (status != success) {
      log.back() = '\0';
      throw DriverError(status, fmt::format("cuModuleLoadDataEx: {}\n{}", api_.name_of(status), log.data()));
    }
  }
  ~Module() {
    if (!device_.lost_) api_->cuModuleUnload(handle_);
  }
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  FunctionHandle function(const std::string& name) const {
    FunctionHandle result = nullptr;
    api_.check(api_->cuModuleGetFunction(&result, handle_, name.c_str()), "cuModuleGetFunction " + name);
    return result;
  }

 private:
  const Device& device_;
  const DriverApi& api_;
  ModuleHandle handle_ = nullptr;
};

class Device::Allocation {
 public:
  Allocation(const Device& device, const std::vector<std::byte>& bytes)
      : device_(device), api_(device.api_), bytes_(bytes.size()) {
    api_.check(api_->cuMemAlloc(&address_, bytes_), "cuMemAlloc");
    const Status status = api_->cuMemcpyHtoD(address_, bytes.data(), bytes_);
    if (status == success) return;
    api_->cuMemFree(address_);
    api_.check(status, "cuMemcpyHtoD");
  }
  ~Allocation() {
    if (!device_.lost_) api_->cuMemFree(address_);
  }
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;

  DevicePointer address() const { return address_; }
  std::vector<std::byte> read() const {
    std::vector<std::byte> bytes(bytes_);
    api_.check(api_->cuMemcpyDtoH(bytes.data(), address_, bytes_), "cuMemcpyDtoH");
    return bytes;
  }

 private:
  const Device& device_;
  const DriverApi& api_;
  DevicePointer address_ = 0;
  std::size_t bytes_;
};

class Device::Event {
 public:
  explicit Event(const Device& device) : device_(device) {
    device.api_.check(device.api_->cuEventCreate(&handle_, 0), "cuEventCreate");
  }
  ~Event() {
    if (!device_.lost_) device_.api_->cuEventDestroy(handle_);
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void record() const { device_.api_.check(device_.api_->cuEventRecord(handle_, nullptr), "cuEventRecord"); }
  double milliseconds_since(const Event& earlier) const {
    float milliseconds = 0;
    const Status status = device_.api_->cuEventElapsedTime(&milliseconds, earlier.handle_, handle_);
    device_.api_.check(status, "cuEventElapsedTime");
    return milliseconds;
  }

 private:
  const Device& device_;
  EventHandle handle_ = nullptr;
};

Device::Device(const std::string& library) : api_(library) {
  const auto need = [&](Status status, const char* call) {
    if (status != success) throw Unavailable(fmt::format("{} says {}", call, api_.name_of(status)));
  };
  need(api_->cuInit(0), "cuInit");
  int count = 0;
  need(api_->cuDeviceGetCount(&count), "cuDeviceGetCount");
  if (count == 0) throw Unavailable("the driver knows no device");
  need(api_->cuDeviceGet(&device_, 0), "cuDeviceGet");
  std::array<char, 256> name{};
  api_.check(api_->cuDeviceGetName(name.data(), static_cast<int>(name.size()) - 1, device_), "cuDeviceGetName");
  name_ = name.data();
  int major = 0;
  int minor = 0;
  api_.check(api_->cuDeviceGetAttribute(&major, capability_major, device_), "cuDeviceGetAttribute");
  api_.check(api_->cuDeviceGetAttribute(&minor, capability_minor, device_), "cuDeviceGetAttribute");
  capability_ = static_cast<unsigned>(10 * major + minor);
  api_.check(api_->cuDeviceGetAttribute(&multiprocessors_, multiprocessor_count, device_), "cuDeviceGetAttribute");
  api_.check(api_->cuDeviceGetAttribute(&clock_khz_, clock_rate, device_), "cuDeviceGetAttribute");
  api_.check(api_->cuDriverGetVersion(&driver_version_), "cuDriverGetVersion");
  create_context();
}

Device::~Device() {
  if (!lost_) api_->cuCtxDestroy(context_);
}

void Device::create_context() {
  api_.check(api_->cuCtxCreate(&context_, 0, device_), "cuCtxCreate");
  const Status status = api_->cuCtxSetLimit(limit_stack_size, stack_bytes);
  if (status == success) return;
  api_->cuCtxDestroy(context_);
  context_ = nullptr;
  api_.check(status, "cuCtxSetLimit");
}

Buffers Device::run(const Job& job, std::chrono::milliseconds patience) {
  try {
    return run_in_context(job, patience);
  } catch (const DriverError&) {
    // A kernel that fails makes its context unusable: every later call in that context would fail, too.
    api_->cuCtxDestroy(context_);
    context_ = nullptr;
    create_context();
    throw;
  }
}

Buffers Device::run_in_context(const Job& job, std::chrono::milliseconds patience) {
  if (lost_) throw Endless(fmt::format("{} is not run: an earlier kernel still runs", job.name));
  const Module module(*this, job);
  const FunctionHandle function = module.function(job.entry);
  std::list<Allocation> buffers;
  std::vector<DevicePointer> addresses;
  for (const auto& bytes : job.buffers) addresses.push_back(buffers.emplace_back(*this, bytes).address());

  std::vector<std::vector<std::byte>> values;
  for (const JobArgument& argument : job.arguments) {
    if (std::holds_alternative<VolumeTexture>(argument)) throw std::logic_error(job.name + " has a texture");
    const auto* const buffer = std::get_if<BufferAddress>(&argument);
    const Argument value = buffer != nullptr ? Argument(addresses.at(buffer->index)) : std::get<Argument>(argument);
    values.emplace_back(value.bytes().begin(), value.bytes().end());
  }
  std::vector<void*> parameters;
  parameters.reserve(values.size());
  for (auto& value : values) parameters.push_back(value.data());

  const Event before(*this);
  const Event after(*this);
  before.record();
  api_.check(api_->cuLaunchKernel(function, job.grid.x, job.grid.y, job.grid.z, job.block.x, job.block.y, job.block.z,
                                  job.dynamic_shared_bytes, nullptr, parameters.data(), nullptr),
             "cuLaunchKernel");
  after.record();
  wait(job, patience);
  milliseconds_ = after.milliseconds_since(before);
  Buffers result;
  for (const Allocation& buffer : buffers) result.push_back(buffer.read());
  return result;
}

void Device::wait(const Job& job, std::chrono::milliseconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  for (;;) {
    const Status status = api_->cuStreamQuery(nullptr);
    if (status != not_ready) return api_.check(status, "the kernel");
    if (std::chrono::steady_clock::now() > end) {
      lost_ = true;
      throw Endless(fmt::format("{} still runs after {} ms", job.name, patience.count()));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

}  // namespace reconverge::device
