// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Native twins: every kernel of this folder compiled for the host from the same source. A twin leaves the same memory
/// as the modelled GPU must, bit for bit, as long as the kernel's result does not depend on the order of threads.

#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "platforms/kernels/device.h"

namespace reconverge::kernels {

/// Blocks of the grid and threads of a block, as in a launch.
struct LaunchShape {
  Index3 grid{1, 1, 1};
  Index3 block{1, 1, 1};
};

/// Enough blocks of `threads` threads, along x, for `count` elements; at least one.
LaunchShape shape_for(unsigned count, unsigned threads = 128);

/// One kernel parameter and its offset in the parameter block: PTX's natural alignment, pointers 8 bytes.
struct TwinParameter {
  unsigned offset = 0;
  unsigned bytes = 0;
  bool pointer = false;
};

class Twin {
 public:
  /// Runs one thread, whose place the caller has set, with the given parameter block.
  using Thread = void (*)(const std::byte* parameter_block);

  constexpr Twin(std::string_view name, std::span<const TwinParameter> parameters, Thread thread, bool has_barriers)
      : name_(name), parameters_(parameters), thread_(thread), has_barriers_(has_barriers) {}

  constexpr std::string_view name() const { return name_; }
  constexpr std::span<const TwinParameter> parameters() const { return parameters_; }
  constexpr bool has_barriers() const { return has_barriers_; }

  /// Runs the whole grid on the calling thread: block after block, and in each block thread after thread, x first; with
  /// barriers, all threads of a block run to a barrier before any continues. Pointers in `parameter_block` are host
  /// pointers. Throws InputError if the block is too short or the shape cannot be launched (an empty dimension, more
  /// than 1024 threads a block).
  void run(const LaunchShape& shape, std::span<const std::byte> parameter_block) const;

  /// The same with single arguments. Throws InputError if their number, or the size of one, is wrong.
  template <typename... Arguments>
  void operator()(const LaunchShape& shape, Arguments... arguments) const {
    static_assert((std::is_trivially_copyable_v<Arguments> && ...));
    std::vector<std::span<const std::byte>> bytes;
    (bytes.push_back(std::as_bytes(std::span(&arguments, 1))), ...);
    run(shape, pack(bytes));
  }

  /// Argument bytes, stored at the offsets of the parameters. Throws as above.
  std::vector<std::byte> pack(std::span<const std::span<const std::byte>> arguments) const;

 private:
  unsigned parameter_bytes() const { return parameters_.back().offset + parameters_.back().bytes; }

  std::string_view name_;
  std::span<const TwinParameter> parameters_;
  Thread thread_;
  bool has_barriers_;
};

/// All twins, by name.
std::span<const Twin> twins();

/// The twin of the kernel (PTX entry) `name`. Throws InputError, with the nearest name, if there is none.
const Twin& twin(std::string_view name);

}  // namespace reconverge::kernels
