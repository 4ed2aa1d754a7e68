// SPDX-License-Identifier: Apache-2.0
#include "models/sm/register_file.hpp"

namespace reconverge {

RegisterFile::RegisterFile(sc_core::sc_module_name name, const RegisterFileParameters& parameters)
    : sc_module(name), storage("storage"), rows_(parameters.registers / warp_size) {
  storage.register_get_direct_mem_ptr(this, &RegisterFile::grant);
}

void RegisterFile::hold(std::size_t rows) {
  if (rows_.size() < rows) rows_.resize(rows);
}

bool RegisterFile::grant(tlm::tlm_generic_payload& /*payload*/, tlm::tlm_dmi& dmi) {
  dmi.init();
  dmi.set_dmi_ptr(reinterpret_cast<unsigned char*>(rows_.data()));
  dmi.set_start_address(0);
  dmi.set_end_address(rows_.size() * row_bytes - 1);
  dmi.allow_read_write();
  return true;
}

}  // namespace reconverge
