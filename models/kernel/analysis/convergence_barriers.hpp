// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Convergence barriers reconverge the lanes of a warp on machines that schedule threads independently, such as NVIDIA
/// GPUs since Volta (BSSY, BSYNC and BREAK; Damani et al., "GPU Subwarp Interleaving", HPCA 2022, section III).
///
/// A barrier register is a lane mask of the warp. `join` adds the lanes that execute it. `wait` holds a lane of the
/// mask until all lanes of the mask wait there; then the mask becomes empty and the lanes continue together. Lanes
/// outside the mask pass. `leave` removes lanes from the mask, and so does the end of a thread.
///
/// If no register is free, a region takes a register that holds the barrier of another region. `spill` moves that
/// barrier to an ordinary register before lanes join, and `fill` moves it back after they have reconverged or left.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "models/kernel/analysis/divergence_analysis.hpp"
#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// An action before the instruction at `pc`. Several actions at one pc are executed in the order of the list.
struct BarrierAction {
  enum class Kind : std::uint8_t { leave, wait, join, spill, fill };  ///< BREAK, BSYNC, BSSY, BMOV, BMOV
  Pc pc = 0;
  Kind kind = Kind::join;
  std::uint32_t region = 0;  ///< index into ConvergenceBarriers::regions
};

/// Lanes join at the end of a block of `joins` and reconverge at the top of block `meet`.
struct ConvergenceRegion {
  std::vector<std::uint32_t> joins;  ///< blocks before the region; includes `meet` if lanes may return from there
  std::uint32_t meet = 0;
  std::vector<std::uint32_t> branches;  ///< blocks that end in divergent branches of this region
  std::uint8_t barrier = 0;             ///< the register
  bool spills = false;                  ///< the register holds the barrier of another region, which is spilled
};

/// A divergent branch that no barrier reconverges. This affects only performance, never results.
struct UnsynchronisedBranch {
  enum class Reason : std::uint8_t {
    exit,    ///< its lanes reconverge only at the end of the program or function
    entry,   ///< it is in a loop that begins with the program, so there is no block before the loop in which to join
    overlap  ///< its region and another overlap, but neither contains the other
  };
  std::uint32_t block = 0;
  Reason reason = Reason::exit;
};

std::string_view name_of(BarrierAction::Kind kind);
std::string_view name_of(UnsynchronisedBranch::Reason reason);

struct ConvergenceBarriers {
  std::vector<BarrierAction> actions;  ///< by pc
  std::vector<ConvergenceRegion> regions;
  std::vector<UnsynchronisedBranch> unsynchronised;  ///< by block
};

/// Barrier registers of a warp: B0 to B15 in Volta's machine code.
inline constexpr unsigned volta_barriers = 16;

/// How functions treat the registers that their callers use.
enum class BarriersInCalls : std::uint8_t {
  kept,  ///< they use other registers
  saved  ///< they save them in the frame of the call, and restore them
};

/// Assigns convergence barriers to the blocks whose last instruction is a divergent branch. Lanes reconverge at the
/// immediate post-dominator, which `blocks` contains. Lanes join the barrier at the branch, or before the loop if the
/// branch is in a loop that does not contain the reconvergence point. Lanes on other paths leave the barrier. Regions
/// that can be active at the same time get separate registers: overlapping regions, regions on two sides of a divergent
/// branch, and regions of different functions unless functions save the registers that they use. A function that may
/// call itself must save them. If none of the `registers` (1 to 256) is free, the barrier of the enclosing region that
/// reconverges last is spilled.
ConvergenceBarriers place_convergence_barriers(std::span<const BasicBlock> blocks, const std::vector<bool>& divergent,
                                               unsigned registers = volta_barriers,
                                               BarriersInCalls in_calls = BarriersInCalls::kept);

/// The same for a program.
ConvergenceBarriers place_convergence_barriers(const Program& program, const Divergence& divergence,
                                               unsigned registers = volta_barriers,
                                               BarriersInCalls in_calls = BarriersInCalls::kept);

}  // namespace reconverge::kernel
