// SPDX-License-Identifier: Apache-2.0
#include "platforms/report/timeline_json.hpp"

#include <algorithm>
#include <boost/json/array.hpp>

#include "platforms/report/divergence_plot.hpp"

namespace reconverge::report {

namespace {

namespace json = boost::json;

template <typename Numbers>
json::array array_of(const Numbers& numbers) {
  json::array values(numbers.begin(), numbers.end());
  return values;
}

/// One number for each interval.
template <typename Of>
json::array column(const RunHistory& history, Of&& of) {
  json::array values;
  for (const IntervalCounts& one : history.samples) values.emplace_back(of(one));
  return values;
}

template <typename Of>
json::object accesses(const RunHistory& history, Of&& of) {
  return {{"accesses", column(history, [&](const IntervalCounts& one) { return of(one).accesses; })},
          {"hits", column(history, [&](const IntervalCounts& one) { return of(one).hits; })}};
}

json::object first_level(const RunHistory& history, FirstLevel cache) {
  return accesses(history, [cache](const IntervalCounts& one) -> const AccessCounts& {
    return one.first_level[static_cast<std::size_t>(cache)];
  });
}

}  // namespace

json::object timeline_json(const RunHistory& history, const Statistics& counters) {
  const StatisticsView view = counters.view<WarpSchedulerStatistics>();
  const auto outcomes = std::ranges::find(view.descriptions(), std::string_view("slots"), &StatisticDescription::name);
  json::array names;
  json::array lanes;
  json::array slots;
  for (const IntervalCounts& one : history.samples) {
    WarpSchedulerStatistics statistics;
    statistics.slots = one.slots.outcomes;
    const auto values = StatisticsView(statistics, view.descriptions()).values(*outcomes);
    for (std::size_t bin = names.size(); bin < values.size(); ++bin) names.emplace_back(bin_name(*outcomes, bin));
    slots.push_back(array_of(values));
    lanes.push_back(array_of(slots_by_class(one.slots)));
  }
  return {{"interval", history.interval},
          {"cycles", history.cycles},
          {"begin", column(history, [](const IntervalCounts& one) { return one.begin; })},
          {"lane_classes", array_of(divergence_classes)},
          {"lanes", std::move(lanes)},
          {"outcomes", std::move(names)},
          {"slots", std::move(slots)},
          {"caches",
           {{"l1", first_level(history, FirstLevel::data)},
            {"texture_cache", first_level(history, FirstLevel::texture)},
            {"constant_cache", first_level(history, FirstLevel::constant)},
            {"l2", accesses(history, [](const IntervalCounts& one) -> const AccessCounts& { return one.l2; })}}},
          {"dram_bytes", column(history, [](const IntervalCounts& one) { return one.memory_bytes; })}};
}

}  // namespace reconverge::report
