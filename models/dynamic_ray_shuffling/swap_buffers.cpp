#include "models/dynamic_ray_shuffling/swap_buffers.hpp"

namespace reconverge {

void SwapBuffers::start(const RaySwap& swap) {
  swap_ = swap;
  transfers_ = ray_registers_ * (swap.both_ways ? 2 : 1);
  read_ = 0;
  written_ = 0;
}

std::optional<RegisterAccess> SwapBuffers::read() const {
  if (read_ == transfers_ || read_ - written_ == buffers_) return std::nullopt;
  const bool back = backwards(read_);
  return RegisterAccess{back ? swap_.destination : swap_.source, register_of(read_),
                        back ? swap_.destination_lanes : swap_.source_lanes};
}

std::optional<RegisterAccess> SwapBuffers::write() const {
  const bool back = backwards(written_);
  // What the first transfer of a pair overwrites, the second has to have read.
  const std::size_t needed = written_ + (swap_.both_ways && !back ? 2 : 1);
  if (!busy() || read_ < needed) return std::nullopt;
  return RegisterAccess{back ? swap_.source : swap_.destination, register_of(written_),
                        back ? swap_.source_lanes : swap_.destination_lanes};
}

bool SwapBuffers::step(bool read_granted, bool write_granted) {
  if (read_granted) ++read_;
  if (write_granted) ++written_;
  return write_granted && !busy();
}

}  // namespace reconverge
