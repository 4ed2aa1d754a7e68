// SPDX-License-Identifier: Apache-2.0
#include "models/memory/external_channel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "models/memory/sectors.hpp"
#include "models/protocols/memory.hpp"

namespace reconverge {

namespace {

constexpr const char* report_id = "/reconverge/external_memory";
constexpr std::size_t most_bytes = max_sectors * sector_bytes;

}  // namespace

/// A transaction outside, and the request of an L2 slice that it serves.
struct ExternalChannel::Transaction : tlm::tlm_generic_payload {
  explicit Transaction(tlm::tlm_mm_interface& manager) : tlm_generic_payload(&manager) {}

  tlm::tlm_generic_payload* request = nullptr;
  std::uint32_t initiator = 0;
  bool open = false;  ///< sent, and without a response
  sc_core::sc_time arrival;
  std::array<std::uint8_t, most_bytes> data{};
  std::array<std::uint8_t, most_bytes> enables{};
};

class ExternalChannel::Pool : public tlm::tlm_mm_interface {
 public:
  Transaction& acquire() {
    if (idle_.empty()) idle_.push_back(all_.emplace_back(std::make_unique<Transaction>(*this)).get());
    Transaction& transaction = *idle_.back();
    idle_.pop_back();
    transaction.acquire();
    return transaction;
  }
  void free(tlm::tlm_generic_payload* transaction) override {
    transaction->reset();
    idle_.push_back(static_cast<Transaction*>(transaction));
  }

 private:
  std::vector<std::unique_ptr<Transaction>> all_;
  std::vector<Transaction*> idle_;
};

ExternalChannel::ExternalChannel(sc_core::sc_module_name name, ExternalMemoryStyle style, const DeviceMemory& contents)
    : sc_module(name), requests(*this), memory("memory"), contents_(contents), pool_(std::make_unique<Pool>()) {
  memory.bind(*this);
  SC_HAS_PROCESS(ExternalChannel);
  if (style == ExternalMemoryStyle::loosely_timed) {
    SC_THREAD(transport);
  } else {
    SC_METHOD(send);
    sensitive << wake_;
    dont_initialize();
  }
  SC_METHOD(answer);
  sensitive << response_;
  dont_initialize();
}

ExternalChannel::~ExternalChannel() = default;

ExternalMemoryStatistics ExternalChannel::statistics() const {
  ExternalMemoryStatistics statistics = statistics_;
  statistics.latency = static_cast<std::uint64_t>(std::llround(latency_.to_seconds() * 1e9));
  return statistics;
}

tlm::tlm_sync_enum ExternalChannel::take(std::uint32_t initiator, tlm::tlm_generic_payload& payload,
                                         tlm::tlm_phase& /*phase*/, sc_core::sc_time& delay) {
  Transaction& transaction = pool_->acquire();
  transaction.request = &payload;
  transaction.initiator = initiator;
  transaction.arrival = sc_core::sc_time_stamp() + delay;
  arrivals_.emplace(transaction.arrival, &transaction);
  ++in_flight_;
  wake_.notify(delay);
  return tlm::TLM_ACCEPTED;
}

void ExternalChannel::describe(Transaction& transaction, const tlm::tlm_generic_payload& request) {
  const SectorMask sectors = sectors_of(request, static_cast<const MemoryPayload&>(request).notes);
  const auto first = static_cast<unsigned>(std::countr_zero(sectors));
  const auto end = static_cast<unsigned>(std::bit_width(sectors));
  const DeviceAddress address = request.get_address() + std::uint64_t{first} * sector_bytes;
  const unsigned bytes = (end - first) * sector_bytes;
  const bool gaps = std::popcount(sectors) != static_cast<int>(end - first);
  for (unsigned sector = first; sector < end; ++sector) {
    const std::size_t place = std::size_t{sector - first} * sector_bytes;
    const bool used = (sectors >> sector & 1U) != 0;
    std::memset(&transaction.enables[place], used ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED, sector_bytes);
    std::memset(&transaction.data[place], 0, sector_bytes);
    if (used) statistics_.bytes += sector_bytes;
    if (!request.is_write() || !used) continue;
    // Local memory of threads is in no buffer; its lines are written as zeros.
    const Buffer* const buffer = contents_.find(address + place);
    if (buffer == nullptr) continue;
    const std::uint64_t left = buffer->address + buffer->bytes - (address + place);
    std::memcpy(&transaction.data[place], contents_.host() + (address + place),
                std::min<std::uint64_t>(left, sector_bytes));
  }
  transaction.set_command(request.get_command());
  transaction.set_address(address);
  transaction.set_data_ptr(transaction.data.data());
  transaction.set_data_length(bytes);
  transaction.set_streaming_width(bytes);
  transaction.set_byte_enable_ptr(gaps ? transaction.enables.data() : nullptr);
  transaction.set_byte_enable_length(gaps ? bytes : 0);
  transaction.set_dmi_allowed(false);
  transaction.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

ExternalChannel::Transaction* ExternalChannel::arrived() {
  if (arrivals_.empty()) return nullptr;
  const auto [time, transaction] = *arrivals_.begin();
  const sc_core::sc_time& now = sc_core::sc_time_stamp();
  if (const sc_core::sc_time next = std::max(time, free_at_); next > now) {
    wake_.notify(next - now);
    return nullptr;
  }
  arrivals_.erase(arrivals_.begin());
  describe(*transaction, *transaction->request);
  transaction->open = true;
  ++(transaction->is_write() ? statistics_.writes : statistics_.reads);
  return transaction;
}

void ExternalChannel::send() {
  // The exclusion rule: no request begins before the last one has been accepted.
  while (unaccepted_ == nullptr) {
    Transaction* const transaction = arrived();
    if (transaction == nullptr) return;
    unaccepted_ = transaction;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    switch (memory->nb_transport_fw(*transaction, phase, delay)) {
      case tlm::TLM_ACCEPTED:
        break;
      case tlm::TLM_UPDATED:
        nb_transport_bw(*transaction, phase, delay);
        // The target waits for the end of a response that it gave in this call.
        if (phase == tlm::END_RESP) memory->nb_transport_fw(*transaction, phase, delay);
        break;
      case tlm::TLM_COMPLETED:
        unaccepted_ = nullptr;
        respond(*transaction, delay);
        break;
    }
  }
}

tlm::tlm_sync_enum ExternalChannel::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay) {
  auto& transaction = static_cast<Transaction&>(payload);
  const bool waits = unaccepted_ == &transaction;
  if ((phase == tlm::END_REQ && waits) || (phase == tlm::BEGIN_RESP && transaction.open)) {
    // A response also accepts the request.
    if (waits) {
      unaccepted_ = nullptr;
      free_at_ = sc_core::sc_time_stamp() + delay;
      wake_.notify(delay);
    }
    if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
    respond(transaction, delay);
    // TLM_COMPLETED would be as legal, but DRAMSys waits for this phase.
    phase = tlm::END_RESP;
    return tlm::TLM_UPDATED;
  }
  SC_REPORT_ERROR(
      report_id,
      fmt::format("the target sent phase {}, which the base protocol does not allow here", phase.get_name()).c_str());
  return tlm::TLM_ACCEPTED;
}

void ExternalChannel::transport() {
  for (;;) {
    Transaction* const transaction = arrived();
    if (transaction == nullptr) {
      wait(wake_);
      continue;
    }
    sc_core::sc_time delay;
    memory->b_transport(*transaction, delay);
    respond(*transaction, delay);
  }
}

void ExternalChannel::respond(Transaction& transaction, const sc_core::sc_time& delay) {
  transaction.open = false;
  if (!transaction.is_response_ok()) {
    SC_REPORT_ERROR(
        report_id,
        fmt::format("{} for address {:#x}", transaction.get_response_string(), transaction.get_address()).c_str());
  }
  responses_.emplace(sc_core::sc_time_stamp() + delay, &transaction);
  response_.notify(delay);
}

void ExternalChannel::answer() {
  const sc_core::sc_time& now = sc_core::sc_time_stamp();
  while (!responses_.empty() && responses_.begin()->first <= now) {
    Transaction& transaction = *responses_.begin()->second;
    responses_.erase(responses_.begin());
    --in_flight_;
    latency_ += now - transaction.arrival;
    transaction.request->set_response_status(tlm::TLM_OK_RESPONSE);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    requests[transaction.initiator]->nb_transport_bw(*transaction.request, phase, delay);
    transaction.release();
  }
  if (!responses_.empty()) response_.notify(responses_.begin()->first - now);
}

}  // namespace reconverge
