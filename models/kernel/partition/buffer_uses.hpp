#pragma once
/// Which buffers instructions load from and store to, as far as a program tells: a pass may not do both with one.

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// What an instruction does with memory.
struct BufferUse {
  bool load = false;
  bool store = false;
  bool global = false;  ///< may be in global memory
  bool local = false;   ///< may be in the local memory of its thread
  /// The parameter that the address is made from, by its offset; unknown: any buffer.
  std::uint32_t parameter = unknown;

  static constexpr std::uint32_t unknown = ~0U;
  bool any() const { return load || store; }
  bool operator==(const BufferUse&) const = default;
};

/// What several instructions do with memory, by place.
class BufferUses {
 public:
  void add(const BufferUse& use);
  void add(const BufferUses& others);

  /// Whether one of these may load what one of the others stores, or the other way round.
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
  Kinds unknown_;                         // of these, any buffer
  std::map<std::uint32_t, Kinds> known_;  // by parameter
};

/// By pc. `distinct_arguments`: different parameters lead to different buffers, and textures to others.
std::vector<BufferUse> buffer_uses(const Program& program, bool distinct_arguments);

/// The blocks of the program, cut where an instruction may load what one before it in its block stores, or the other
/// way round.
std::vector<BasicBlock> cut_blocks(const Program& program, std::span<const BufferUse> uses);

}  // namespace reconverge::kernel
