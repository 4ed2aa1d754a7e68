// SPDX-License-Identifier: Apache-2.0
// The register file through its socket: the DMI call that gives lanes access to their rows.

#include "models/sm/register_file.hpp"

#include <tlm_utils/simple_initiator_socket.h>

#include <catch2/catch.hpp>
#include <cstdint>

#include "models/core/simulation_context.hpp"

namespace reconverge {
namespace {

/// A block that reads and writes rows.
struct Reader : sc_core::sc_module {
  explicit Reader(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
    begin_.notify(sc_core::SC_ZERO_TIME);
  }
  tlm::tlm_dmi storage() {
    tlm::tlm_generic_payload payload;
    tlm::tlm_dmi dmi;
    REQUIRE(socket->get_direct_mem_ptr(payload, dmi));
    return dmi;
  }
  tlm_utils::simple_initiator_socket<Reader> socket;

 private:
  sc_core::sc_event begin_;  // gives the first run an event
};

struct Bench {
  Bench() : file("file", registers()), reader("reader") {
    reader.socket.bind(file.storage);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  static RegisterFileParameters registers() {
    RegisterFileParameters parameters;
    parameters.registers = 2048;
    return parameters;
  }

  const SimulationContext context;
  RegisterFile file;
  Reader reader;
};

}  // namespace

TEST_CASE("register file: the DMI call gives read and write access to all rows") {
  Bench bench;
  const auto dmi = bench.reader.storage();
  // 2048 registers are 64 rows of 32 words.
  REQUIRE(dmi.get_start_address() == 0);
  REQUIRE(dmi.get_end_address() == 64 * 128 - 1);
  REQUIRE(dmi.is_read_write_allowed());
  REQUIRE(reinterpret_cast<std::uintptr_t>(dmi.get_dmi_ptr()) % 64 == 0);
  dmi.get_dmi_ptr()[63 * 128 + 127] = 0x5a;
  REQUIRE(bench.reader.storage().get_dmi_ptr()[63 * 128 + 127] == 0x5a);
}

TEST_CASE("register file: programs with more constants get more rows, and no program loses rows") {
  Bench bench;
  bench.file.hold(80);
  REQUIRE(bench.reader.storage().get_end_address() == 80 * 128 - 1);
  bench.file.hold(3);
  REQUIRE(bench.reader.storage().get_end_address() == 80 * 128 - 1);
}

}  // namespace reconverge
