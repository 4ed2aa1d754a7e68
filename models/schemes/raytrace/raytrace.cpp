// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/raytrace/raytrace.hpp"

#include <algorithm>
#include <bit>

#include "blocks/sm.hpp"
#include "models/core/error.hpp"
#include "models/memory/read_only_cache.hpp"
#include "models/schemes/raytrace/trace_instructions.hpp"

namespace reconverge {

Raytrace::Raytrace(sc_core::sc_module_name name, const RaytraceParameters& parameters, const SchemePlace& place)
    : Scheme(name, place.parameters.scheduler.count),
      parameters_(parameters),
      clock_(place.clock),
      node_cache_("node_cache", as_l1_cache(parameters.node_cache), place.sm, place.clock),
      tests_("tests", parameters, statistics_),
      requests_("requests"),
      intersections_("intersections"),
      warps_(parameters.warps) {
  requests_.bind(*this);
  requests_.bind(node_cache_.requests);
  intersections_.bind(tests_.requests);
  node_cache_.room = [this](Cycle cycle) { tick_at(cycle); };
}

void Raytrace::begin(const SchemeLaunch& /*launch*/) {
  node_cache_.invalidate();
  tests_.begin();
  warps_.begin();
  noted_.clear();
  port_free_ = local_ = counted_ = clock_.now();
  next_event_ = completes_ = never;
}

void Raytrace::add_statistics(Statistics& totals) const {
  totals.of<RaytraceStatistics>() += statistics_;
  totals.of<NodeCacheStatistics>() += read_statistics<NodeCacheStatistics>(node_cache_.statistics());
}

void Raytrace::ask(SchemeRequest& request) {
  if (request.lanes == 0 || !warps_.full()) return;
  ++statistics_.full;
  request.answer = SchemeAnswer::wait;
  request.cause = static_cast<std::uint8_t>(RaytraceCause::traversal);
  request.until = never;
}

void Raytrace::issued(SchemeRequest& request) {
  if (request.lanes == 0) return;
  count_until(request.now);
  const std::uint32_t number = warps_.take();
  TracedWarp& warp = warps_[number];
  warp.entered = request.now;
  warp.slot = request.slot;
  warp.moved = request.homes != nullptr;
  if (warp.moved) warp.homes = *request.homes;
  warp.pc = request.pc;
  warp.path = request.path.lanes;
  warp.left = request.lanes;
  warp.ended = 0;
  warp.fetches.swap(noted_);
  noted_.clear();
  ++statistics_.instructions;
  statistics_.rays += count_lanes(request.lanes);
  std::uint32_t next = 0;
  for_each_lane(request.lanes, [&](unsigned lane) {
    warp.next[lane] = next;
    while (next < warp.fetches.size() && warp.fetches[next].lane == lane) ++next;
    warp.end[lane] = next;
    if (!warp.needs(lane).local) return warps_.can_ask(number, lane, request.result);
    // The thread's operands arrive with the instruction, like registers.
    go_on(number, lane, request.result + parameters_.setup_latency);
  });
  next_event_ = request.now;
}

void Raytrace::tick(Cycle now) {
  local_ = now;
  if (held_ != nullptr && node_cache_.next_event() <= now) node_cache_.tick(now);
  if (held_ == nullptr && port_free_ <= now) {
    if (const auto shared = warps_.next(now)) start_fetch(*shared, now);
  }
  complete(now);
  next_event_ = next_work(now);
}

void Raytrace::start_fetch(const SharedFetch& shared, Cycle now) {
  if (idle_.empty()) {
    idle_.push_back(static_cast<std::uint32_t>(fetch_.size()));
    fetch_.emplace_back();
  }
  sending_ = idle_.back();
  idle_.pop_back();
  fetch_[sending_] = {shared.warp, shared.lanes, 1, 0};
  ++statistics_.fetches;
  statistics_.shared_fetches += count_lanes(shared.lanes) - 1;
  warps_.wait(shared.warp, shared.lanes);
  const std::uint64_t line = parameters_.node_cache.line / sector_bytes;  // sectors
  for (std::uint64_t first = shared.first; first <= shared.last;) {
    const std::uint64_t end = std::min(shared.last + 1, (first / line + 1) * line);
    const auto sectors = static_cast<SectorMask>(((1U << (end - first)) - 1U) << first % line);
    lines_.insert(lines_.begin(), {first / line * parameters_.node_cache.line, sectors});
    first = end;
  }
  send_lines(now);
}

void Raytrace::send_lines(Cycle from) {
  const std::uint32_t number = sending_;
  while (!lines_.empty()) {
    const Line line = lines_.back();
    lines_.pop_back();
    const auto bytes = static_cast<unsigned>(std::popcount(line.sectors)) * sector_bytes;
    const Cycle taken = (bytes + parameters_.port_bytes - 1) / parameters_.port_bytes;
    statistics_.port_cycles += taken;
    ++statistics_.requests;
    ++fetch_[number].awaited;
    auto [payload, notes] = payloads_.acquire(tlm::TLM_READ_COMMAND, line.address, bytes);
    notes.sectors = line.sectors;
    notes.ticket = number;
    // The last part of the instruction is sent in the last cycle and gets the answer.
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = clock_.time_until(from + taken - 1);
    const tlm::tlm_sync_enum status = requests_->nb_transport_fw(payload, phase, delay);
    from += taken;
    if (status == tlm::TLM_COMPLETED) {
      payload.release();
      finish_part(number, clock_.cycle_from(delay));
    } else if (status == tlm::TLM_ACCEPTED) {
      held_ = &payload;
      return;
    }
  }
  port_free_ = from;
  finish_part(number, 0);
}

tlm::tlm_sync_enum Raytrace::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                             sc_core::sc_time& delay) {
  const bool was_held = held_ == &payload;
  const MemoryExtension& notes = notes_of(payload);
  const Cycle taken = notes.arrival;
  if (phase == tlm::BEGIN_RESP) {
    const std::uint32_t number = notes.ticket;
    payload.release();
    finish_part(number, clock_.cycle_from(delay));
    phase = tlm::END_RESP;
  }
  if (was_held) {
    held_ = nullptr;
    send_lines(taken + 1);
  }
  return tlm::TLM_COMPLETED;
}

void Raytrace::finish_part(std::uint32_t number, Cycle cycle) {
  Fetch& fetch = fetch_[number];
  fetch.latest = std::max(fetch.latest, cycle);
  if (--fetch.awaited != 0) return;
  deliver(fetch);
  idle_.push_back(number);
}

void Raytrace::deliver(const Fetch& fetch) {
  local_ = std::max(local_, clock_.now());
  const TracedWarp& warp = warps_[fetch.warp];
  Cycle first = never;
  for_each_lane(fetch.lanes, [&](unsigned lane) {
    IntersectionRequest request{static_cast<TraceFetch>(warp.needs(lane).purpose), local_, fetch.latest};
    Scheme::send(intersections_, request);
    go_on(fetch.warp, lane, request.done);
    first = std::min(first, request.done);
  });
  tick_at(std::max(first, local_));
}

void Raytrace::go_on(std::uint32_t number, unsigned lane, Cycle ready) {
  TracedWarp& warp = warps_[number];
  switch (static_cast<TraceFetch>(warp.needs(lane).purpose)) {
    case TraceFetch::ray:
      statistics_.rays_fetched += warp.needs(lane).local ? 0 : 1;
      break;
    case TraceFetch::node:
      ++statistics_.node_visits;
      break;
    case TraceFetch::number:
      ++statistics_.numbers_fetched;
      break;
    case TraceFetch::triangle:
      break;
    case TraceFetch::empty_leaf:
      ++statistics_.empty_leaves;
      break;
  }
  if (++warp.next[lane] != warp.end[lane]) return warps_.can_ask(number, lane, ready);
  warp.left &= ~lane_bit(lane);
  statistics_.ray_cycles += ready - warp.entered;
  warp.ended = std::max(warp.ended, ready);
  if (warp.left == 0) completes_ = std::min(completes_, warp.ended);
}

void Raytrace::complete(Cycle now) {
  if (completes_ > now) return;
  const auto ends = [&](std::uint32_t number) { return warps_[number].left == 0 ? warps_[number].ended : never; };
  const auto ended = [&](std::uint32_t number) { return ends(number) <= now; };
  const std::uint32_t done = *std::ranges::find_if(warps_.held(), ended);
  const TracedWarp& warp = warps_[done];
  count_until(now + 1);
  statistics_.warp_cycles += now + 1 - warp.entered;
  WritebackRequest request{warp.slot, warp.moved ? &warp.homes : nullptr, warp.pc, warp.path, now + 1, now};
  warps_.release(done);
  completes_ = never;
  for (const std::uint32_t number : warps_.held()) completes_ = std::min(completes_, ends(number));
  Scheme::send(writeback, request);
  RetryRequest retry{static_cast<std::uint8_t>(RaytraceCause::traversal), now + 1};
  Scheme::send(retries, retry);
}

void Raytrace::count_until(Cycle now) {
  if (!warps_.empty()) statistics_.busy_cycles += now - std::min(now, counted_);
  counted_ = std::max(counted_, now);
}

Cycle Raytrace::next_work(Cycle now) const {
  const Cycle next = held_ != nullptr ? node_cache_.next_event() : std::max(port_free_, warps_.next_ready());
  return std::max(std::min(next, completes_), now + 1);
}

namespace {

const RaytraceParameters& block_of(const SmParameters& parameters) {
  return parameters.schemes.of<RaytraceParameters>();
}

void check_parameters(const SmParameters& parameters) {
  const RaytraceParameters& block = block_of(parameters);
  const NodeCacheParameters& cache = block.node_cache;
  if (cache.capacity != 0) {
    about_parameter("gpu.sm.raytrace.node_cache.capacity",
                    [&] { return SectorTags(cache.capacity, cache.line, cache.ways, "node_cache"); });
  }
  if (block.port_bytes % sector_bytes != 0) {
    throw ParameterError("gpu.sm.raytrace.port_bytes", "the port transfers whole sectors of 32 bytes",
                         "give a multiple of 32 B");
  }
}

void add_figures(const Statistics& totals, std::vector<Figure>& figures) {
  const auto& unit = totals.of<RaytraceStatistics>();
  const auto& cache = totals.of<NodeCacheStatistics>();
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return ratio(static_cast<double>(part), static_cast<double>(whole));
  };
  figures.push_back({"trace_latency", "cycles", "Cycles of a trace instruction in the traversal unit, on average.",
                     "warp_cycles / instructions of gpu.sm.raytrace", share(unit.warp_cycles, unit.instructions)});
  figures.push_back({"rays_in_flight", "rays", "Mean number of rays in a traversal unit while it is not empty.",
                     "ray_cycles / busy_cycles of gpu.sm.raytrace", share(unit.ray_cycles, unit.busy_cycles)});
  figures.push_back({"node_cache_hit_rate", "share", "Requests of the traversal unit that hit the node cache.",
                     "hits / requests, of gpu.sm.raytrace.node_cache and gpu.sm.raytrace",
                     share(cache.hits, unit.requests)});
}

}  // namespace

const SchemeKind& raytrace_scheme() {
  static const SchemeKind kind{.part = scheme_part<RaytraceParameters>(),
                               .beside = true,
                               .make = [](const char* name, const SchemePlace& place) -> std::unique_ptr<Scheme> {
                                 return std::make_unique<Raytrace>(name, block_of(place.parameters), place);
                               },
                               .disagrees = [](const SchemeTraits& paths) -> const char* {
                                 return paths.lanes_alone ? "it answers whole warps, and each lane issues separately"
                                                          : nullptr;
                               },
                               .extensions = trace_instructions,
                               .check_parameters = check_parameters,
                               .memory_line = [](const SmParameters& parameters) -> MemoryLine {
                                 return {"node_cache.line", block_of(parameters).node_cache.line};
                               },
                               .add_figures = add_figures};
  return kind;
}

}  // namespace reconverge
