// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The registers of an SM: rows of 32 words. Lanes access the rows directly, through the pointer that the DMI call
/// returns; the operand collectors model the cost of accesses.

#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <systemc>
#include <vector>

#include "blocks/register_file.hpp"
#include "models/execution/operations/operation.hpp"

namespace reconverge {

class RegisterFile : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<RegisterFile> storage;  ///< DMI only

  RegisterFile(sc_core::sc_module_name name, const RegisterFileParameters& parameters);

  /// Allocates at least `rows` rows. Programs also store constants in rows, which are not registers of the machine
  /// (models/kernel/decode/register_demand.hpp). Invalidates pointers from earlier DMI calls.
  void hold(std::size_t rows);

 private:
  struct alignas(64) Row {
    std::array<std::uint32_t, warp_size> words;
  };

  bool grant(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);

  std::vector<Row> rows_;
};

}  // namespace reconverge
