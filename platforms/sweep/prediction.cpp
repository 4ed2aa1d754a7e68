// SPDX-License-Identifier: Apache-2.0
#include "platforms/sweep/prediction.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "platforms/sweep/quantity_text.hpp"

namespace reconverge::sweep {

namespace {

constexpr int folds = 5;
/// Of the squares of weights. Without it, a value that no completed point has would have no weight.
constexpr double penalty = 0.1;
constexpr double memory_reserve = 1.25;
/// Numbers with more values get no step for each value.
constexpr std::size_t most_steps = 12;
constexpr double least_cost = 1e-3;

/// Solves a symmetric positive definite system by Cholesky's factorisation.
std::vector<double> solved(std::vector<std::vector<double>> matrix, std::vector<double> right) {
  const std::size_t size = right.size();
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = matrix[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= matrix[i][k] * matrix[j][k];
      matrix[i][j] = i == j ? std::sqrt(sum) : sum / matrix[j][j];
    }
  }
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t k = 0; k < i; ++k) right[i] -= matrix[i][k] * right[k];
    right[i] /= matrix[i][i];
  }
  for (std::size_t i = size; i-- > 0;) {
    for (std::size_t k = i + 1; k < size; ++k) right[i] -= matrix[k][i] * right[k];
    right[i] /= matrix[i][i];
  }
  return right;
}

/// The values of each path, in all points.
using Values = std::map<std::string, std::set<std::string>>;

Values values_of(const std::vector<Point>& points) {
  Values values;
  for (const Point& point : points) {
    values["experiment"].insert(point.experiment);
    for (const Setting& setting : point.settings)
      if (setting.swept) values[setting.path].insert(setting.value);
  }
  return values;
}

std::string value_in(const Point& point, const std::string& path) {
  if (path == "experiment") return point.experiment;
  const auto found = std::ranges::find(point.settings, path, &Setting::path);
  return found == point.settings.end() ? std::string() : found->value;
}

}  // namespace

Prediction::Prediction(const std::vector<Point>& points, const std::vector<Cost>& costs) {
  make_rows(points);
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < points.size(); ++i) index.emplace(points[i].digest, i);
  for (const Cost& cost : costs) {
    const auto found = index.find(cost.digest);
    if (found == index.end()) continue;
    done_.push_back(found->second);
    seconds_.push_back(std::log(std::max(cost.seconds, least_cost)));
    memory_.push_back(std::log(std::max(cost.memory_bytes, 1.0)));
  }
  if (done_.size() < fewest) return;
  time_weights_ = fitted(seconds_, -1);
  memory_weights_ = fitted(memory_, -1);
  // The mean of logarithms is below the logarithm of the mean.
  double measured = 0;
  double expected = 0;
  for (std::size_t i = 0; i < done_.size(); ++i) {
    measured += std::exp(seconds_[i]);
    expected += predicted(time_weights_, done_[i]);
  }
  correction_ = measured / expected;
  error_ = error_of_sums();
}

void Prediction::make_rows(const std::vector<Point>& points) {
  rows_.assign(points.size(), Row{1});
  for (const auto& [path, values] : values_of(points)) {
    if (values.size() < 2) continue;
    const bool numbers = std::ranges::all_of(values, [](const std::string& text) {
      const auto number = number_of(text);
      return number && number->value > 0;
    });
    for (std::size_t i = 0; i < points.size(); ++i) {
      const std::string value = value_in(points[i], path);
      if (numbers) {
        const auto number = number_of(value);
        rows_[i].push_back(number ? std::log2(number->value) : 0);
      }
      if (numbers && values.size() > most_steps) continue;
      for (const std::string& each : values) rows_[i].push_back(each == value ? 1 : 0);
    }
  }
}

std::vector<double> Prediction::fitted(const std::vector<double>& logarithms, int left_out) const {
  const std::size_t features = rows_.front().size();
  std::vector<std::vector<double>> matrix(features, std::vector<double>(features, 0));
  std::vector<double> right(features, 0);
  for (std::size_t i = 0; i < done_.size(); ++i) {
    if (static_cast<int>(i) % folds == left_out) continue;
    const Row& row = rows_[done_[i]];
    for (std::size_t a = 0; a < features; ++a) {
      right[a] += row[a] * logarithms[i];
      for (std::size_t b = 0; b < features; ++b) matrix[a][b] += row[a] * row[b];
    }
  }
  // The first weight is the mean's and nearly free.
  for (std::size_t a = 0; a < features; ++a) matrix[a][a] += a == 0 ? 1e-6 : penalty;
  return solved(std::move(matrix), std::move(right));
}

double Prediction::predicted(const std::vector<double>& weights, std::size_t point) const {
  return std::exp(std::inner_product(weights.begin(), weights.end(), rows_[point].begin(), 0.0));
}

double Prediction::error_of_sums() const {
  double squares = 0;
  int counted = 0;
  for (int fold = 0; fold < folds; ++fold) {
    const std::vector<double> weights = fitted(seconds_, fold);
    double measured = 0;
    double expected = 0;
    for (auto i = static_cast<std::size_t>(fold); i < done_.size(); i += folds) {
      measured += std::exp(seconds_[i]);
      expected += correction_ * predicted(weights, done_[i]);
    }
    if (measured == 0) continue;
    squares += std::pow(std::log(expected / measured), 2);
    ++counted;
  }
  return counted == 0 ? 0 : std::sqrt(squares / counted);
}

std::optional<double> Prediction::seconds(std::size_t point) const {
  if (time_weights_.empty()) return std::nullopt;
  return correction_ * predicted(time_weights_, point);
}

std::optional<double> Prediction::memory_bytes(std::size_t point) const {
  if (memory_weights_.empty()) return std::nullopt;
  return memory_reserve * predicted(memory_weights_, point);
}

std::optional<ExpectedSum> Prediction::seconds_of(const std::vector<std::size_t>& points) const {
  if (time_weights_.empty()) return std::nullopt;
  ExpectedSum expected;
  for (const std::size_t point : points) expected.sum += *seconds(point);
  expected.error = expected.sum * error_;
  return expected;
}

}  // namespace reconverge::sweep
