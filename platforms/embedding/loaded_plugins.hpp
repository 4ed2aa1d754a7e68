// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The plugins of a host.

#include <string>

#include "platforms/plugins/plugins.hpp"

namespace reconverge::embedding {

/// Adds the schemes and machines of a shared library: experiments and devices can name them if they are made
/// afterwards. The library stays loaded; a file that is loaded already is not loaded again. Throws InputError with the
/// absolute name of the file, and then adds nothing. Any thread.
void load_plugin(const std::string& file);

/// The plugins that are loaded now.
Plugins loaded_plugins();

}  // namespace reconverge::embedding
