// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The part of a Benes network that moves records: the model or a replacement.

#include "models/stream/benes_network/messages.hpp"

namespace reconverge {

class NetworkUnit {
 public:
  virtual ~NetworkUnit() = default;
  NetworkUnit() = default;
  NetworkUnit(const NetworkUnit&) = delete;
  NetworkUnit& operator=(const NetworkUnit&) = delete;

  /// Fills the answer.
  virtual void move(NetworkRequest& request) = 0;
};

/// Fills the model's answer.
void answer(const RecordPacking& packing, NetworkRequest& request);

}  // namespace reconverge
