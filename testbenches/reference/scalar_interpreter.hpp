// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The reference for every divergence scheme: runs a launch thread by thread, each with its own pc and registers, by a
/// plain switch over the instruction. It has no warps, masks, reconvergence or timing, and shares nothing with the
/// vector execution in models/execution/operations: both follow the PTX ISA manual.
///
/// A spawned thread runs when its parent has ended, in its place, with spawn memory that only the two share. The
/// threads of a block take turns at barriers; blocks run one after the other. So the memory of a race-free program is
/// what any machine must leave. Instructions that are not defined thread by thread are refused: %clock and similar
/// registers, activemask.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/execution/device_memory.hpp"
#include "models/execution/launch.hpp"
#include "testbenches/reference/operations.hpp"
#include "testbenches/reference/scalar_thread.hpp"

namespace reconverge {

struct ScalarCounts {
  std::uint64_t threads = 0;
  std::uint64_t thread_instructions = 0;  ///< executed, of all threads: with a passed guard, and branches
  std::vector<std::uint64_t> per_thread;  ///< the same, by thread, block after block
};

class ScalarInterpreter {
 public:
  /// A thread that takes more than `step_limit` steps counts as being in an endless loop.
  explicit ScalarInterpreter(std::uint64_t step_limit = 100'000'000) : step_limit_(step_limit) {}

  DeviceMemory& memory() { return memory_; }

  /// Runs a launch to its end. Throws InputError for an unsupported instruction, ExecutionError if the program fails: a
  /// trap, a bad address, a barrier that not all threads reach, an endless loop.
  ScalarCounts run(const Launch& launch);

 private:
  using Thread = reference::ScalarThread;

  void run_block(std::uint64_t block);
  /// Runs until the thread ends or waits for others.
  void advance(Thread& thread);
  void execute(Thread& thread, const kernel::Instruction& instruction);
  void execute_mbarrier(Thread& thread, const kernel::Instruction& instruction);
  void copy_in_bulk(Thread& thread, const kernel::Instruction& instruction);
  void execute_memory(Thread& thread, const kernel::Instruction& instruction);
  void execute_logic(Thread& thread, const kernel::Instruction& instruction) const;
  /// The offset in the parameters that a load reads, if it reads parameters.
  std::optional<std::uint64_t> parameter_offset(const Thread& thread, const kernel::Instruction& instruction) const;
  /// One part of an atomic operation.
  void combine(Thread& thread, const kernel::Instruction& instruction, std::byte* place, bool shared, unsigned part);
  void swap_pair(Thread& thread, const kernel::Instruction& instruction, std::byte* place);
  void execute_texture(Thread& thread, const kernel::Instruction& instruction);
  void execute_extension(Thread& thread, const kernel::Instruction& instruction) const;
  void compute_extension(Thread& thread, const kernel::Instruction& instruction) const;
  void execute_host(Thread& thread, const kernel::Instruction& instruction);
  /// The output of printf for the arguments, and the number of arguments used.
  std::pair<std::string, std::uint64_t> formatted(const Thread& thread, std::uint64_t format, std::uint64_t arguments,
                                                  unsigned address_bytes) const;
  /// The address that malloc gives; 0: none.
  std::uint64_t allocated(std::uint64_t bytes, bool wide);
  std::string text_at(const Thread& thread, std::uint64_t address, std::size_t limit) const;
  std::uint64_t value_at(const Thread& thread, std::uint64_t address, unsigned bytes) const;
  void execute_compare(Thread& thread, const kernel::Instruction& instruction) const;
  void execute_move(Thread& thread, const kernel::Instruction& instruction) const;
  void jump(Thread& thread, const kernel::Instruction& instruction) const;
  /// A new thread begins at the target when this one ends.
  void spawn(Thread& thread, const kernel::Instruction& instruction) const;
  void read_dynamic_register(Thread& thread, const kernel::Instruction& instruction) const;
  bool passes_guard(const Thread& thread, const kernel::Instruction& instruction) const;

  /// Releases threads that can continue: those at a barrier that all have reached, and warps whose threads are all at
  /// one exchange. Returns whether any thread can continue.
  bool release_waiting();
  bool release_barriers();
  /// `stranded`: only exchanges without named members, between the threads that are there.
  bool run_exchange(std::size_t first, std::size_t end, bool stranded);
  /// mma, ldmatrix, stmatrix, movmatrix of the threads that arrived, which must be a whole warp.
  void run_matrix(std::span<Thread* const> warp, const kernel::Instruction& instruction);
  void multiply_matrices(std::span<Thread* const> warp, const kernel::Instruction& instruction);
  void move_matrices(std::span<Thread* const> warp, const kernel::Instruction& instruction);

  /// A thread arrives at a block barrier.
  void arrive(Thread& thread, const kernel::Instruction& instruction);
  bool complete(std::size_t barrier) const;
  kernel::Pc function_behind(const Thread& thread, std::uint64_t pointer) const;

  std::uint64_t read(const Thread& thread, kernel::Operand operand, bool wide) const;
  std::uint64_t source(const Thread& thread, const kernel::Instruction& instruction, unsigned index) const;
  reference::Sources sources(const Thread& thread, const kernel::Instruction& instruction) const;
  static void write(Thread& thread, kernel::Operand operand, bool wide, std::uint64_t value);
  static void write_destination(Thread& thread, const kernel::Instruction& instruction, unsigned index,
                                std::uint64_t value);

  struct Place {
    std::byte* bytes = nullptr;
    bool shared = false;
  };
  /// The `bytes` at the address of a memory instruction, checked.
  Place locate(Thread& thread, const kernel::Instruction& instruction, unsigned bytes);
  [[noreturn]] void fail(const Thread& thread, const std::string& what) const;

  std::uint64_t step_limit_;
  DeviceMemory memory_;
  const Launch* launch_ = nullptr;
  const kernel::Program* program_ = nullptr;
  std::vector<std::uint32_t> constants_;  // by row
  std::vector<std::byte> shared_;
  struct Arrival {
    std::size_t thread = 0;
    kernel::Pc pc = 0;
    std::uint64_t threads = 0;  // number of threads for the barrier; 0: all
    bool vote = false;
  };
  std::vector<Thread> threads_;  // of the current block
  std::array<std::vector<Arrival>, 16> barriers_;
};

}  // namespace reconverge
