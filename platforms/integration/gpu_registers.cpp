// SPDX-License-Identifier: Apache-2.0
#include "platforms/integration/gpu_registers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>

#include "models/core/error.hpp"

namespace reconverge {

GpuRegisters::GpuRegisters(sc_core::sc_module_name name, Gpu& gpu)
    : sc_module(name), registers("registers"), system("system"), interrupt("interrupt"), gpu_(gpu) {
  registers.register_b_transport(this, &GpuRegisters::access);
  SC_HAS_PROCESS(GpuRegisters);
  SC_METHOD(launch_ended);
  sensitive << gpu_.done();
  dont_initialize();
  SC_METHOD(drive);
  sensitive << level_changed_;
  dont_initialize();
  SC_THREAD(copy);
}

std::uint32_t GpuRegisters::add(const kernel::Program& program) {
  programs_.push_back(&program);
  return static_cast<std::uint32_t>(programs_.size() - 1);
}

void GpuRegisters::access(tlm::tlm_generic_payload& payload, sc_core::sc_time& /*delay*/) {
  const std::uint64_t offset = payload.get_address();
  const std::uint64_t end = offset + payload.get_data_length();
  if (payload.get_byte_enable_ptr() != nullptr) {
    return payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  }
  if (payload.get_streaming_width() < payload.get_data_length()) {
    return payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  if (offset >= GpuRegister::arguments && end <= GpuRegister::end) {
    access_arguments(payload, static_cast<std::uint32_t>(offset));
  } else if (offset % 4 == 0 && end % 4 == 0 && end <= GpuRegister::registers_end) {
    access_words(payload, static_cast<std::uint32_t>(offset));
  } else {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
}

void GpuRegisters::access_arguments(tlm::tlm_generic_payload& payload, std::uint32_t offset) {
  std::byte* const bytes = &arguments_[offset - GpuRegister::arguments];
  if (payload.is_write()) {
    std::memcpy(bytes, payload.get_data_ptr(), payload.get_data_length());
  } else if (payload.is_read()) {
    std::memcpy(payload.get_data_ptr(), bytes, payload.get_data_length());
  }
}

void GpuRegisters::access_words(tlm::tlm_generic_payload& payload, std::uint32_t offset) {
  for (std::uint32_t at = 0; at < payload.get_data_length(); at += 4) {
    std::uint32_t value = 0;
    if (payload.is_write()) {
      std::memcpy(&value, payload.get_data_ptr() + at, 4);
      write(offset + at, value);
    } else if (payload.is_read()) {
      value = read(offset + at);
      std::memcpy(payload.get_data_ptr() + at, &value, 4);
    }
  }
}

std::uint32_t GpuRegisters::read(std::uint32_t offset) const {
  if (offset == GpuRegister::id) return 0x5243'5647;
  if (offset != GpuRegister::status) return offset == GpuRegister::control ? 0 : word(offset);
  return (gpu_.running() ? GpuStatus::running : 0U) | (copying_ ? GpuStatus::copying : 0U) | ended_;
}

void GpuRegisters::write(std::uint32_t offset, std::uint32_t value) {
  if (offset == GpuRegister::id || offset == GpuRegister::status) return;
  if (offset == GpuRegister::control) return command(value);
  words_[offset / 4] = value;
  if (offset == GpuRegister::interrupts) level_changed_.notify(sc_core::SC_ZERO_TIME);
}

template <typename Action>
bool GpuRegisters::attempt(const Action& action) {
  try {
    action();
    return true;
  } catch (const std::exception& error) {
    error_ = error.what();
    end(GpuStatus::failed);
    return false;
  }
}

void GpuRegisters::command(std::uint32_t bits) {
  if ((bits & GpuControl::clear) != 0) {
    ended_ = 0;
    error_.clear();
    level_changed_.notify(sc_core::SC_ZERO_TIME);
  }
  if ((bits & GpuControl::abort) != 0) gpu_.abort();
  if ((bits & GpuControl::reset) != 0 && !gpu_.running() && !copying_) {
    words_.fill(0);
    arguments_.fill(std::byte{0});
  }
  if ((bits & GpuControl::copy) != 0) {
    attempt([&] {
      if (copying_) throw ExecutionError("a copy has not ended: wait for it before the next one");
      copying_ = true;
      copy_.notify(sc_core::SC_ZERO_TIME);
    });
  }
  if ((bits & GpuControl::launch) != 0) attempt([&] { launch(); });
}

void GpuRegisters::launch() {
  const std::uint32_t number = word(GpuRegister::program);
  if (number >= programs_.size()) {
    throw InputError({}, fmt::format("there is no program {}", number), fmt::format("{} were added", programs_.size()));
  }
  const kernel::Program& program = *programs_[number];
  const auto dimensions = [&](std::uint32_t at) { return Dim3{word(at), word(at + 4), word(at + 8)}; };
  const auto parameters =
      std::span(arguments_).first(std::min<std::size_t>(program.parameter_bytes, arguments_.size()));
  gpu_.start(make_packed_launch(program, dimensions(GpuRegister::grid), dimensions(GpuRegister::block),
                                {parameters.begin(), parameters.end()}, word(GpuRegister::shared_bytes)));
}

void GpuRegisters::launch_ended() {
  if (attempt([&] { gpu_.check(); })) end(GpuStatus::done);
}

void GpuRegisters::copy() {
  for (;;) {
    wait(copy_);
    const bool copied = attempt([&] {
      const DeviceAddress device = address(GpuRegister::device_address);
      const std::uint64_t bytes = word(GpuRegister::bytes);
      const Buffer* const buffer = gpu_.memory().find(device);
      if (buffer == nullptr || !buffer->contains(device, device, static_cast<unsigned>(bytes))) {
        throw ExecutionError(fmt::format("a copy of {} bytes at device address {:#x} is in no buffer", bytes, device));
      }
      constexpr std::uint64_t burst = 256;
      for (std::uint64_t at = 0; at < bytes; at += burst) {
        copy_part(address(GpuRegister::system_address) + at,
                  {gpu_.memory().host() + device + at, std::min(burst, bytes - at)});
      }
    });
    copying_ = false;
    if (copied) end(GpuStatus::done);
  }
}

void GpuRegisters::copy_part(std::uint64_t from_begin, std::span<std::byte> device) {
  tlm::tlm_generic_payload payload;
  const auto bytes = static_cast<unsigned>(device.size());
  payload.set_command(word(GpuRegister::to_system) != 0 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload.set_address(from_begin);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(device.data()));
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  sc_core::sc_time delay;
  system->b_transport(payload, delay);
  if (delay != sc_core::SC_ZERO_TIME) wait(delay);
  if (!payload.is_response_ok()) {
    throw ExecutionError(
        fmt::format("the system answers a copy at {:#x} with {}", from_begin, payload.get_response_string()));
  }
}

void GpuRegisters::end(std::uint32_t status) {
  ended_ |= status;
  level_changed_.notify(sc_core::SC_ZERO_TIME);
}

void GpuRegisters::drive() { interrupt.write(word(GpuRegister::interrupts) != 0 && ended_ != 0); }

}  // namespace reconverge
