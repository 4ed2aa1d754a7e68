// SPDX-License-Identifier: Apache-2.0
/// A GPU whose memory is outside: the transactions keep the rules of the base protocol, and their time is that of the
/// memory.

#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <memory>

#include "examples/own_memory/at_memory.hpp"
#include "examples/own_memory/lt_memory.hpp"
#include "models/core/simulation_context.hpp"
#include "platforms/machines/gpu/gpu_kind.hpp"
#include "platforms/systemc.hpp"

using namespace reconverge;

namespace {

const std::string kernels = RECONVERGE_SOURCE_DIR "/platforms/kernels/";

/// Checks every call of an initiator and its target against the base protocol.
class ProtocolChecker : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<ProtocolChecker> from;
  tlm_utils::simple_initiator_socket<ProtocolChecker> to;

  explicit ProtocolChecker(sc_core::sc_module_name name) : sc_module(name), from("from"), to("to") {
    from.register_nb_transport_fw(this, &ProtocolChecker::forward);
    from.register_b_transport(this, &ProtocolChecker::blocking);
    to.register_nb_transport_bw(this, &ProtocolChecker::backward);
  }
  ~ProtocolChecker() override { CHECK(state_.empty()); }

  std::uint64_t transactions = 0;

 private:
  enum class State { requested, accepted, responded };

  static void check_attributes(const tlm::tlm_generic_payload& payload) {
    CHECK(payload.get_data_ptr() != nullptr);
    CHECK(payload.get_data_length() > 0);
    CHECK(payload.get_streaming_width() >= payload.get_data_length());
    CHECK(payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE);
    CHECK((payload.is_read() || payload.is_write()));
    CHECK_FALSE(payload.is_dmi_allowed());
  }
  void blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    check_attributes(payload);
    ++transactions;
    to->b_transport(payload, delay);
  }
  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::BEGIN_REQ) {
      check_attributes(payload);
      CHECK_FALSE(requesting_);
      CHECK(state_.emplace(&payload, State::requested).second);
      requesting_ = true;
      ++transactions;
    } else {
      REQUIRE(phase == tlm::END_RESP);
      CHECK(state_.at(&payload) == State::responded);
    }
    const tlm::tlm_phase sent = phase;
    const tlm::tlm_sync_enum result = to->nb_transport_fw(payload, phase, delay);
    if (result == tlm::TLM_UPDATED) note(payload, phase);
    if (result == tlm::TLM_COMPLETED || sent == tlm::END_RESP) end(payload);
    return result;
  }
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    note(payload, phase);
    const tlm::tlm_sync_enum result = from->nb_transport_bw(payload, phase, delay);
    if (result == tlm::TLM_COMPLETED || (result == tlm::TLM_UPDATED && phase == tlm::END_RESP)) end(payload);
    return result;
  }
  /// A phase of the target.
  void note(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase) {
    State& state = state_.at(&payload);
    if (state == State::requested) requesting_ = false;
    if (phase == tlm::END_REQ) {
      CHECK(state == State::requested);
      state = State::accepted;
    } else {
      CHECK(phase == tlm::BEGIN_RESP);
      CHECK(state != State::responded);
      CHECK(payload.is_response_ok());
      state = State::responded;
    }
  }
  void end(tlm::tlm_generic_payload& payload) {
    if (state_.at(&payload) == State::requested) requesting_ = false;
    state_.erase(&payload);
  }

  std::map<tlm::tlm_generic_payload*, State> state_;
  bool requesting_ = false;
};

/// A target that takes one of the shorter ways that the base protocol allows.
struct ShortMemory : sc_core::sc_module {
  enum class Way { completes, responds, accepts };

  tlm_utils::simple_target_socket<ShortMemory> socket;
  Way way;
  tlm_utils::peq_with_cb_and_phase<ShortMemory> queue;

  ShortMemory(sc_core::sc_module_name name, Way taken)
      : sc_module(name), socket("socket"), way(taken), queue(this, &ShortMemory::respond) {
    socket.register_nb_transport_fw(this, &ShortMemory::take);
  }
  tlm::tlm_sync_enum take(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
    const sc_core::sc_time latency(100, sc_core::SC_NS);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (way == Way::accepts) {
      // Accepts the request at once, and responds later.
      queue.notify(payload, tlm::BEGIN_RESP, latency);
      phase = tlm::END_REQ;
      return tlm::TLM_UPDATED;
    }
    delay += latency;
    if (way == Way::completes) return tlm::TLM_COMPLETED;
    phase = tlm::BEGIN_RESP;
    return tlm::TLM_UPDATED;
  }
  void respond(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase) {
    tlm::tlm_phase sent = phase;
    sc_core::sc_time delay;
    CHECK(socket->nb_transport_bw(payload, sent, delay) == tlm::TLM_UPDATED);
    CHECK(sent == tlm::END_RESP);
  }
};

/// A GPU with one channel that is `Memory`, with a checker before it.
template <typename Memory>
struct GpuWith {
  SimulationContext context;
  kernel::Program saxpy = kernel::load_program(kernels + "saxpy.ptx", "saxpy");
  ProtocolChecker checker{"checker"};
  std::unique_ptr<Memory> memory;
  std::unique_ptr<Gpu> gpu;

  /// `make`: the memory, called in the simulation of the GPU.
  template <typename Make>
  GpuWith(ExternalMemoryStyle style, const Make& make) : memory(make()) {
    checker.to.bind(memory->socket);
    GpuParameters parameters;
    parameters.sms = 2;
    parameters.l2.slices = 2;
    parameters.dram.channels = 1;
    parameters.l2.capacity = 0;  // each access reaches memory
    parameters.memory = GpuMemory::external;
    parameters.external.style = style;
    ExternalMemory outside;
    outside.bind = [this](unsigned /*channel*/, tlm::tlm_initiator_socket<>& socket) { socket.bind(checker.from); };
    gpu = std::make_unique<Gpu>("gpu", parameters, outside);
  }

  /// y = 2 x + y for some elements; returns the cycles.
  std::uint64_t run(unsigned count) {
    const std::vector<float> ones(count, 1.0F);
    const DeviceAddress x = gpu->memory().upload<float>("x", std::span(ones));
    y = gpu->memory().upload<float>("y", std::span(ones));
    const std::array<Argument, 4> arguments{2.0F, x, y, count};
    const std::uint64_t before = gpu_machine().cycles(gpu->totals());
    CHECK(gpu->run(make_launch(saxpy, {(count + 255) / 256}, {256}, arguments)));
    CHECK(gpu->memory().view_as<float>(y).back() == 3);
    return gpu_machine().cycles(gpu->totals()) - before;
  }

  DeviceAddress y = 0;
};

std::unique_ptr<AtMemory> at_memory(unsigned nanoseconds) {
  return std::make_unique<AtMemory>("memory", sc_core::sc_time(1, sc_core::SC_NS),
                                    sc_core::sc_time(nanoseconds, sc_core::SC_NS));
}

}  // namespace

TEST_CASE("an approximately timed memory outside keeps the base protocol, and its latency is that of loads") {
  const auto cycles = [](unsigned nanoseconds) {
    GpuWith<AtMemory> machine(ExternalMemoryStyle::approximately_timed, [=] { return at_memory(nanoseconds); });
    const std::uint64_t taken = machine.run(32);
    CHECK(machine.memory->reads == 5);  // two lines of instructions, the arguments, and a line of each array
    CHECK(machine.memory->writes == 1);
    CHECK(machine.checker.transactions == machine.memory->reads + machine.memory->writes);
    const Statistics totals = machine.gpu->totals();
    const auto& counted = totals.of<ExternalMemoryStatistics>();
    CHECK(counted.reads == machine.memory->reads);
    CHECK(counted.writes == machine.memory->writes);
    CHECK(counted.bytes >= 6 * 32);
    // Each takes the memory's latency, and at most a few ns until the one before is accepted.
    CHECK(counted.latency >= 6 * nanoseconds);
    CHECK(counted.latency <= 6 * nanoseconds + 20);
    return taken;
  };
  // The loads of x and y overlap, the other reads follow each other: four times 1000 ns, or 980 cycles of the GPU.
  const std::uint64_t longer = cycles(1100) - cycles(100);
  CHECK(longer >= 3916);
  CHECK(longer <= 3924);
}

TEST_CASE("a loosely timed memory outside gets the bytes that a launch leaves") {
  GpuWith<LtMemory> machine(ExternalMemoryStyle::loosely_timed,
                            [] { return std::make_unique<LtMemory>("memory", sc_core::sc_time(100, sc_core::SC_NS)); });
  machine.run(1000);
  const auto y = machine.gpu->memory().view_as<float>(machine.y);
  const auto expected = std::as_bytes(y);
  REQUIRE(machine.memory->bytes.size() >= 4000);
  for (std::size_t i = 0; i < 4000; ++i) {
    REQUIRE(machine.memory->bytes.at(machine.y + i) == static_cast<std::uint8_t>(expected[i]));
  }
}

TEST_CASE("a memory outside may take each shorter way through the base protocol, and time is the same") {
  const auto cycles = [](ShortMemory::Way way) {
    GpuWith<ShortMemory> machine(ExternalMemoryStyle::approximately_timed,
                                 [=] { return std::make_unique<ShortMemory>("memory", way); });
    return machine.run(32);
  };
  const std::uint64_t completed = cycles(ShortMemory::Way::completes);
  CHECK(cycles(ShortMemory::Way::responds) == completed);
  CHECK(cycles(ShortMemory::Way::accepts) == completed);
}

TEST_CASE("a launch with memory outside can be started, and ends when memory has answered") {
  GpuWith<AtMemory> machine(ExternalMemoryStyle::approximately_timed, [] { return at_memory(50'000); });
  const DeviceAddress y = machine.gpu->memory().allocate("y", 4);
  const std::array<Argument, 4> arguments{2.0F, y, y, 1U};
  machine.gpu->start(make_launch(machine.saxpy, {1}, {32}, arguments));
  while (machine.gpu->running()) sc_core::sc_start(1, sc_core::SC_US);
  CHECK_NOTHROW(machine.gpu->check());
  // At least a load, and then the store.
  CHECK(sc_core::sc_time_stamp() > sc_core::sc_time(100, sc_core::SC_US));
}

TEST_CASE("memory outside is there if the parameters name it, and only then") {
  const SimulationContext context;
  GpuParameters parameters;
  parameters.memory = GENERATE(GpuMemory::fixed_latency, GpuMemory::hierarchy);
  CHECK_THROWS_AS(Gpu("gpu", parameters, ExternalMemory{}), ParameterError);
  parameters.memory = GpuMemory::external;
  CHECK_THROWS_AS(Gpu("gpu", parameters), ParameterError);
}

TEST_CASE("other initiators reach the device's memory") {
  struct Cpu : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<Cpu> socket{"socket"};
    explicit Cpu(sc_core::sc_module_name name) : sc_module(name) {}
  };
  const SimulationContext context;
  Gpu gpu("gpu", {});
  Cpu cpu("cpu");
  cpu.socket.bind(gpu.host_port());
  const DeviceAddress buffer = gpu.memory().allocate("buffer", 8);
  const auto access = [&](tlm::tlm_command command, DeviceAddress address, std::span<unsigned char> data) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data.data());
    payload.set_data_length(static_cast<unsigned>(data.size()));
    payload.set_streaming_width(static_cast<unsigned>(data.size()));
    sc_core::sc_time delay;
    cpu.socket->b_transport(payload, delay);
    return payload.get_response_status();
  };
  std::array<unsigned char, 4> word{1, 2, 3, 4};
  CHECK(access(tlm::TLM_WRITE_COMMAND, buffer + 4, word) == tlm::TLM_OK_RESPONSE);
  CHECK(gpu.memory().view_as<unsigned char>(buffer)[5] == 2);
  word = {};
  CHECK(access(tlm::TLM_READ_COMMAND, buffer + 4, word) == tlm::TLM_OK_RESPONSE);
  CHECK(word[3] == 4);
  CHECK(access(tlm::TLM_READ_COMMAND, buffer + 6, word) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(access(tlm::TLM_READ_COMMAND, 8, word) == tlm::TLM_ADDRESS_ERROR_RESPONSE);

  tlm::tlm_generic_payload payload;
  payload.set_address(buffer);
  tlm::tlm_dmi dmi;
  REQUIRE(cpu.socket->get_direct_mem_ptr(payload, dmi));
  CHECK(dmi.get_start_address() == buffer);
  CHECK(dmi.get_dmi_ptr()[5] == 2);
}
