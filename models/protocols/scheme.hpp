#pragma once
/// What a divergence scheme is: a module behind sockets (models/protocols/divergence.hpp) that says which path a warp
/// runs, or answers to instructions of its own beside a scheme that does.
///
/// A scheme overrides what it does; the rest is here. It is registered by a SchemeKind.

#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <systemc>
#include <vector>

#include "models/core/statistics_tree.hpp"
#include "models/execution/launch.hpp"
#include "models/execution/program_image.hpp"
#include "models/protocols/divergence.hpp"
#include "models/protocols/issue.hpp"
#include "models/protocols/memory_port.hpp"

namespace reconverge {

class SmObserver;

struct SmParameters;

/// What the SM tracks to know when the registers of an instruction are there.
enum class DependencyTracking : std::uint8_t {
  warp,    ///< a register of a warp is there for all of its lanes, or for none
  thread,  ///< each thread has its own
  counted  ///< the same, but results whose time is not known beforehand are counted (models/sm/counted_scoreboard.hpp)
};

/// What the SM does differently for a scheme.
struct SchemeTraits {
  DependencyTracking tracking = DependencyTracking::warp;
  std::uint8_t scoreboards = 6;   ///< `counted` alone: counters of a warp, 1 to 32 (silicon since Maxwell has 6)
  bool independent = false;       ///< a part of a warp may wait at a barrier of its block while another runs
  bool lanes_alone = false;       ///< each lane has a path of its own; those of several warps share an issue slot
  bool ideal = false;             ///< instructions wait for no fetch and for no operand collector
  bool whole_blocks = false;      ///< a block keeps its warp slots until it ends, and begins as a whole
  bool stalls = false;            ///< wants to know of stalls
  bool results = false;           ///< wants to know of results
  bool loads = false;             ///< wants to know of operations that scoreboards count, and of their results
  bool asks = false;              ///< has a say before instructions that are for all threads of a warp
  bool threads = false;           ///< begins threads of its own
  std::uint32_t load_causes = 0;  ///< of its causes, as bits: the warp waits for results of memory
};

/// Where a scheme is made.
struct SchemePlace {
  const SmParameters& parameters;
  std::uint32_t sm = 0;  ///< number of the SM
  const Clock& clock;
};

/// What a launch is to a scheme. All of it outlives the launch.
struct SchemeLaunch {
  const Launch& launch;
  const ProgramImage& image;
  std::size_t warps = 0;  ///< of the grid that will be there at the same time, in the first slots
  std::size_t slots = 0;  ///< that warps may use, of the grid or not
};

class Scheme : public sc_core::sc_module,
               protected ControlTarget<SchemeRequest>,
               protected ControlTarget<StartRequest> {
 public:
  template <typename Payload>
  using Initiator = ControlInitiatorSocket<Scheme, Payload>;

  ControlTargetSocket<SchemeRequest> events;
  ControlTargetSocket<StartRequest> starts;
  Initiator<ResumeRequest> resumed;
  Initiator<RetryRequest> retries;
  Initiator<TickRequest> ticks;
  Initiator<MoveRequest> moves;
  Initiator<RowRequest> register_rows;
  Initiator<ExchangeRequest> exchanges;
  Initiator<ReadinessRequest> dependencies;                    ///< answered where tracking is by thread
  Initiator<WritebackRequest> writeback;                       ///< of what asynchronous instructions of its own leave
  std::vector<std::unique_ptr<Initiator<BankRequest>>> banks;  ///< the register banks of each scheduler
  std::unique_ptr<MemoryPort> memory_port;                     ///< null: the scheme needs none

  /// Tells `observer` of what happens here, on SM number `sm`; nullptr: nobody. Between launches.
  void observe(SmObserver* observer, std::uint32_t sm) {
    observer_ = observer;
    observed_sm_ = sm;
  }
  /// Adds what the scheme has counted to that of its block.
  virtual void add_statistics(Statistics& totals) const = 0;
  /// A launch begins.
  virtual void begin(const SchemeLaunch& /*launch*/) {}
  /// The end of a cycle that the scheme asked for, after all that warps did in it.
  virtual void tick(Cycle /*now*/) {}
  /// The next cycle whose end the scheme asks for; `never`: none, unless something happens.
  Cycle next_event() const { return next_event_; }
  /// Threads of its own wait for a warp slot.
  bool has_threads() const { return has_threads_; }
  /// Those that wait begin only when the grid has none left.
  bool yields_to_grid() const { return yields_to_grid_; }
  /// No threads of its own will ever begin, unless some that run bring them.
  virtual bool drained() const { return !has_threads_; }
  /// Where the threads of a warp slot are, for messages; empty: all of them run the path that the scheme last named, or
  /// wait for those that do.
  virtual std::vector<Path> places(std::uint32_t /*slot*/) const { return {}; }
  /// Threads of the launch that have ended, and whose work threads go on with that they created.
  virtual std::uint64_t threads_followed() const { return 0; }
  /// Threads of the grid that may begin now, as far as the scheme has to do with them.
  std::uint64_t room_for_threads() const { return room_for_threads_; }
  /// Memory of its own, kernel::Space::spawn: its bytes, from `begin` to the next; how accesses are served. None: null.
  virtual std::span<std::byte> memory() { return {}; }
  virtual ControlTargetSocket<SpaceRequest>* memory_accesses() { return nullptr; }
  /// Where what its instructions fetch of memory is noted, for it to time; null: nowhere.
  virtual std::vector<MemoryFetch>* fetches() { return nullptr; }
  /// Its way to memory behind the SM, and requests there that have not been answered; null: it needs none.
  virtual MemoryInitiatorSocket* next_level() { return memory_port ? &memory_port->socket : nullptr; }
  virtual std::uint64_t outstanding() const { return memory_port ? memory_port->outstanding() : 0; }
  /// Registers of the register file that no warp of such a program may have.
  virtual std::uint64_t registers_taken(const kernel::Program& /*program*/) const { return 0; }

 protected:
  Scheme(sc_core::sc_module_name name, std::size_t schedulers)
      : sc_module(name),
        events("events"),
        starts("starts"),
        resumed("resumed"),
        retries("retries"),
        ticks("ticks"),
        moves("moves"),
        register_rows("register_rows"),
        exchanges("exchanges"),
        dependencies("dependencies"),
        writeback("writeback") {
    events.bind(static_cast<ControlTarget<SchemeRequest>&>(*this));
    starts.bind(static_cast<ControlTarget<StartRequest>&>(*this));
    for (std::size_t i = 0; i < schedulers; ++i) {
      const std::string bank = "banks_" + std::to_string(i);
      banks.push_back(std::make_unique<Initiator<BankRequest>>(bank.c_str()));
    }
  }

  // One for each SchemeEvent. What is here keeps the lanes of a path together, and does nothing that it need not do.
  virtual void start(SchemeRequest& request) {
    request.path = {request.path.pc, request.lanes, kernel::no_pc};
    request.answer = SchemeAnswer::run;
  }
  virtual void branch(SchemeRequest& request) { not_answered(request); }
  virtual void call(SchemeRequest& request) { not_answered(request); }
  virtual void leave(SchemeRequest& request) { not_answered(request); }
  virtual void exit(SchemeRequest& request) { not_answered(request); }
  virtual void stop(SchemeRequest& request) { not_answered(request); }
  virtual void wait(SchemeRequest& /*request*/) {}
  virtual void release(SchemeRequest& /*request*/) {}
  virtual void ask(SchemeRequest& /*request*/) {}
  virtual void issued(SchemeRequest& /*request*/) {}
  virtual void stall(SchemeRequest& /*request*/) {}
  virtual void load(SchemeRequest& /*request*/) {}
  virtual void result(SchemeRequest& /*request*/) {}
  virtual void select(SchemeRequest& request) { not_answered(request); }
  virtual void advance(SchemeRequest& request) { not_answered(request); }

  /// Begins threads in a slot, where the scheme has some (`has_threads_`).
  virtual void begin_threads(StartRequest& /*request*/) {}

  /// Asks for the end of `cycle`, also where no warp does anything then.
  void tick_at(Cycle cycle) {
    next_event_ = std::min(next_event_, cycle);
    TickRequest request{cycle};
    send(ticks, request);
  }

  /// Sends by one of the sockets, in no time.
  template <typename Socket, typename Payload>
  static void send(Socket& socket, Payload& payload) {
    sc_core::sc_time delay;
    socket->b_transport(payload, delay);
  }

  Cycle next_event_ = never;
  SmObserver* observer_ = nullptr;
  std::uint32_t observed_sm_ = 0;
  // An SM looks at these three when threads have begun or ended, and behind ticks: what changes them else asks for one.
  bool has_threads_ = false;
  bool yields_to_grid_ = false;
  std::uint64_t room_for_threads_ = ~std::uint64_t{0};

 private:
  void b_transport(SchemeRequest& request, sc_core::sc_time& /*delay*/) final;
  void b_transport(StartRequest& request, sc_core::sc_time& /*delay*/) final { begin_threads(request); }
  /// A scheme that has no answer to what only one with such traits is asked.
  [[noreturn]] void not_answered(const SchemeRequest& request) const;
};

}  // namespace reconverge
