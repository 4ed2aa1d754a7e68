#pragma once
/// What moves the records of a Benes network: the model, or something in its place.

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

/// The answer as the model has it.
void answer(const RecordPacking& packing, NetworkRequest& request);

}  // namespace reconverge
