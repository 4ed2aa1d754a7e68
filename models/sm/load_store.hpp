// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The load/store unit of an SM: a queue of memory instructions, processed in order.
///
/// Instructions have executed when they enter (models/execution/operations); this unit models their timing. The unit
/// serves shared memory itself and sends lines to the first-level caches: texture fetches and read-only loads to the
/// texture cache, constants and parameters to the constant cache, everything else to the data cache. Each cache may
/// stall a line; the unit then stalls, whichever cache comes next. If the result time of an instruction is known when
/// it issues, its request says so; the others are written back later.
///
/// The unit and its caches may work several times per cycle. Times of lines and answers are therefore in steps, which
/// are cycles of the caches' clock; instructions start in the first step of a cycle.

#include <array>
#include <boost/circular_buffer.hpp>
#include <deque>
#include <memory>
#include <systemc>
#include <utility>
#include <vector>

#include "blocks/load_store.hpp"
#include "models/protocols/divergence.hpp"
#include "models/protocols/issue.hpp"
#include "models/protocols/memory.hpp"
#include "models/protocols/memory_sockets.hpp"
#include "models/protocols/observer.hpp"
#include "models/sm/busy_ring.hpp"
#include "models/sm/coalescer.hpp"
#include "models/sm/steps.hpp"

namespace reconverge {

/// The address of kernel parameters as caches see it: a separate range of the address space, above all code.
inline constexpr DeviceAddress parameter_address = DeviceAddress{1} << 49U;

class LoadStore final : public sc_core::sc_module, public ControlTarget<IssueRequest>, private MemoryInitiator {
 public:
  /// May have no target.
  using LineWriteSocket = tlm_utils::simple_initiator_socket_optional<LoadStore, 32, ControlProtocol<ResultRequest>>;

  ControlTargetSocket<IssueRequest> issue;
  std::array<MemoryInitiatorSocket, first_levels> caches;  ///< in the order of FirstLevel
  ControlInitiatorSocket<LoadStore, WritebackRequest> writeback;
  /// For each scheduler its operand collector, to which the unit writes the lines of texture fetches one by one. To be
  /// bound with texture_writeback: line.
  std::vector<std::unique_ptr<LineWriteSocket>> results;

  /// The line size of each cache, in the order of FirstLevel; zero if the SM has none. Texture accesses then go to the
  /// data cache, and a constant costs constant_latency. `clock`: of the SM; that of the caches is faster, if the unit
  /// has several steps per cycle. `schedulers`: number of schedulers that issue to the unit.
  using LineBytes = std::array<unsigned, first_levels>;
  LoadStore(sc_core::sc_module_name name, const LoadStoreParameters& parameters, const LineBytes& line_bytes,
            const Clock& clock, std::size_t schedulers);

  /// The memory that knows how accesses of kernel::Space::spawn are served.
  void bind_spawn_memory(ControlTargetSocket<SpaceRequest>& accesses);
  /// The scheme that knows how accesses to the stacks of moved rays are timed.
  void bind_ray_stacks(OptionalControlTargetSocket<StackRequest>& accesses);
  /// Accepts the instruction, or refuses it. Not inlined into the issue of all instructions: it is long, and few need
  /// it.
  [[gnu::noinline]] void serve(IssueRequest& request);

  /// A launch begins, after the schemes have begun.
  void begin();

  /// Without instructions in flight.
  void archive(StateArchive& state) { state(slots_, line_writes_, free_, spare_lanes_, texture_next_); }

  /// The cycle in which the next instruction of the queue starts; `never` if there is none, or a cache stalls a line.
  Cycle next_event() const {
    return waiting_.empty() || held_ != nullptr ? never : std::max(free_, waiting_.front()->entry);
  }
  void tick(Cycle now);
  /// SmEvents::load_store_room
  Cycle first_room(std::uint32_t scheduler, Cycle now) {
    return shares_pipeline_ || room(scheduler, now) ? now : next_room(now);
  }
  /// Whether a cache stalls a line.
  bool held() const { return held_ != nullptr; }
  /// Whether an instruction was refused while a cache stalled a line, and the stall is over.
  bool take_relief() { return held_ == nullptr && std::exchange(refused_while_held_, false); }

  /// Notifies `observer` of each line that a cache accepts, on SM number `sm`; nullptr: no observer. Call it between
  /// launches.
  void observe(SmObserver* observer, std::uint32_t sm) {
    observer_ = observer;
    sm_ = sm;
  }

  const LoadStoreStatistics& statistics() const { return statistics_; }

 private:
  /// An instruction from its entry to its last answer.
  struct Transaction {
    std::uint32_t slot = 0;
    bool moved = false;  // homes_ holds the homes of its threads
    kernel::Pc pc = kernel::no_pc;
    LaneMask lanes = 0;         // lanes of the path, whether the guard lets them through or not
    Cycle latest = 0;           // step of the latest of the known answers
    Cycle widening = 0;         // steps by which the result returns later than that of a load of 4 bytes per lane
    std::uint32_t awaited = 0;  // answers whose time is not known, and its remaining lines
    std::uint32_t scheduler = 0;
    const DecodedInstruction* by_line = nullptr;  // each line writes its result
  };

  /// An instruction that waits for its turn or is being processed.
  struct Job {
    std::uint32_t transaction = 0;
    bool separate_lanes = false;  // each lane has a separate port (MIMD)
    bool write = false;
    bool atomic = false;
    bool bypass = false;
    bool by_line = false;       // each line writes the result
    std::uint8_t together = 1;  // lanes of an atomic with one address
    unsigned lanes = 0;
    unsigned texels = 0;  // lanes that fetch from a texture
    std::uint32_t scheduler = 0;
    Cycle entry = 0;  // when it has its operands or, with address units, its addresses
    // In steps:
    Cycle widening = 0;  // of its transaction
    Cycle busy = 0;      // time of the unit, for shared memory and constants without a cache
    Cycle array = 0;     // time of the array that holds the data of the L1 cache
    Cycle latency = 0;   // latency after that
    LineList lines;
    std::size_t sent = 0;
  };

  struct AddressUnit {
    Cycle free = 0;           // when it accepts the next instruction
    std::uint64_t holds = 0;  // instructions that the load/store unit has not started
  };

  void b_transport(IssueRequest& request, sc_core::sc_time& /*delay*/) override { serve(request); }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  bool has_address_units() const { return parameters_.address_interval != 0; }
  /// Whether an instruction of the scheduler is accepted.
  bool room(std::uint32_t scheduler, Cycle now) const {
    if (has_address_units()) return address_units_[scheduler].holds < parameters_.address_queue;
    const std::size_t working = held_ != nullptr || free_ > now ? 1 : 0;
    return waiting_.size() + working < parameters_.queue;
  }
  /// Called if there is no room: when there may be, `never` if a cache will report it.
  Cycle next_room(Cycle now);
  /// Fills in why nothing issues now, and until when; returns whether the instruction is accepted.
  bool admit(IssueRequest& request);
  /// Executes an accepted instruction, and starts it if possible.
  void accept(IssueRequest& request);
  Job& idle_job();
  /// Puts the job into the queue: with address units, in the order in which they release instructions.
  void enqueue(Job& job);
  /// When an instruction that has its operands in cycle `operands` has its addresses.
  Cycle calculate_addresses(std::uint32_t scheduler, Cycle operands);
  /// Executes the instruction and records in `job` what takes time.
  void execute(const IssueRequest& request, Job& job);
  /// The access that the warp has just made, as caches see it.
  const MemoryAccess& access_of(const Warp& warp);
  void note_access(const kernel::Instruction& instruction, const MemoryAccess& access, Job& job);
  /// An access to the memory of a scheme.
  void note_spawn(const MemoryAccess& access, Job& job);
  /// The lanes read constants or parameters at one address.
  void note_constant(DeviceAddress address, Job& job);
  /// Starts the job.
  void start(Job& job, Cycle now);
  /// The texture units serve `lanes` lanes from cycle `now` or later; returns the cycles after the first.
  Cycle fetch_textures(unsigned lanes, Cycle now);
  /// Sends the remaining lines, the first in step `arrival`, until a cache stalls one.
  void send_lines(Job& job, Cycle arrival);
  /// A line of the transaction is answered in this step.
  void finish_line(std::uint32_t transaction, Cycle step);
  void finish_part(std::uint32_t transaction, Cycle step);
  /// Writes the result of the transaction for a line that was answered in step `answered`; returns when it is written.
  Cycle write_line(const Transaction& transaction, Cycle answered);
  /// For the observer: the cache has accepted a line of the current job. `answer`: its step, `never` if it comes later.
  void note_taken(const tlm::tlm_generic_payload& payload, const MemoryExtension& notes, const LineRequest& line,
                  Cycle answer);

  std::unique_ptr<ControlInitiatorSocket<LoadStore, SpaceRequest>> spawn_memory_;
  SpaceRequest spawn_;  // its answer
  std::unique_ptr<ControlInitiatorSocket<LoadStore, StackRequest>> ray_stacks_;
  StackRequest stack_;  // its answer to the current access
  LoadStoreParameters parameters_;
  SharedBanks banks_;
  LineBytes line_bytes_;
  FirstLevel for_textures_;  // texture, or data where there is no texture cache
  Steps steps_;
  Clock clock_;  // of the caches
  bool shares_pipeline_;
  BusyRing slots_;                          // used issue slots of the shared pipeline
  BusyRing line_writes_;                    // steps in which lines of texture fetches are written
  Cycle free_ = 0;                          // when the unit can start the next job
  Cycle not_before_ = 0;                    // the next job may not start before, whatever the caches do
  std::vector<AddressUnit> address_units_;  // of each scheduler
  std::uint64_t texture_next_ = 0;          // when the texture units are free, in cycles times their number
  unsigned spare_lanes_ = 0;  // separate lanes that have used their share of the unit and do not fill a cycle yet
  std::deque<Job> jobs_;
  std::vector<Job*> idle_jobs_;
  boost::circular_buffer<Job*> waiting_;
  Job* current_;                                    // being processed, or processed last
  const tlm::tlm_generic_payload* held_ = nullptr;  // stalled by a cache: the last line that the current job sent
  Cycle held_since_ = 0;                            // step in which it arrived there
  bool refused_while_held_ = false;
  std::vector<Transaction> transactions_;
  std::vector<Homes> homes_;         // of each transaction; separate, as few transactions have homes
  std::vector<Cycle> issued_;        // of each, while there is an observer: cycle of issue
  std::vector<std::uint32_t> idle_;  // free transactions
  std::uint32_t issuing_ = 0;        // the transaction whose request is being answered, plus one
  PayloadPool payloads_;
  SmObserver* observer_ = nullptr;
  std::uint32_t sm_ = 0;  // number, for the observer
  LoadStoreStatistics statistics_;
};

}  // namespace reconverge
