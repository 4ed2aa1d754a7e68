#include "models/sm/scoreboard.hpp"

#include <algorithm>

namespace reconverge {

Scoreboard::Scoreboard(sc_core::sc_module_name name, std::size_t warp_slots)
    : sc_module(name), requests("requests"), warp_slots_(warp_slots) {
  requests.bind(*this);
}

void Scoreboard::begin(const ProgramImage& image) {
  tracked_ = image.tracked() + 1;
  ready_.assign(warp_slots_ * tracked_, 0);
  loads_.assign(warp_slots_, {});
}

void Scoreboard::clear(std::uint32_t slot) {
  const auto first = ready_.begin() + static_cast<std::ptrdiff_t>(slot * tracked_);
  std::fill(first, first + static_cast<std::ptrdiff_t>(tracked_), 0);
}

void Scoreboard::b_transport(ScoreboardRequest& request, sc_core::sc_time& /*delay*/) {
  std::uint64_t* ready = ready_.data() + request.slot * tracked_;
  if (request.issued != nullptr) {
    const std::uint64_t entry = request.result << 1U | (request.from_memory ? 1U : 0U);
    const auto destinations = request.issued->dependencies.destinations();
    for (const std::uint16_t number : destinations) ready[number] = entry;
    if (request.from_memory && !destinations.empty()) {
      Loads& loads = loads_[request.slot];
      if (request.result >= never) {
        ++loads.unknown;
      } else {
        loads.until = std::max(loads.until, request.result);
        loads.unknown -= request.written_back ? 1 : 0;
      }
    }
  }
  std::uint64_t latest = 0;
  const Dependencies& next = request.next->dependencies;
  for (std::size_t i = 0; i < next.count; i += Dependencies::together) {
    const std::uint16_t* numbers = next.registers.data() + i;
    latest = std::max({latest, ready[numbers[0]], ready[numbers[1]], ready[numbers[2]], ready[numbers[3]]});
  }
  if (request.all) {
    latest = *std::max_element(ready, ready + tracked_);
  } else if (request.next->flow == Flow::exit) {
    const Loads& loads = loads_[request.slot];
    latest = std::max(latest, (loads.unknown != 0 ? never : loads.until) << 1U | 1U);
  }
  request.ready = latest >> 1U;
  request.waits_for_memory = (latest & 1U) != 0;
  if (request.written_back) return;
  ++statistics_.checks;
  if (request.ready > request.result) ++statistics_.waits;
}

}  // namespace reconverge
