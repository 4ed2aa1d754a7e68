// SPDX-License-Identifier: Apache-2.0
// Launches a kernel through the installed libraries: y = 2 x + y on the platform of the first argument.
#include <exception>
#include <iostream>

#include "platforms/launch/session.hpp"

using namespace reconverge;

extern "C" int sc_main(int /*argc*/, char** /*argv*/) { return 0; }  // SystemC's library asks for one

int main(int argc, char** argv) try {
  const std::string data = argc > 1 ? argv[1] : ".";
  launch::Session session("timed", launch::load_platform(data + "/yaml/platforms/gtx780.yaml"));
  const kernel::Program& saxpy = session.load(data + "/platforms/kernels/saxpy.ptx", "saxpy");
  const std::vector<float> ones(1000, 1.0F);
  const DeviceAddress x = session.upload<float>("x", ones);
  const DeviceAddress y = session.upload<float>("y", ones);
  const launch::LaunchResult result = session.run(saxpy, {4}, {256}, {2.0F, x, y, 1000U});
  std::cout << "y[999] is " << session.download<float>(y).back() << " after " << result.cycles() << " cycles\n";
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
