// SPDX-License-Identifier: Apache-2.0
// A host that launches a kernel on the GPU, next to a timer that never stops. First argument: the folder with yaml and
// platforms, share/reconverge of an installation.
#include <iostream>
#include <string>

#include "platforms/systemc.hpp"

using namespace reconverge;
using namespace sc_core;

struct Timer : sc_module {
  SC_HAS_PROCESS(Timer);
  explicit Timer(sc_module_name name) : sc_module(name) { SC_THREAD(tick); }
  void tick() {
    for (;; ++ticks) wait(100, SC_NS);
  }
  unsigned ticks = 0;
};

struct Host : sc_module {
  SC_HAS_PROCESS(Host);
  Host(sc_module_name name, Gpu& to, const kernel::Program& kernel) : sc_module(name), gpu(to), saxpy(kernel) {
    SC_THREAD(run);
  }
  void run() try {
    wait(1, SC_US);
    const std::vector<float> ones(1000, 1.0F);
    const DeviceAddress x = gpu.memory().upload<float>("x", ones);
    const DeviceAddress y = gpu.memory().upload<float>("y", ones);
    const Argument arguments[]{2.0F, x, y, 1000U};
    gpu.start(make_launch(saxpy, {4}, {256}, arguments));
    wait(gpu.done());
    gpu.check();
    std::cout << "y[999] is " << gpu.memory().view_as<float>(y).back() << " at " << sc_time_stamp() << '\n';
    sc_stop();
  } catch (const std::exception& error) {
    SC_REPORT_FATAL("/host", error.what());
  }
  Gpu& gpu;
  const kernel::Program& saxpy;
};

int sc_main(int argc, char** argv) {
  const std::string data = argc > 1 ? argv[1] : ".";
  const kernel::Program saxpy = kernel::load_program(data + "/platforms/kernels/saxpy.ptx", "saxpy");
  Gpu gpu("gpu", launch::load_platform(data + "/yaml/platforms/gtx780.yaml"));
  Timer timer("timer");
  const Host host("host", gpu, saxpy);
  sc_start();
  std::cout << "the timer ticked " << timer.ticks << " times\n";
  return 0;
}
