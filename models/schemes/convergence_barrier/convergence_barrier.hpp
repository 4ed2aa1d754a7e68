// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Convergence barriers (BSSY, BSYNC, BREAK) as the divergence scheme of an SM, as in NVIDIA GPUs since Volta: the
/// baseline of Damani et al., "GPU Subwarp Interleaving", HPCA 2022, section III-A.

#include "blocks/convergence_barrier.hpp"
#include "models/protocols/scheme_kind.hpp"
#include "models/schemes/thread_states/barrier_scheme.hpp"

namespace reconverge {

class ConvergenceBarrier final : public BarrierScheme {
 public:
  ConvergenceBarrier(sc_core::sc_module_name name, const SchemePlace& place,
                     const ConvergenceBarrierParameters& parameters);

  void add_statistics(Statistics& totals) const override;
};

const SchemeKind& convergence_barrier_scheme();

}  // namespace reconverge
