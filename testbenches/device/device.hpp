// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A GPU, used through its driver: loads the PTX of a job, launches it, and reads back the results.

#include <chrono>
#include <optional>
#include <string>

#include "testbenches/device/driver_api.hpp"
#include "testbenches/device/job.hpp"

namespace reconverge::device {

/// The kernel does not end. This process cannot run anything else on the device.
class Endless : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Device {
 public:
  /// The first device of the driver in `library`. Throws Unavailable with the reason if there is none.
  explicit Device(const std::string& library = "libcuda.so.1");
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const std::string& name() const { return name_; }
  /// 13000 for CUDA 13.0.
  int driver_version() const { return driver_version_; }
  int multiprocessors() const { return multiprocessors_; }
  /// The highest clock of the multiprocessors in kHz.
  int clock_khz() const { return clock_khz_; }
  /// 90 for sm_90.
  unsigned capability() const { return capability_; }
  /// How much the driver's compiler optimises, 0 to 4. Without this call it takes 4, or 0 for a text with `.target
  /// debug`.
  void set_optimisation(std::optional<unsigned> level) { optimisation_ = level; }

  /// Compiles, launches and waits. Throws DriverError with the messages of the driver and its compiler on any failure;
  /// the device is usable again afterwards. Throws Endless after `patience`.
  Buffers run(const Job& job, std::chrono::milliseconds patience = std::chrono::seconds(20));
  /// The time of the last launch on the device, in milliseconds: between events before and after it.
  double milliseconds() const { return milliseconds_; }

 private:
  class Module;
  class Allocation;
  class Event;

  void create_context();
  Buffers run_in_context(const Job& job, std::chrono::milliseconds patience);
  void wait(const Job& job, std::chrono::milliseconds patience);

  DriverApi api_;
  int device_ = 0;
  ContextHandle context_ = nullptr;
  std::string name_;
  unsigned capability_ = 0;
  int driver_version_ = 0;
  int multiprocessors_ = 0;
  int clock_khz_ = 0;
  double milliseconds_ = 0;
  std::optional<unsigned> optimisation_;
  bool lost_ = false;  ///< a kernel runs forever: every further call would wait for it
};

}  // namespace reconverge::device
