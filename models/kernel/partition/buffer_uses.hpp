// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The buffers that instructions load from and store to, as far as the program shows. A pass must not both load from
/// and store to one buffer.

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// Memory accesses of an instruction.
struct BufferUse {
  bool load = false;
  bool store = false;
  bool global = false;  ///< may be in global memory
  bool local = false;   ///< may be in the local memory of its thread
  /// The parameter that the address is derived from, by its offset; unknown: any buffer.
  std::uint32_t parameter = unknown;

  static constexpr std::uint32_t unknown = ~0U;
  bool any() const { return load || store; }
  bool operator==(const BufferUse&) const = default;
};

/// Memory accesses of several instructions, by location.
class BufferUses {
 public:
  void add(const BufferUse& use);
  void add(const BufferUses& others);

  /// Whether an access of this object may load what an access of the other one stores, or vice versa.
  bool conflict_with(const BufferUses& others) const;

 private:
  struct Kinds {
    bool load = false;
    bool store = false;
    void add(Kinds others);
    bool conflict_with(Kinds others) const { return (load && others.store) || (store && others.load); }
  };

  Kinds local_;
  Kinds global_;                          // all in global memory
  Kinds unknown_;                         // accesses among these to an unknown buffer
  std::map<std::uint32_t, Kinds> known_;  // by parameter
};

/// By pc. `distinct_arguments`: different parameters point to different buffers, and textures to yet other buffers.
std::vector<BufferUse> buffer_uses(const Program& program, bool distinct_arguments);

/// The blocks of the program, split where an instruction may load what an earlier one in its block stores, or vice
/// versa.
std::vector<BasicBlock> cut_blocks(const Program& program, std::span<const BufferUse> uses);

}  // namespace reconverge::kernel
