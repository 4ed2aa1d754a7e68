#pragma once
/// The registers of an SM: rows of 32 words. Lanes work on the rows directly, through the pointer that the DMI call
/// hands out; the accesses of each issued instruction are reported for their time and count.

#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <systemc>
#include <vector>

#include "blocks/register_file.hpp"
#include "models/protocols/issue.hpp"

namespace reconverge {

class RegisterFile : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<RegisterFile> storage;  ///< DMI only
  tlm_utils::multi_passthrough_target_socket<RegisterFile, 32, ControlProtocol<OperandRequest>> operands;

  RegisterFile(sc_core::sc_module_name name, const RegisterFileParameters& parameters);

  const RegisterFileStatistics& statistics() const { return statistics_; }

 private:
  struct alignas(64) Row {
    std::array<std::uint32_t, warp_size> words;
  };

  bool grant(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
  void handle(int initiator, OperandRequest& request, sc_core::sc_time& delay);

  std::vector<Row> rows_;
  RegisterFileStatistics statistics_;
};

}  // namespace reconverge
