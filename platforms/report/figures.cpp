// SPDX-License-Identifier: Apache-2.0
#include "platforms/report/figures.hpp"

#include "platforms/machine_kind.hpp"

namespace reconverge::report {

std::vector<Figure> figures(const Measurement& m) {
  std::vector<Figure> list;
  if (m.rays) list.push_back({"rays", "rays", "Rays traced to their end.", "counted by the workload", real(*m.rays)});
  list.push_back({"cycles", "cycles", "Clock cycles from the first launch to the end of the last.", "gpu.cycles",
                  real(cycles(m))});
  list.push_back({"time", "s", "Time of these cycles at the platform's clock.", "cycles / gpu.clock", seconds(m)});
  if (m.rays) {
    list.push_back({"ray_rate", "Mrays/s", "Million rays a second of simulated time.", "rays / time / 10^6",
                    rays_per_second(m) / 1e6});
  }
  m.machine->add_figures(m, list);
  return list;
}

}  // namespace reconverge::report
