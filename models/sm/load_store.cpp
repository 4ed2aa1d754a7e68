// SPDX-License-Identifier: Apache-2.0
#include "models/sm/load_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "models/execution/operations/addressing.hpp"
#include "models/execution/program_image.hpp"
#include "models/execution/warp.hpp"
#include "models/kernel/analysis/company.hpp"

namespace reconverge {

using kernel::CacheOperator;
using kernel::Opcode;
using kernel::OperationClass;
using kernel::Space;

namespace {

/// A payload has one request at a time.
std::uint64_t ticket_of(const tlm::tlm_generic_payload& payload) { return reinterpret_cast<std::uintptr_t>(&payload); }

constexpr std::size_t index(FirstLevel cache) { return static_cast<std::size_t>(cache); }

/// The memory that an instruction accesses, as counted.
LoadStoreInstructions reached(const kernel::Instruction& instruction, Space space) {
  switch (space) {
    case Space::shared:
      return LoadStoreInstructions::shared;
    case Space::local:
      return LoadStoreInstructions::local;
    case Space::spawn:
      return LoadStoreInstructions::spawn;
    case Space::param:
      return LoadStoreInstructions::param;
    case Space::constant:
      return LoadStoreInstructions::constant;
    default:
      break;
  }
  const bool read_only =
      instruction.opcode == Opcode::tex ||
      (instruction.opcode == Opcode::ld && instruction.variant == static_cast<std::uint8_t>(CacheOperator::nc));
  return read_only ? LoadStoreInstructions::texture : LoadStoreInstructions::global;
}

/// Loads of data that other SMs may write, and loads that request the second level.
bool bypasses(const kernel::Instruction& instruction) {
  if (instruction.opcode == Opcode::bulk_copy) return instruction.operation_class == OperationClass::load;
  const auto cache = static_cast<CacheOperator>(instruction.variant);
  const bool asks_second_level = cache == CacheOperator::cg || cache == CacheOperator::cv;
  return kernel::is_strong_load(instruction) || (instruction.opcode == Opcode::ld && asks_second_level);
}

}  // namespace

LoadStore::LoadStore(sc_core::sc_module_name name, const LoadStoreParameters& parameters, const LineBytes& line_bytes,
                     const Clock& clock, std::size_t schedulers)
    : sc_module(name),
      issue("issue"),
      caches{{MemoryInitiatorSocket("data_cache"), MemoryInitiatorSocket("texture_cache"),
              MemoryInitiatorSocket("constant_cache")}},
      writeback("writeback"),
      parameters_(parameters),
      banks_{Divisor(parameters.shared_banks),
             std::min(static_cast<unsigned>(parameters.shared_lanes),
                      lanes_of_part(static_cast<unsigned>(parameters.steps))),
             static_cast<unsigned>(parameters.shared_ports), parameters.shared_wide},
      line_bytes_(line_bytes),
      for_textures_(line_bytes[index(FirstLevel::texture)] != 0 ? FirstLevel::texture : FirstLevel::data),
      steps_(parameters.steps),
      clock_(clock.multiplied(parameters.steps)),
      shares_pipeline_(parameters.pipeline == LoadStorePipeline::shared),
      address_units_(schedulers),
      waiting_(parameters.queue),
      current_(&jobs_.emplace_back()) {
  issue.bind(*this);
  for (MemoryInitiatorSocket& cache : caches) cache.bind(*this);
  for (std::size_t i = 0; i < schedulers; ++i) {
    results.push_back(std::make_unique<LineWriteSocket>(fmt::format("results_{}", i).c_str()));
  }
}

Cycle LoadStore::next_room(Cycle now) {
  refused_while_held_ |= held_ != nullptr;
  if (held_ != nullptr) return never;
  const Cycle first = waiting_.empty() ? 0 : waiting_.front()->entry;
  return std::max({free_, now + 1, has_address_units() ? first : 0});
}

bool LoadStore::admit(IssueRequest& request) {
  if (!room(request.scheduler, request.now)) {
    request.retry = next_room(request.now);
  } else if (shares_pipeline_ && !slots_.take(request.now)) {
    request.retry = request.now + 1;
  } else {
    return true;
  }
  request.refusal = Refusal::pipe;
  request.refused = shares_pipeline_ ? Refused::all : Refused::memory;
  return false;
}

LoadStore::Job& LoadStore::idle_job() {
  if (idle_jobs_.empty()) return jobs_.emplace_back();
  Job& job = *idle_jobs_.back();
  idle_jobs_.pop_back();
  return job;
}

void LoadStore::serve(IssueRequest& request) {
  if (!request.queued && !admit(request)) return;
  if (request.only_ask) return;
  accept(request);
  if (!shares_pipeline_ || room(request.scheduler, request.now)) return;
  request.closed = next_room(request.now);
}

void LoadStore::accept(IssueRequest& request) {
  request.from_memory = true;
  request.start = request.operands;
  const bool by_address_unit = has_address_units() && !request.queued;
  const bool at_once = !by_address_unit && waiting_.empty() && held_ == nullptr && free_ <= request.operands;
  Job& job = at_once ? *current_ : idle_job();
  job.scheduler = request.scheduler;
  job.entry = by_address_unit ? calculate_addresses(request.scheduler, request.operands) : request.operands;
  job.widening = 0;
  job.busy = 0;
  job.array = 0;
  job.latency = 0;
  job.sent = 0;
  job.lines.clear();
  job.separate_lanes = request.queued;
  job.lanes = count_lanes(request.lanes);
  job.texels = 0;
  job.bypass = false;
  job.by_line = false;
  job.together = 1;
  job.atomic = request.decoded->operation_class == OperationClass::atomic;
  execute(request, job);

  if (idle_.empty()) {
    idle_.push_back(static_cast<std::uint32_t>(transactions_.size()));
    transactions_.emplace_back();
    homes_.emplace_back();
    issued_.emplace_back();
  }
  job.transaction = idle_.back();
  idle_.pop_back();
  const Warp& warp = *request.warp;
  transactions_[job.transaction] = {warp.slot, warp.homes.moved, warp.path.pc, warp.path.lanes, 0, job.widening, 1};
  if (job.by_line) [[unlikely]] {
    transactions_[job.transaction].by_line = request.decoded;
    transactions_[job.transaction].scheduler = request.scheduler;
  }
  if (observer_ != nullptr) [[unlikely]]
    issued_[job.transaction] = request.now;
  if (warp.homes.moved) homes_[job.transaction] = warp.homes;
  request.result = never;
  if (!at_once) {
    enqueue(job);
    return;
  }
  issuing_ = job.transaction + 1;
  start(job, request.operands);
  issuing_ = 0;
  const Transaction& transaction = transactions_[job.transaction];
  if (transaction.awaited != 0) return;
  request.result = std::max(steps_.cycle_from(transaction.latest + transaction.widening), request.now + 1);
  request.written = transaction.by_line != nullptr;
  idle_.push_back(job.transaction);
}

Cycle LoadStore::calculate_addresses(std::uint32_t scheduler, Cycle operands) {
  AddressUnit& unit = address_units_[scheduler];
  const Cycle start = std::max(operands, unit.free);
  unit.free = start + parameters_.address_interval;
  ++unit.holds;
  return start + parameters_.address_latency;
}

void LoadStore::enqueue(Job& job) {
  if (waiting_.full()) waiting_.set_capacity(2 * waiting_.capacity());
  if (!has_address_units()) return waiting_.push_back(&job);
  const auto later = [](Cycle entry, const Job* other) { return entry < other->entry; };
  waiting_.insert(std::upper_bound(waiting_.begin(), waiting_.end(), job.entry, later), &job);
}

void LoadStore::execute(const IssueRequest& request, Job& job) {
  ExecutionContext& context = request.warp->context;
  const kernel::Instruction& instruction = *request.decoded->instruction;
  if (instruction.opcode == Opcode::ld_param && request.lanes != 0) {
    request.decoded->operation(instruction, context, request.lanes);
    ++statistics_.instructions[LoadStoreInstructions::param];
    job.write = false;
    note_constant(parameter_address + static_cast<DeviceAddress>(instruction.offset), job);
    return;
  }
  // Lanes with generic addresses may access several spaces. Separate lanes do not wait for lanes of another space.
  Cycle longest = 0;
  for (LaneMask left = request.lanes; left != 0;) {
    const LaneMask together = operations::lanes_of_one_space(instruction, context, left);
    left &= ~together;
    request.decoded->operation(instruction, context, together);
    const Cycle before = job.busy;
    note_access(instruction, access_of(*request.warp), job);
    longest = std::max(longest, job.busy - before);
  }
  if (job.separate_lanes) job.busy = longest;
  job.busy = std::max<Cycle>(job.busy, job.lines.size() == 0 ? 1 : 0);
}

const MemoryAccess& LoadStore::access_of(const Warp& warp) {
  const MemoryAccess& access = warp.context.access;
  if (ray_stacks_ == nullptr || access.space != Space::global) return access;
  stack_.slot = warp.slot;
  stack_.local_address = warp.context.local_address;
  stack_.access = access;
  sc_core::sc_time delay;
  (*ray_stacks_)->b_transport(stack_, delay);
  return stack_.access;
}

void LoadStore::note_access(const kernel::Instruction& instruction, const MemoryAccess& access, Job& job) {
  job.write = access.write;
  const LoadStoreInstructions kind = reached(instruction, access.space);
  ++statistics_.instructions[kind];
  if (kind != LoadStoreInstructions::param && kind != LoadStoreInstructions::constant) {
    const std::uint64_t bytes = std::uint64_t{count_lanes(access.lanes)} * access.bytes * access.repeats;
    if (!access.write || job.atomic) statistics_.bytes_loaded += bytes;
    if (access.write || job.atomic) statistics_.bytes_stored += bytes;
    const bool from_cache = kind != LoadStoreInstructions::shared && kind != LoadStoreInstructions::spawn;
    if (!access.write && from_cache && parameters_.return_bytes != 0) {
      const std::uint64_t narrow = std::min<std::uint64_t>(bytes, std::uint64_t{4} * count_lanes(access.lanes));
      const auto cycles = [&](std::uint64_t returned) {
        return (returned + parameters_.return_bytes - 1) / parameters_.return_bytes;
      };
      job.widening = std::max(job.widening, cycles(bytes) - cycles(narrow));
    }
  }
  if (kind == LoadStoreInstructions::shared) {
    Cycle busy = shared_memory_cycles(access, banks_);
    if (job.atomic) {
      busy += parameters_.shared_atomic_cycles;
      busy += parameters_.shared_atomic_interval * (most_lanes_together(access) - 1);
    }
    statistics_.shared_conflict_cycles += steps_.cycle_from(busy) - 1;
    job.busy += busy;
    job.latency = std::max(job.latency, parameters_.shared_latency);
    return;
  }
  if (kind == LoadStoreInstructions::spawn) return note_spawn(access, job);
  if (kind == LoadStoreInstructions::param || kind == LoadStoreInstructions::constant) {
    const DeviceAddress origin = kind == LoadStoreInstructions::param ? parameter_address : 0;
    for_each_address(access, [&](DeviceAddress address) { note_constant(origin + address, job); });
    return;
  }
  const FirstLevel cache = kind == LoadStoreInstructions::texture ? for_textures_ : FirstLevel::data;
  job.bypass = kind == LoadStoreInstructions::global && bypasses(instruction);
  if (job.atomic) job.together = static_cast<std::uint8_t>(most_lanes_together(access));
  if (parameters_.one_array && !access.write && cache == FirstLevel::data) {
    const Cycle cycles = shared_memory_cycles(access, banks_) * access.repeats;
    job.widening = std::max(job.widening, cycles - 1);
    job.array += cycles;
  }
  // The first level keeps only whole lines, and neither stores nor atomics.
  const bool kept = kind == LoadStoreInstructions::local || !(access.write || job.bypass);
  CoalescingRule rule{parameters_.coalescing, static_cast<unsigned>(parameters_.steps)};
  if (rule.requests == LoadStoreCoalescing::lines && !kept) rule.requests = LoadStoreCoalescing::sectors;
  if (instruction.opcode == Opcode::tex) job.texels += count_lanes(access.lanes);
  if (cache == FirstLevel::texture) {
    rule.parts = 1;
    // Segments are the unit of requests to memory; a texture cache has lines.
    if (rule.requests == LoadStoreCoalescing::half_warp_segments) rule.requests = LoadStoreCoalescing::lines;
    job.by_line = parameters_.texture_writeback == LoadStoreTextureWriteback::line;
  }
  coalesce(access, cache, line_bytes_[index(cache)], rule, job.lines);
}

void LoadStore::note_spawn(const MemoryAccess& access, Job& job) {
  if (spawn_.device != 0) {
    MemoryAccess in_device = access;
    for_each_lane(access.lanes, [&](unsigned lane) { in_device.address[lane] += spawn_.device; });
    in_device.space = Space::global;
    coalesce(in_device, FirstLevel::data, line_bytes_[index(FirstLevel::data)],
             {parameters_.coalescing, static_cast<unsigned>(parameters_.steps)}, job.lines);
    return;
  }
  const Cycle busy = spawn_.conflicts ? shared_memory_cycles(access, banks_) : 1;
  statistics_.spawn_conflict_cycles += steps_.cycle_from(busy) - 1;
  job.busy += busy;
  job.latency = std::max(job.latency, parameters_.shared_latency);
}

void LoadStore::bind_spawn_memory(ControlTargetSocket<SpaceRequest>& accesses) {
  spawn_memory_ = std::make_unique<ControlInitiatorSocket<LoadStore, SpaceRequest>>("spawn_memory");
  spawn_memory_->bind(accesses);
}

void LoadStore::bind_ray_stacks(OptionalControlTargetSocket<StackRequest>& accesses) {
  ray_stacks_ = std::make_unique<ControlInitiatorSocket<LoadStore, StackRequest>>("ray_stacks");
  ray_stacks_->bind(accesses);
}

void LoadStore::begin() {
  if (spawn_memory_ == nullptr) return;
  sc_core::sc_time delay;
  (*spawn_memory_)->b_transport(spawn_, delay);
}

void LoadStore::note_constant(DeviceAddress address, Job& job) {
  const unsigned line_bytes = line_bytes_[index(FirstLevel::constant)];
  if (line_bytes == 0) {
    ++job.busy;
    job.latency = std::max(job.latency, parameters_.constant_latency);
    return;
  }
  // One request for each address: lanes with another address in the same line are served in a separate cycle.
  const DeviceAddress in_line = address & (line_bytes - 1);
  const bool by_sectors = parameters_.coalescing == LoadStoreCoalescing::sectors;
  const auto sector = static_cast<SectorMask>(1U << in_line / sector_bytes);
  job.lines.push({address - in_line, by_sectors ? sector : all_sectors(line_bytes), false, FirstLevel::constant});
}

void LoadStore::tick(Cycle now) {
  while (next_event() <= now) {
    idle_jobs_.push_back(current_);
    current_ = waiting_.front();
    waiting_.pop_front();
    if (has_address_units() && !current_->separate_lanes) --address_units_[current_->scheduler].holds;
    start(*current_, now);
  }
}

void LoadStore::start(Job& job, Cycle now) {
  statistics_.line_requests += job.lines.size();
  for (const LineRequest& request : job.lines.lines()) {
    statistics_.sectors += static_cast<std::uint64_t>(std::popcount(request.sectors));
  }
  if (job.separate_lanes && job.busy <= 1) {
    // Single lanes use their share: a cycle for every 32 of them.
    spare_lanes_ += job.lanes;
    free_ = now + spare_lanes_ / warp_size;
    spare_lanes_ %= warp_size;
  } else {
    not_before_ = free_ = now + std::max(steps_.cycle_from(std::max(job.busy, job.array)), parameters_.interval);
  }
  Transaction& transaction = transactions_[job.transaction];
  if (parameters_.texture_lanes != 0 && job.texels != 0) {
    const Cycle fetching = steps_.first(fetch_textures(job.texels, now));
    const Cycle sending = (job.lines.size() - 1) / parameters_.units;
    transaction.widening = std::max(transaction.widening, fetching - std::min(fetching, sending));
  }
  const Cycle first = steps_.first(now);
  if (job.busy != 0) {
    const Cycle interval = job.separate_lanes ? 1 : steps_.first(parameters_.interval - 1) + 1;
    transaction.latest = first + std::max(job.busy, interval) - interval + job.latency;
  }
  send_lines(job, job.separate_lanes ? first : first + job.busy);
}

Cycle LoadStore::fetch_textures(unsigned lanes, Cycle now) {
  texture_next_ = std::max(texture_next_, now * parameters_.texture_lanes) + lanes;
  return (texture_next_ - 1) / parameters_.texture_lanes - now;
}

// The path to the first-level cache, inlined.
[[gnu::flatten]] void LoadStore::send_lines(Job& job, Cycle arrival) {
  const auto lines = job.lines.lines();
  const Cycle first = arrival;
  for (std::size_t in_step = 0; job.sent < lines.size();) {
    const LineRequest& line = lines[job.sent++];
    auto [payload, notes] = payloads_.acquire(job.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, line.line,
                                              static_cast<unsigned>(std::popcount(line.sectors)) * sector_bytes);
    notes.local = line.local;
    notes.atomic = job.atomic;
    notes.together = job.together;
    notes.bypass = job.bypass;
    notes.sectors = line.sectors;
    notes.padding = line.padding;
    notes.ticket = job.transaction;
    ++transactions_[job.transaction].awaited;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = clock_.time_until(arrival);
    const tlm::tlm_sync_enum status = caches[index(line.cache)]->nb_transport_fw(payload, phase, delay);
    if (observer_ != nullptr && status != tlm::TLM_ACCEPTED) [[unlikely]]
      note_taken(payload, notes, line, status == tlm::TLM_COMPLETED ? clock_.cycle_from(delay) : never);
    if (status == tlm::TLM_COMPLETED) {
      payload.release();
      finish_line(job.transaction, clock_.cycle_from(delay));
    } else if (status == tlm::TLM_ACCEPTED) {
      held_ = &payload;
      held_since_ = arrival;
      return;
    }
    if (job.separate_lanes) continue;  // separate lanes have separate ports
    if (++in_step == parameters_.units || job.sent == lines.size()) {
      ++arrival;
      in_step = 0;
    }
  }
  if (!job.separate_lanes || arrival != first) free_ = std::max({free_, steps_.cycle_from(arrival), not_before_});
  finish_part(job.transaction, 0);
}

tlm::tlm_sync_enum LoadStore::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                              sc_core::sc_time& delay) {
  const MemoryExtension& extension = notes_of(payload);
  const std::uint32_t transaction = extension.ticket;
  const bool was_held = held_ == &payload;
  const Cycle taken = extension.arrival;
  if (observer_ != nullptr) [[unlikely]] {
    const Cycle answer = phase == tlm::BEGIN_RESP ? clock_.cycle_from(delay) : never;
    if (was_held) note_taken(payload, extension, current_->lines.lines()[current_->sent - 1], answer);
    if (!was_held) observer_->line_answered(sm_, ticket_of(payload), steps_.cycle_from(answer));
  }
  if (phase == tlm::BEGIN_RESP) {
    payload.release();
    Cycle step = clock_.cycle_from(delay);
    if (shares_pipeline_) {
      const Cycle cycle = steps_.cycle_from(step);
      step = steps_.first(slots_.reserve(cycle, cycle));
      ++statistics_.answer_slots;
    }
    finish_line(transaction, step);
    phase = tlm::END_RESP;
  }
  if (was_held) {
    held_ = nullptr;
    statistics_.blocked_cycles += steps_.cycle_of(taken) - steps_.cycle_of(held_since_);
    send_lines(*current_, current_->separate_lanes ? taken : taken + 1);
  }
  return tlm::TLM_COMPLETED;
}

void LoadStore::note_taken(const tlm::tlm_generic_payload& payload, const MemoryExtension& notes,
                           const LineRequest& line, Cycle answer) {
  const Transaction& one = transactions_[notes.ticket];
  observer_->line_taken({{sm_, one.slot, one.pc},
                         ticket_of(payload),
                         line.cache,
                         notes.outcome,
                         line.line,
                         issued_[notes.ticket],
                         steps_.cycle_of(notes.arrival),
                         steps_.cycle_from(answer)});
}

Cycle LoadStore::write_line(const Transaction& transaction, Cycle answered) {
  const Cycle now = clock_.now();
  for (Cycle step = answered;; ++step) {
    step = line_writes_.reserve(now, step);
    // A row is written one step before it can be read.
    const Cycle cycle = steps_.cycle_of(step - 1);
    ResultRequest request{transaction.slot, transaction.by_line, steps_.cycle_of(now), cycle, true};
    request.step = static_cast<unsigned>(step - 1 - steps_.first(cycle));
    sc_core::sc_time delay;
    (*results[transaction.scheduler])->b_transport(request, delay);
    if (request.written) return step;
  }
}

void LoadStore::finish_line(std::uint32_t transaction, Cycle step) {
  const Transaction& one = transactions_[transaction];
  finish_part(transaction, one.by_line == nullptr ? step : write_line(one, step));
}

void LoadStore::finish_part(std::uint32_t transaction, Cycle step) {
  Transaction& one = transactions_[transaction];
  one.latest = std::max(one.latest, step);
  if (--one.awaited != 0 || issuing_ == transaction + 1) return;
  WritebackRequest request{one.slot, one.moved ? &homes_[transaction] : nullptr, one.pc, one.lanes,
                           steps_.cycle_from(one.latest + one.widening)};
  request.written = one.by_line != nullptr;
  idle_.push_back(transaction);
  sc_core::sc_time delay;
  writeback->b_transport(request, delay);
}

}  // namespace reconverge
