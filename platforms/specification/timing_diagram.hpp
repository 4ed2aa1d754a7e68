// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Timing diagrams of ports, as WaveJSON (the input of WaveDrom) and as SVG in WaveDrom's style.

#include <optional>
#include <string>
#include <vector>

namespace reconverge::specification {

/// A port, with its text in each clock cycle; nothing where the value does not matter. A bit's text is 0 or 1.
struct DiagramSignal {
  std::string name;
  bool bit = false;
  std::vector<std::optional<std::string>> values;
};

/// All signals have the same number of cycles.
struct TimingDiagram {
  std::string name;  ///< of its file, without extension
  std::string title;
  std::vector<DiagramSignal> signals;

  std::size_t cycles() const { return signals.empty() ? 0 : signals.front().values.size(); }
};

std::string wave_json(const TimingDiagram& diagram);
std::string wave_svg(const TimingDiagram& diagram);

}  // namespace reconverge::specification
