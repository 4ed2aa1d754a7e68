// SPDX-License-Identifier: Apache-2.0
#include "platforms/sampling/confidence.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <cstddef>

namespace reconverge::sampling {

std::vector<double> half_widths(const Statistics& counters, std::span<const Estimate* const> estimates, double level,
                                const std::function<std::vector<double>(const Statistics&)>& values) {
  const std::size_t count = values(counters).size();
  std::vector<double> variance(count, 0.0);
  std::vector<double> uncertainty(count, 0.0);  // of the variance: the denominator of Satterthwaite's formula
  for (const Estimate* const estimate : estimates) {
    const Statistics others = counters.since(estimate->counters);
    std::vector<std::vector<double>> replicates;
    for (const Statistics& without : estimate->without) {
      Statistics sum = others;
      sum += without;
      replicates.push_back(values(sum));
    }
    const auto batches = static_cast<double>(replicates.size());
    const double freedom = 2 * (batches - 1) * (batches - 1) / (3 * batches - 4);
    for (std::size_t i = 0; i < count; ++i) {
      double squares = 0;
      for (std::size_t batch = 1; batch < replicates.size(); ++batch) {
        const double step = replicates[batch][i] - replicates[batch - 1][i];
        squares += step * step;
      }
      const double own = squares / 2 * (batches - 1) / batches;
      variance[i] += own;
      uncertainty[i] += own * own / freedom;
    }
  }
  std::vector<double> widths(count, 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    if (!(variance[i] > 0) || !(uncertainty[i] > 0)) continue;
    const boost::math::students_t_distribution<double> student(variance[i] * variance[i] / uncertainty[i]);
    widths[i] = boost::math::quantile(student, (1 + level) / 2) * std::sqrt(variance[i]);
  }
  return widths;
}

}  // namespace reconverge::sampling
