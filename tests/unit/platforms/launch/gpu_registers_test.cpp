// SPDX-License-Identifier: Apache-2.0
/// A CPU model that drives the GPU only over TLM-2.0: copies data to the device, launches, waits for the interrupt, and
/// copies the result back.

#include "platforms/integration/gpu_registers.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <functional>

#include "models/core/simulation_context.hpp"
#include "models/kernel/decode/load_program.hpp"

using namespace reconverge;

namespace {

const std::string kernels = RECONVERGE_SOURCE_DIR "/platforms/kernels/";

/// 64 KiB of system memory, 10 ns for an access.
struct SystemMemory : sc_core::sc_module {
  tlm_utils::simple_target_socket<SystemMemory> socket;
  std::array<unsigned char, 65536> bytes{};

  explicit SystemMemory(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
    socket.register_b_transport(this, &SystemMemory::access);
  }
  void access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    if (payload.get_address() + payload.get_data_length() > bytes.size()) {
      return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    unsigned char* const place = &bytes[payload.get_address()];
    if (payload.is_write()) {
      std::memcpy(place, payload.get_data_ptr(), payload.get_data_length());
    } else {
      std::memcpy(payload.get_data_ptr(), place, payload.get_data_length());
    }
    delay += sc_core::sc_time(10, sc_core::SC_NS);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

/// Runs a driver as a process.
struct Cpu : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Cpu> socket;
  sc_core::sc_in<bool> interrupt;
  std::function<void(Cpu&)> driver;
  bool ended = false;

  SC_HAS_PROCESS(Cpu);
  Cpu(sc_core::sc_module_name name, std::function<void(Cpu&)> runs)
      : sc_module(name), socket("socket"), interrupt("interrupt"), driver(std::move(runs)) {
    SC_THREAD(run);
  }
  void run() {
    driver(*this);
    ended = true;
  }

  tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, void* data, unsigned bytes) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<unsigned char*>(data));
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    sc_core::sc_time delay;
    socket->b_transport(payload, delay);
    return payload.get_response_status();
  }
  void write(std::uint32_t address, std::vector<std::uint32_t> words) {
    REQUIRE(access(tlm::TLM_WRITE_COMMAND, address, words.data(), static_cast<unsigned>(4 * words.size())) ==
            tlm::TLM_OK_RESPONSE);
  }
  std::uint32_t read(std::uint32_t address) {
    std::uint32_t word = 0;
    REQUIRE(access(tlm::TLM_READ_COMMAND, address, &word, 4) == tlm::TLM_OK_RESPONSE);
    return word;
  }
  /// Waits for the interrupt, clears it, and returns the status before.
  std::uint32_t wait_for_end() {
    while (!interrupt.read()) wait(interrupt.default_event());
    const std::uint32_t status = read(GpuRegister::status);
    write(GpuRegister::control, {GpuControl::clear});
    while (interrupt.read()) wait(interrupt.default_event());
    return status;
  }
  std::uint32_t copy(std::uint64_t system, DeviceAddress device, std::uint32_t bytes, bool to_system) {
    write(GpuRegister::system_address,
          {static_cast<std::uint32_t>(system), static_cast<std::uint32_t>(system >> 32U),
           static_cast<std::uint32_t>(device), static_cast<std::uint32_t>(device >> 32U), bytes, to_system ? 1U : 0U});
    write(GpuRegister::control, {GpuControl::copy});
    return wait_for_end();
  }
};

struct Simulation {
  explicit Simulation(std::function<void(Cpu&)> driver) : cpu("cpu", std::move(driver)) {
    cpu.socket.bind(registers.registers);
    cpu.interrupt.bind(registers.interrupt);
    registers.system.bind(memory.socket);
    registers.add(saxpy);
    x = gpu.memory().allocate("x", 4000);
    y = gpu.memory().allocate("y", 4000);
  }
  void run() {
    sc_core::sc_start(1, sc_core::SC_MS);
    REQUIRE(cpu.ended);
  }

  SimulationContext context;
  kernel::Program saxpy = kernel::load_program(kernels + "saxpy.ptx", "saxpy");
  Gpu gpu{"gpu", GpuParameters{}};
  GpuRegisters registers{"registers", gpu};
  SystemMemory memory{"memory"};
  Cpu cpu;
  DeviceAddress x = 0;
  DeviceAddress y = 0;
};

}  // namespace

TEST_CASE("a CPU copies data, launches a kernel, waits for the interrupt and copies the result") {
  Simulation* all = nullptr;
  std::vector<std::uint32_t> statuses;
  Simulation simulation([&](Cpu& cpu) {
    CHECK(cpu.read(GpuRegister::id) == 0x52435647);
    cpu.write(GpuRegister::interrupts, {1});
    statuses.push_back(cpu.copy(0, all->x, 4000, false));
    statuses.push_back(cpu.copy(4096, all->y, 4000, false));
    struct Arguments {
      float a;
      std::uint32_t padding;
      std::uint64_t x;
      std::uint64_t y;
      std::uint32_t count;
    } arguments{2.0F, 0, all->x, all->y, 1000};
    REQUIRE(cpu.access(tlm::TLM_WRITE_COMMAND, GpuRegister::arguments, &arguments, sizeof arguments) ==
            tlm::TLM_OK_RESPONSE);
    cpu.write(GpuRegister::program, {0, 0, 4, 1, 1, 256, 1, 1});
    cpu.write(GpuRegister::control, {GpuControl::launch});
    CHECK((cpu.read(GpuRegister::status) & GpuStatus::running) != 0);
    statuses.push_back(cpu.wait_for_end());
    statuses.push_back(cpu.copy(8192, all->y, 4000, true));
    cpu.write(GpuRegister::control, {GpuControl::reset});
    CHECK(cpu.read(GpuRegister::block) == 0);
  });
  all = &simulation;
  for (std::size_t i = 0; i < 1000; ++i) {
    const std::array<float, 2> values{static_cast<float>(i), 1};
    std::memcpy(&simulation.memory.bytes[4 * i], &values[0], 4);
    std::memcpy(&simulation.memory.bytes[4096 + 4 * i], &values[1], 4);
  }
  simulation.run();
  CHECK(simulation.registers.error().empty());
  CHECK(statuses == std::vector<std::uint32_t>(4, GpuStatus::done));
  float last = 0;
  std::memcpy(&last, &simulation.memory.bytes[8192 + 4 * 999], 4);
  CHECK(last == 1999);
}

TEST_CASE("a wrong program, copy or access is a status or a response, not the end of the simulation") {
  Simulation* all = nullptr;
  Simulation simulation([&](Cpu& cpu) {
    cpu.write(GpuRegister::interrupts, {1});
    cpu.write(GpuRegister::program, {7, 0, 1, 1, 1, 32, 1, 1});
    cpu.write(GpuRegister::control, {GpuControl::launch});
    CHECK(all->registers.error().find("there is no program 7") != std::string::npos);
    CHECK(cpu.wait_for_end() == GpuStatus::failed);
    CHECK(all->registers.error().empty());
    CHECK(cpu.copy(0, all->x, 8000, false) == GpuStatus::failed);  // longer than the buffer
    CHECK(cpu.copy(65000, all->x, 1024, false) == GpuStatus::failed);
    std::uint32_t word = 0;
    CHECK(cpu.access(tlm::TLM_READ_COMMAND, GpuRegister::registers_end, &word, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(cpu.access(tlm::TLM_READ_COMMAND, 2, &word, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(cpu.access(tlm::TLM_WRITE_COMMAND, GpuRegister::end - 2, &word, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  });
  all = &simulation;
  simulation.run();
}

TEST_CASE("a CPU aborts a launch, and starts the next") {
  Simulation* all = nullptr;
  Simulation simulation([&](Cpu& cpu) {
    cpu.write(GpuRegister::interrupts, {1});
    // a, padding, x, y and the number of elements
    const auto half = [](DeviceAddress address, bool high) {
      return static_cast<std::uint32_t>(high ? address >> 32U : address);
    };
    cpu.write(GpuRegister::arguments,
              {0x4000'0000, 0, half(all->x, false), half(all->x, true), half(all->y, false), half(all->y, true), 1000});
    cpu.write(GpuRegister::program, {0, 0, 4, 1, 1, 256, 1, 1});
    cpu.write(GpuRegister::control, {GpuControl::launch});
    wait(200, sc_core::SC_NS);
    cpu.write(GpuRegister::control, {GpuControl::abort});
    while (!cpu.interrupt.read()) wait(cpu.interrupt.default_event());
    CHECK(all->registers.error().find("aborted") != std::string::npos);
    CHECK(cpu.wait_for_end() == GpuStatus::failed);
    cpu.write(GpuRegister::control, {GpuControl::launch});
    CHECK(cpu.wait_for_end() == GpuStatus::done);
    cpu.write(GpuRegister::control, {GpuControl::abort});  // nothing runs: no effect
    CHECK(cpu.read(GpuRegister::status) == 0);
  });
  all = &simulation;
  simulation.run();
}
