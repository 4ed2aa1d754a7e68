// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The variables of a module in device memory. All kernels of a module (a PTX file) share them, and so does a host that
/// reads or writes one by its name, as cudaMemcpyToSymbol and cudaMemcpyFromSymbol do.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "models/execution/device_memory.hpp"
#include "models/kernel/program.hpp"

namespace reconverge {

/// The name of the buffer that holds a variable of the program's module.
std::string buffer_name(const kernel::Program& program, const kernel::GlobalVariable& variable);

/// Places the variables of the program's module in `memory`, unless a kernel of the same module already did. Returns
/// their addresses, in the order of Program::globals. Throws InputError for a texture reference that is not bound.
std::vector<DeviceAddress> place_variables(const kernel::Program& program, DeviceMemory& memory);

/// The value of the constant that `constant` names if the variables of the program have `addresses`. Throws InputError
/// if it has 32 bits and the variable is at an address that these cannot represent.
std::uint64_t address_bits(const kernel::Program& program, const kernel::AddressConstant& constant,
                           const std::vector<DeviceAddress>& addresses);

/// The same for the variable `name` and the variables that its initial value points to. Throws InputError, with the
/// nearest name, if `program`, a kernel or kernel::load_variables of the module, has no variable of that name.
const kernel::GlobalVariable& find_variable(const kernel::Program& program, std::string_view name);
DeviceAddress place_variable(const kernel::Program& program, std::string_view name, DeviceMemory& memory);

/// The same in memory that code of the host reaches by the same address. `host`: the host's variable of the same size;
/// null: at an address of the device.
DeviceAddress place_managed_variable(const kernel::Program& program, std::string_view name, DeviceMemory& memory,
                                     std::byte* host);

}  // namespace reconverge
