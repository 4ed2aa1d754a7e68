// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A Benes network as RTL, or as RTL in lock step with the model. `models/cosim` implements it.

#include <memory>

#include "models/stream/benes_network/network_unit.hpp"

namespace reconverge {

enum class NetworkTwin : std::uint8_t { rtl, lockstep };

/// Throws ParameterError if no such RTL was built.
std::unique_ptr<NetworkUnit> make_network_twin(const RecordPacking& packing, unsigned register_every, NetworkTwin twin);

}  // namespace reconverge
