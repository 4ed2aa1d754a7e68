// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Golden vectors of a block: inputs and expected outputs of each cycle as text, for any simulator of its RTL.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/cosim/twin/port.hpp"

namespace reconverge::twin {

struct GoldenVectors {
  std::string block;                                              ///< its folder in rtl/ and its top module
  std::vector<std::pair<std::string, std::uint64_t>> parameters;  ///< of the top module, all of them
  std::string lines;      ///< one a cycle, fields in hexadecimal; the testbench names them in order
  std::string testbench;  ///< SystemVerilog; includes the parameters as parameters.svh
};

/// A pin that holds no value.
struct NoPin {};

inline bool is_output(std::string_view port) { return port.ends_with("_o"); }

/// Lines of golden vectors. A line has a field for each input, and two for each output: the value, and the bits that
/// are valid. Bits that no value was set for are 0.
class VectorText {
 public:
  /// `ports`: in the order of the fields.
  explicit VectorText(std::span<const std::string_view> ports);

  /// Sets a value of the cycle.
  void set(const Port& port, std::uint64_t value);
  /// Ends the cycle; all its values have been set.
  void end_line();

  const std::string& text() const { return text_; }

 private:
  struct Field {
    bool output = false;
    std::vector<std::uint32_t> value = {};
    std::vector<std::uint32_t> valid = {};
  };

  void add(std::vector<std::uint32_t>& words);

  std::vector<Field> fields_;
  std::map<std::string_view, std::size_t> index_;
  std::string text_;
};

/// A partner of a block's pins: writes a line a cycle. `Pins`: the struct that cmake/rtl_pins.cmake makes from the RTL.
template <typename Ports, typename Pins>
class VectorLines {
 public:
  using Inputs = typename Ports::Inputs;
  using Outputs = typename Ports::Outputs;

  explicit VectorLines(const typename Ports::Shape& shape) : shape_(shape), lines_(Pins::names) {}

  void cycle(const Inputs& inputs, const Outputs& expected) {
    Ports::inputs(pins_, inputs, shape_, [this](const Port& port, const NoPin& /*pin*/, const auto& value) {
      lines_.set(port, value_of(value));
    });
    Ports::outputs(pins_, expected, shape_, [this](const Port& port, const NoPin& /*pin*/, const auto& value) {
      if (is_output(port.name)) lines_.set(port, value_of(value));
    });
    lines_.end_line();
  }
  /// Writes nothing.
  void within(const Inputs& /*inputs*/, const Outputs& /*expected*/) {}

  /// All lines written so far.
  GoldenVectors vectors(std::vector<std::pair<std::string, std::uint64_t>> parameters) const {
    return {std::string(Pins::block), std::move(parameters), lines_.text(), std::string(Pins::testbench)};
  }

 private:
  typename Ports::Shape shape_;
  Pins pins_;
  VectorText lines_;
};

}  // namespace reconverge::twin
