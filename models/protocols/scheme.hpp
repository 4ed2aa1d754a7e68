// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The base class of a divergence scheme: a module with sockets (models/protocols/divergence.hpp). A path scheme
/// decides which path each warp runs; an additional scheme handles only its extension instructions.
///
/// A scheme overrides the events that it handles; the defaults are here. It is registered by a SchemeKind.

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

/// The granularity at which the SM tracks whether registers are ready.
enum class DependencyTracking : std::uint8_t {
  warp,    ///< a register of a warp is ready for all of its lanes, or for none
  thread,  ///< separately for each thread
  counted  ///< like `thread`, but results of unknown latency are counted (models/sm/counted_scoreboard.hpp)
};

/// Properties of a scheme that change the behaviour of the SM.
struct SchemeTraits {
  DependencyTracking tracking = DependencyTracking::warp;
  std::uint8_t scoreboards = 6;   ///< only for `counted`: counters of a warp, 1 to 32 (silicon since Maxwell has 6)
  bool independent = false;       ///< some lanes of a warp may wait at a block barrier while others run
  bool lanes_alone = false;       ///< each lane has a separate path; lanes of several warps share an issue slot
  bool ideal = false;             ///< instructions never wait for a fetch or for the operand collector
  bool whole_blocks = false;      ///< a block keeps its warp slots until it ends, and begins as a whole
  bool stalls = false;            ///< receives `stall` events
  bool results = false;           ///< receives `result` events
  bool loads = false;             ///< receives `load` events for operations that scoreboards count, and their results
  bool asks = false;              ///< receives `ask` before instructions for all threads of a warp
  bool threads = false;           ///< begins threads
  std::uint32_t load_causes = 0;  ///< bits of the stall causes in which the warp waits for results of memory
};

/// The arguments for the construction of a scheme.
struct SchemePlace {
  const SmParameters& parameters;
  std::uint32_t sm = 0;  ///< number of the SM
  const Clock& clock;
};

/// The information about a launch for a scheme. All references outlive the launch.
struct SchemeLaunch {
  const Launch& launch;
  const ProgramImage& image;
  std::size_t warps = 0;  ///< warps of the grid that can be resident at the same time, in the first slots
  std::size_t slots = 0;  ///< slots for warps, of the grid or of the scheme
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
  Initiator<ReadinessRequest> dependencies;                    ///< answered if tracking is by thread
  Initiator<WritebackRequest> writeback;                       ///< results of its asynchronous instructions
  std::vector<std::unique_ptr<Initiator<BankRequest>>> banks;  ///< the register banks of each scheduler
  std::unique_ptr<MemoryPort> memory_port;                     ///< null: the scheme has no port

  /// Notifies `observer` of the scheme's events, on SM number `sm`; nullptr: no observer. Call it between launches.
  void observe(SmObserver* observer, std::uint32_t sm) {
    observer_ = observer;
    observed_sm_ = sm;
  }
  /// Adds the scheme's counters to those of its block.
  virtual void add_statistics(Statistics& totals) const = 0;
  /// A launch begins.
  virtual void begin(const SchemeLaunch& /*launch*/) {}
  /// State that remains after a launch and that `begin` does not set.
  virtual void archive(StateArchive& /*state*/) {}
  /// The end of a requested cycle, after all actions of warps in it.
  virtual void tick(Cycle /*now*/) {}
  /// The next cycle at whose end the scheme needs a tick; `never`: none until the next event.
  Cycle next_event() const { return next_event_; }
  /// Whether threads of the scheme wait for a warp slot.
  bool has_threads() const { return has_threads_; }
  /// Whether these threads begin only when the grid has no threads left.
  bool yields_to_grid() const { return yields_to_grid_; }
  /// Whether no thread of the scheme will begin, unless a running thread creates it.
  virtual bool drained() const { return !has_threads_; }
  /// The paths of the threads of a warp slot, for messages; empty: all threads run the last path that the scheme set,
  /// or wait for threads that do.
  virtual std::vector<Path> places(std::uint32_t /*slot*/) const { return {}; }
  /// Number of threads of the launch that have ended and whose work is continued by threads that they created.
  virtual std::uint64_t threads_followed() const { return 0; }
  /// The scheme's limit for the number of threads of the grid that may begin now.
  std::uint64_t room_for_threads() const { return room_for_threads_; }
  /// The scheme's memory, kernel::Space::spawn: its bytes, fixed from `begin` to the next; how accesses are served.
  /// Null: it has none.
  virtual std::span<std::byte> memory() { return {}; }
  virtual ControlTargetSocket<SpaceRequest>* memory_accesses() { return nullptr; }
  /// How accesses to the stacks of rays that it moves are timed. Null: as other accesses.
  virtual OptionalControlTargetSocket<StackRequest>* stack_accesses() { return nullptr; }
  /// Where the memory fetches of its instructions are recorded, for the scheme to time; null: nowhere.
  virtual std::vector<MemoryFetch>* fetches() { return nullptr; }
  /// Its port to memory outside the SM, and the unanswered requests there; null: it needs none.
  virtual MemoryInitiatorSocket* next_level() { return memory_port ? &memory_port->socket : nullptr; }
  virtual std::uint64_t outstanding() const { return memory_port ? memory_port->outstanding() : 0; }
  /// Whether it must stay on the host thread that made it, as RTL does. Otherwise SMs run on any thread, several at the
  /// same time.
  bool one_thread() const { return one_thread_; }
  /// Registers of the register file that warps of such a program cannot use.
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

  // One for each SchemeEvent. The defaults keep the lanes of a path together, and otherwise do nothing.
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

  /// Begins threads in a slot, if the scheme has any (`has_threads_`).
  virtual void begin_threads(StartRequest& /*request*/) {}

  /// Requests a tick at the end of `cycle`, even if no warp is active in it.
  void tick_at(Cycle cycle) {
    next_event_ = std::min(next_event_, cycle);
    TickRequest request{cycle};
    send(ticks, request);
  }

  /// Sends through one of the sockets, without a delay.
  template <typename Socket, typename Payload>
  static void send(Socket& socket, Payload& payload) {
    sc_core::sc_time delay;
    socket->b_transport(payload, delay);
  }

  bool one_thread_ = false;
  Cycle next_event_ = never;
  SmObserver* observer_ = nullptr;
  std::uint32_t observed_sm_ = 0;
  // An SM reads these three after threads have begun or ended, and after ticks. Other changes must request a tick.
  bool has_threads_ = false;
  bool yields_to_grid_ = false;
  std::uint64_t room_for_threads_ = ~std::uint64_t{0};

 private:
  void b_transport(SchemeRequest& request, sc_core::sc_time& /*delay*/) final;
  void b_transport(StartRequest& request, sc_core::sc_time& /*delay*/) final { begin_threads(request); }
  /// Reports an event that only schemes with other traits handle.
  [[noreturn]] void not_answered(const SchemeRequest& request) const;
};

}  // namespace reconverge
