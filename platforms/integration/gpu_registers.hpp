// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Memory-mapped registers of a GPU, with a DMA engine and an interrupt, so that a model of a CPU can load data, launch
/// kernels and wait for their end over TLM-2.0.
///
/// Registers are little-endian words of 32 bits. An access may have several consecutive words; the argument window
/// takes any number of bytes. Accesses take no time. Programs are loaded by C++ (`add`): a driver refers to them by
/// number.

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <systemc>
#include <vector>

#include "models/kernel/program.hpp"
#include "platforms/machines/gpu/gpu.hpp"

namespace reconverge {

/// Byte offsets of the registers.
struct GpuRegister {
  static constexpr std::uint32_t id = 0x00;              ///< read only: 0x52435647
  static constexpr std::uint32_t status = 0x04;          ///< read only: bits of GpuStatus
  static constexpr std::uint32_t control = 0x08;         ///< write only: bits of GpuControl
  static constexpr std::uint32_t interrupts = 0x0c;      ///< 1: the interrupt is enabled
  static constexpr std::uint32_t program = 0x10;         ///< number of a program
  static constexpr std::uint32_t shared_bytes = 0x14;    ///< dynamic shared memory of a block
  static constexpr std::uint32_t grid = 0x18;            ///< three words: x, y, z
  static constexpr std::uint32_t block = 0x24;           ///< three words
  static constexpr std::uint32_t system_address = 0x30;  ///< of the DMA: two words, the low one first
  static constexpr std::uint32_t device_address = 0x38;  ///< likewise
  static constexpr std::uint32_t bytes = 0x40;           ///< of the DMA
  static constexpr std::uint32_t to_system =
      0x44;  ///< 1: the DMA copies from the device to the system; 0: to the device
  static constexpr std::uint32_t registers_end = 0x48;
  static constexpr std::uint32_t arguments = 0x1000;  ///< 4 KiB: the kernel's parameters, laid out as in PTX
  static constexpr std::uint32_t end = 0x2000;
};

struct GpuStatus {
  static constexpr std::uint32_t running = 1;  ///< a launch runs
  static constexpr std::uint32_t copying = 2;  ///< the DMA engine copies
  static constexpr std::uint32_t done = 4;     ///< a launch or copy has ended since the last `clear`
  static constexpr std::uint32_t failed = 8;   ///< one has failed since then; `error()` has the reason
};

struct GpuControl {
  static constexpr std::uint32_t launch = 1;  ///< the doorbell: starts the program with grid, block and arguments
  static constexpr std::uint32_t copy = 2;    ///< starts the DMA
  static constexpr std::uint32_t clear = 4;   ///< clears done and failed, and with them the interrupt
  static constexpr std::uint32_t reset = 8;   ///< sets all registers to zero; ignored while something runs
  static constexpr std::uint32_t abort = 16;  ///< gives up the launch that runs: it ends soon, as failed
};

class GpuRegisters : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<GpuRegisters> registers;
  tlm_utils::simple_initiator_socket_optional<GpuRegisters> system;  ///< of the DMA: b_transport, 256 bytes at most
  sc_core::sc_signal<bool> interrupt;                                ///< while done or failed is set, if enabled

  /// `gpu` must outlive it.
  GpuRegisters(sc_core::sc_module_name name, Gpu& gpu);

  /// Adds a program, which must outlive this module, and returns its number.
  std::uint32_t add(const kernel::Program& program);
  /// Why the last launch or copy failed; empty: it did not.
  const std::string& error() const { return error_; }

 private:
  static constexpr std::size_t words = GpuRegister::registers_end / 4;

  void access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void access_words(tlm::tlm_generic_payload& payload, std::uint32_t offset);
  void access_arguments(tlm::tlm_generic_payload& payload, std::uint32_t offset);
  std::uint32_t read(std::uint32_t offset) const;
  void write(std::uint32_t offset, std::uint32_t value);
  std::uint32_t word(std::uint32_t offset) const { return words_[offset / 4]; }
  std::uint64_t address(std::uint32_t offset) const { return word(offset) | std::uint64_t{word(offset + 4)} << 32U; }

  void command(std::uint32_t bits);
  void launch();
  /// The process that learns of the end of a launch.
  void launch_ended();
  /// The process of the DMA engine.
  void copy();
  void copy_part(std::uint64_t from_begin, std::span<std::byte> device);
  /// Runs an action. Returns whether it succeeded: an exception becomes the status `failed`.
  template <typename Action>
  bool attempt(const Action& action);
  void end(std::uint32_t status);
  /// The process that drives the interrupt.
  void drive();

  Gpu& gpu_;
  std::vector<const kernel::Program*> programs_;
  std::array<std::uint32_t, words> words_{};
  std::array<std::byte, GpuRegister::end - GpuRegister::arguments> arguments_{};
  std::uint32_t ended_ = 0;  // done, failed
  bool copying_ = false;
  sc_core::sc_event copy_;
  sc_core::sc_event level_changed_;
  std::string error_;
};

}  // namespace reconverge
