// SPDX-License-Identifier: Apache-2.0
// The same launch on a GPU with each of the two memories. First argument: the folder with yaml and platforms,
// share/reconverge of an installation; second: lt or at.
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "at_memory.hpp"
#include "lt_memory.hpp"
#include "platforms/systemc.hpp"

using namespace reconverge;

int sc_main(int argc, char** argv) {
  const std::string data = argc > 1 ? argv[1] : ".";
  const bool loose = argc > 2 && std::string(argv[2]) == "lt";
  std::vector<std::unique_ptr<LtMemory>> lt;
  std::vector<std::unique_ptr<AtMemory>> at;
  ExternalMemory memory;
  memory.bind = [&](unsigned channel, tlm::tlm_initiator_socket<>& socket) {
    const std::string name = "memory_" + std::to_string(channel);
    const sc_core::sc_time latency(100, sc_core::SC_NS);
    if (loose) {
      socket.bind(lt.emplace_back(std::make_unique<LtMemory>(name.c_str(), latency))->socket);
    } else {
      const sc_core::sc_time interval(2, sc_core::SC_NS);
      socket.bind(at.emplace_back(std::make_unique<AtMemory>(name.c_str(), interval, latency))->socket);
    }
  };
  const kernel::Program saxpy = kernel::load_program(data + "/platforms/kernels/saxpy.ptx", "saxpy");
  const std::string style = loose ? "loosely_timed" : "approximately_timed";
  const std::vector<std::string> settings{"gpu.memory=external", "gpu.external.style=" + style};
  Gpu gpu("gpu", launch::load_platform(data + "/yaml/platforms/gtx780.yaml", settings), memory);
  const std::vector<float> ones(100'000, 1.0F);
  const DeviceAddress x = gpu.memory().upload<float>("x", ones);
  const DeviceAddress y = gpu.memory().upload<float>("y", ones);
  const Argument arguments[]{2.0F, x, y, 100'000U};
  gpu.run(make_launch(saxpy, {391}, {256}, arguments));
  std::uint64_t reads = 0;
  for (const auto& channel : lt) reads += channel->reads;
  for (const auto& channel : at) reads += channel->reads;
  std::cout << "y[99999] is " << gpu.memory().view_as<float>(y).back() << " after " << reads << " reads of memory, at "
            << sc_core::sc_time_stamp() << '\n';
  return 0;
}
