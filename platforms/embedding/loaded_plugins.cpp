// SPDX-License-Identifier: Apache-2.0
#include "platforms/embedding/loaded_plugins.hpp"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <vector>

namespace reconverge::embedding {

namespace {

struct HostPlugins {
  std::mutex mutex;
  Plugins plugins;
};

HostPlugins& host_plugins() {
  static HostPlugins plugins;
  return plugins;
}

}  // namespace

void load_plugin(const std::string& file) {
  HostPlugins& host = host_plugins();
  const std::scoped_lock lock(host.mutex);
  // The host may change its folder, and reports name the file later.
  const std::string whole = std::filesystem::absolute(file).lexically_normal().generic_string();
  std::vector<std::string> files = host.plugins.files();
  if (std::ranges::find(files, whole) != files.end()) return;
  files.push_back(whole);
  host.plugins = Plugins(files);
}

Plugins loaded_plugins() {
  HostPlugins& host = host_plugins();
  const std::scoped_lock lock(host.mutex);
  return host.plugins;
}

}  // namespace reconverge::embedding
