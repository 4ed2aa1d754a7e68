// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Scenarios: a few cycles in which a model shows one behaviour of its ports. Specification pages draw them as timing
/// diagrams, and tests repeat them in lock step with the RTL.

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/cosim/twin/golden_vectors.hpp"
#include "models/cosim/twin/port.hpp"
#include "platforms/specification/timing_diagram.hpp"

namespace reconverge::specification {

/// A partner of a block's pins that keeps the inputs and outputs of each cycle.
template <typename Ports>
class Recording {
 public:
  using Inputs = typename Ports::Inputs;
  using Outputs = typename Ports::Outputs;
  struct Cycle {
    Inputs inputs;
    Outputs outputs;
  };

  explicit Recording(const typename Ports::Shape& shape) : shape_(shape) {}

  void cycle(const Inputs& inputs, const Outputs& outputs) { cycles_.push_back({inputs, outputs}); }
  /// Keeps nothing.
  void within(const Inputs& /*inputs*/, const Outputs& /*outputs*/) {}

  const typename Ports::Shape& shape() const { return shape_; }
  const std::vector<Cycle>& cycles() const { return cycles_; }

 private:
  typename Ports::Shape shape_;
  std::vector<Cycle> cycles_;
};

/// A row of a timing diagram: its text in a cycle, or nothing where the value does not matter.
template <typename Ports>
struct ShownSignal {
  std::string name;
  bool bit = false;
  std::function<std::optional<std::string>(const typename Ports::Inputs&, const typename Ports::Outputs&)> text;
};

template <typename Ports>
struct Scenario {
  std::string name;   ///< of its file
  std::string title;  ///< what happens, in one line
  Recording<Ports> recording;
  std::vector<ShownSignal<Ports>> signals;
  std::size_t first = 0;  ///< cycle that the diagram begins with

  /// The part of the recording that the diagram shows.
  TimingDiagram diagram() const {
    TimingDiagram diagram{name, title, {}};
    for (const ShownSignal<Ports>& signal : signals) {
      DiagramSignal& row = diagram.signals.emplace_back(DiagramSignal{signal.name, signal.bit, {}});
      for (std::size_t i = first; i < recording.cycles().size(); ++i) {
        row.values.push_back(signal.text(recording.cycles()[i].inputs, recording.cycles()[i].outputs));
      }
    }
    return diagram;
  }
};

/// Values at ports by the names in the RTL.
template <typename Ports, typename Pins>
class PortValues {
 public:
  PortValues(const typename Ports::Inputs& inputs, const typename Ports::Outputs& outputs,
             const typename Ports::Shape& shape) {
    const auto keep = [this](const twin::Port& port, const twin::NoPin& /*pin*/, const auto& value) {
      values_.push_back({port, twin::value_of(value) & twin::bits(port.width)});
    };
    Pins pins;
    Ports::inputs(pins, inputs, shape, keep);
    Ports::outputs(pins, outputs, shape, keep);
  }

  /// Nothing if the port has no value in this cycle. `index`: for a port with several values.
  std::optional<std::uint64_t> of(std::string_view name, std::size_t index = 0) const {
    for (const auto& [port, value] : values_) {
      if (port.name == name && port.index == index) return value;
    }
    return std::nullopt;
  }

 private:
  std::vector<std::pair<twin::Port, std::uint64_t>> values_;
};

/// How a port is shown.
struct PortView {
  std::string_view name;                     ///< in the RTL
  std::string_view when = {};                ///< shown only while this port is 1; empty: always
  std::vector<std::string_view> words = {};  ///< texts of the values 0, 1, ...; otherwise hexadecimal
  std::size_t index = 0;                     ///< of a port with several values
};

/// A signal that shows a port. Throws std::logic_error if the RTL has no port with this name.
template <typename Ports, typename Pins>
ShownSignal<Ports> shown(const typename Ports::Shape& shape, PortView view) {
  for (const std::string_view name : {view.name, view.when}) {
    if (!name.empty() && std::ranges::find(Pins::names, name) == Pins::names.end()) {
      throw std::logic_error(fmt::format("there is no port {}", name));
    }
  }
  const bool bit = view.words.empty() && view.when.empty();
  std::string name = view.index == 0 ? std::string(view.name) : fmt::format("{}[{}]", view.name, view.index);
  return {std::move(name), bit,
          [shape, view = std::move(view)](const auto& inputs, const auto& outputs) -> std::optional<std::string> {
            const PortValues<Ports, Pins> values(inputs, outputs, shape);
            if (!view.when.empty() && values.of(view.when) != 1) return std::nullopt;
            const auto value = values.of(view.name, view.index);
            if (!value) return std::nullopt;
            if (*value < view.words.size()) return std::string(view.words[*value]);
            return fmt::format("{:x}", *value);
          }};
}

/// Signals that show ports, in this order.
template <typename Ports, typename Pins>
std::vector<ShownSignal<Ports>> signals_of(const typename Ports::Shape& shape, std::vector<PortView> views) {
  std::vector<ShownSignal<Ports>> signals;
  for (PortView& view : views) signals.push_back(shown<Ports, Pins>(shape, std::move(view)));
  return signals;
}

}  // namespace reconverge::specification
