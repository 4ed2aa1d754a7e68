// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The name of this host in its network.

#include <string>

namespace reconverge {

/// `unknown` if the system does not tell it.
std::string host_name();

}  // namespace reconverge
