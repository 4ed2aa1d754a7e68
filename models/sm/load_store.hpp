#pragma once
/// The load/store unit of an SM: a queue of memory instructions, worked off in order.
///
/// Instructions have executed when they enter (models/execution/operations); here they take their time. The unit serves
/// shared memory itself and sends lines to the first-level caches: texture fetches and read-only loads to the texture
/// cache, constants and parameters to the constant cache, all else to the data cache. Each may hold a line back: the
/// unit then stands, whichever cache comes next. An instruction whose result time is known when it issues says so in
/// its request; the others are written back later.

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

namespace reconverge {

/// Where the caches see the parameters of the kernel: a place of its own in the address space, above all code.
inline constexpr DeviceAddress parameter_address = DeviceAddress{1} << 49U;

class LoadStore : public sc_core::sc_module, private ControlTarget<IssueRequest>, private MemoryInitiator {
 public:
  ControlTargetSocket<IssueRequest> issue;
  std::array<MemoryInitiatorSocket, first_levels> caches;  ///< in the order of FirstLevel
  ControlInitiatorSocket<LoadStore, WritebackRequest> writeback;

  /// How long the lines of each cache are, in the order of FirstLevel; zero where the SM has none. What is for a
  /// texture cache then goes to the data cache, and a constant costs constant_latency.
  using LineBytes = std::array<unsigned, first_levels>;
  LoadStore(sc_core::sc_module_name name, const LoadStoreParameters& parameters, const LineBytes& line_bytes,
            Clock clock);

  /// Who knows how accesses of kernel::Space::spawn are served.
  void bind_spawn_memory(ControlTargetSocket<SpaceRequest>& accesses);
  /// A launch begins, and the schemes have begun.
  void begin();

  /// The cycle in which the next instruction of the queue has its turn; `never` when there is none, or a cache holds a
  /// line.
  Cycle next_event() const {
    return waiting_.empty() || held_ != nullptr ? never : std::max(free_, waiting_.front()->entry);
  }
  void tick(Cycle now);
  /// Whether a cache holds a line.
  bool held() const { return held_ != nullptr; }
  /// Whether an instruction was refused while a cache held a line, and it does not any more.
  bool take_relief() { return held_ == nullptr && std::exchange(refused_while_held_, false); }

  /// Tells `observer` of each line that a cache takes, on SM number `sm`; nullptr: nobody. Between launches.
  void observe(SmObserver* observer, std::uint32_t sm) {
    observer_ = observer;
    sm_ = sm;
  }

  const LoadStoreStatistics& statistics() const { return statistics_; }

 private:
  /// An instruction from when it enters to its last answer.
  struct Transaction {
    std::uint32_t slot = 0;
    bool moved = false;  // homes_ says where its threads are at home
    kernel::Pc pc = kernel::no_pc;
    LaneMask lanes = 0;         // of the path, whether the guard lets them through or not
    Cycle latest = 0;           // of the answers that are known
    std::uint32_t awaited = 0;  // answers that are not, and the rest of its lines
  };

  /// An instruction that has its turn yet to come, or is having it.
  struct Job {
    std::uint32_t transaction = 0;
    bool separate_lanes = false;  // each has a port of its own (MIMD)
    bool write = false;
    bool atomic = false;
    bool bypass = false;
    unsigned lanes = 0;
    Cycle entry = 0;    // when it has its operands
    Cycle busy = 0;     // the unit's own time, for shared memory and constants without a cache
    Cycle latency = 0;  // from then on
    LineList lines;
    std::size_t sent = 0;
  };

  void b_transport(IssueRequest& request, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  bool room(Cycle now) const;
  /// For whom there is none: when there may be, `never` where a cache says.
  Cycle next_room(Cycle now);
  /// Fills in why nothing issues now, and until when; returns whether anything does.
  bool admit(IssueRequest& request);
  /// Executes what is admitted, and begins what it may.
  void accept(IssueRequest& request);
  Job& idle_job();
  /// Executes the instruction and notes in `job` what takes time.
  void execute(const IssueRequest& request, Job& job);
  void note_access(const kernel::Instruction& instruction, const MemoryAccess& access, Job& job);
  /// An access of a scheme's own memory.
  void note_spawn(const MemoryAccess& access, Job& job);
  /// The lanes read constants or parameters at the one address.
  void note_constant(DeviceAddress address, Job& job);
  /// The job has its turn.
  void start(Job& job, Cycle now);
  /// Sends the lines that are left, the first at `arrival`, until a cache holds one.
  void send_lines(Job& job, Cycle arrival);
  void finish_part(std::uint32_t transaction, Cycle cycle);
  /// For the observer: the cache has taken a line of the current job. `answer`: `never` where that comes later.
  void note_taken(const tlm::tlm_generic_payload& payload, const MemoryExtension& notes, const LineRequest& line,
                  Cycle answer);

  std::unique_ptr<ControlInitiatorSocket<LoadStore, SpaceRequest>> spawn_memory_;
  SpaceRequest spawn_;  // what it said
  LoadStoreParameters parameters_;
  SharedBanks banks_;
  LineBytes line_bytes_;
  FirstLevel for_textures_;  // texture, or data where there is no texture cache
  Clock clock_;
  bool shares_pipeline_;
  BusyRing slots_;            // issue slots of the shared pipeline that are gone
  Cycle free_ = 0;            // the unit has time for the next job
  unsigned spare_lanes_ = 0;  // of separate lanes: that took their share of the unit and do not fill a cycle yet
  std::deque<Job> jobs_;
  std::vector<Job*> idle_jobs_;
  boost::circular_buffer<Job*> waiting_;
  Job* current_;                                    // has its turn, or had the last one
  const tlm::tlm_generic_payload* held_ = nullptr;  // by a cache: the last line that the current job sent
  bool refused_while_held_ = false;
  std::vector<Transaction> transactions_;
  std::vector<Homes> homes_;         // of each of these; by itself, as few have any
  std::vector<Cycle> issued_;        // of each, while somebody observes: in which cycle
  std::vector<std::uint32_t> idle_;  // transactions that are free
  std::uint32_t issuing_ = 0;        // the transaction whose request is being answered, plus one
  PayloadPool payloads_;
  SmObserver* observer_ = nullptr;
  std::uint32_t sm_ = 0;  // number, for the observer
  LoadStoreStatistics statistics_;
};

}  // namespace reconverge
