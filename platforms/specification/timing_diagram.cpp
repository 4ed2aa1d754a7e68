// SPDX-License-Identifier: Apache-2.0
#include "platforms/specification/timing_diagram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "platforms/specification/svg.hpp"

namespace reconverge::specification {

namespace {

// Sizes in pixels.
constexpr std::size_t least_cycle_width = 44;
constexpr std::size_t most_cycle_width = 80;
constexpr unsigned row_height = 26;
constexpr unsigned wave_height = 18;
constexpr unsigned slope = 3;
constexpr std::size_t character = 7;
constexpr std::size_t title_character = 8;

/// A value that holds for several cycles.
struct Run {
  std::optional<std::string> value;
  std::size_t first;
  std::size_t cycles;
};

std::vector<Run> runs_of(const DiagramSignal& signal) {
  std::vector<Run> runs;
  for (std::size_t cycle = 0; cycle < signal.values.size(); ++cycle) {
    if (runs.empty() || runs.back().value != signal.values[cycle]) runs.push_back({signal.values[cycle], cycle, 0});
    ++runs.back().cycles;
  }
  return runs;
}

class Drawing {
 public:
  explicit Drawing(const TimingDiagram& diagram)
      : left_(widest_name(diagram) * character + 16),
        cycle_width_(std::clamp(widest_value(diagram) * character + 10, least_cycle_width, most_cycle_width)) {
    const std::size_t cycles = diagram.cycles();
    const std::size_t width = std::max(left_ + cycles * cycle_width_, diagram.title.size() * title_character) + 16;
    const std::size_t height = top + (diagram.signals.size() + 1) * row_height + 10;
    svg_.emplace(width, height, diagram.title,
                 "text{font:11px monospace}.t{font:bold 12px sans-serif}.w{fill:none;stroke:#000}"
                 ".b{fill:#e8f0fe;stroke:#000}.x{fill:#ddd;stroke:#999}.g{stroke:#ccc;stroke-dasharray:2}");
    svg_->add(R"(<text class="t" x="8" y="16">{}</text>)", escaped(diagram.title));
    for (std::size_t cycle = 0; cycle <= cycles; ++cycle) {
      svg_->add(R"(<line class="g" x1="{0}" x2="{0}" y1="{1}" y2="{2}"/>)", at(cycle), top, height - 10);
    }
    clock(cycles);
    for (const DiagramSignal& signal : diagram.signals) {
      name(signal.name);
      signal.bit ? bit(signal) : bus(signal);
      ++row_;
    }
  }

  std::string text() && { return std::move(*svg_).text(); }

 private:
  static constexpr unsigned top = 26;

  static std::size_t widest_name(const TimingDiagram& diagram) {
    std::size_t widest = 3;
    for (const DiagramSignal& signal : diagram.signals) widest = std::max(widest, signal.name.size());
    return widest;
  }
  static std::size_t widest_value(const TimingDiagram& diagram) {
    std::size_t widest = 0;
    for (const DiagramSignal& signal : diagram.signals) {
      for (const auto& value : signal.values) widest = std::max(widest, value ? value->size() : 0);
    }
    return widest;
  }
  std::size_t at(std::size_t cycle) const { return left_ + cycle * cycle_width_; }
  std::size_t high() const { return top + row_ * row_height + 4; }
  std::size_t low() const { return high() + wave_height; }

  void name(std::string_view text) { svg_->add(R"(<text x="8" y="{}">{}</text>)", low() - 5, escaped(text)); }

  void clock(std::size_t cycles) {
    name("clk");
    std::string path;
    for (std::size_t cycle = 0; cycle < cycles; ++cycle) {
      path += fmt::format("{}{},{} V{} H{} V{} H{} ", cycle == 0 ? "M" : "L", at(cycle), low(), high(),
                          at(cycle) + cycle_width_ / 2, low(), at(cycle + 1));
    }
    svg_->add(R"(<path class="w" d="{}"/>)", path);
    ++row_;
  }

  void bit(const DiagramSignal& signal) {
    std::string path;
    for (const Run& run : runs_of(signal)) {
      if (!run.value) {
        box("x", run);
        path += fmt::format("M{},{} ", at(run.first + run.cycles), low());
        continue;
      }
      const std::size_t y = *run.value == "1" ? high() : low();
      path +=
          path.empty() ? fmt::format("M{},{} ", at(run.first), y) : fmt::format("L{},{} ", at(run.first) + slope, y);
      path += fmt::format("H{} ", at(run.first + run.cycles));
    }
    svg_->add(R"(<path class="w" d="{}"/>)", path);
  }

  void box(std::string_view style, const Run& run) {
    const std::size_t begin = at(run.first);
    const std::size_t end = at(run.first + run.cycles);
    const std::size_t middle = (high() + low()) / 2;
    svg_->add(R"(<path class="{}" d="M{},{} L{},{} H{} L{},{} L{},{} H{} Z"/>)", style, begin, middle, begin + slope,
              high(), end - slope, end, middle, end - slope, low(), begin + slope);
  }

  void bus(const DiagramSignal& signal) {
    for (const Run& run : runs_of(signal)) {
      box(run.value ? "b" : "x", run);
      if (!run.value) continue;
      const std::size_t room = (run.cycles * cycle_width_ - 2 * slope) / character;
      const std::string shown = run.value->size() <= room ? *run.value : run.value->substr(0, room - 1) + "…";
      svg_->add(R"(<text x="{}" y="{}" text-anchor="middle">{}<title>{}</title></text>)",
                (at(run.first) + at(run.first + run.cycles)) / 2, low() - 5, escaped(shown), escaped(*run.value));
    }
  }

  std::size_t left_;
  std::size_t cycle_width_;
  std::size_t row_ = 0;
  std::optional<Svg> svg_;
};

}  // namespace

std::string wave_json(const TimingDiagram& diagram) {
  std::string text = fmt::format("{{\"signal\": [\n  {{\"name\": \"clk\", \"wave\": \"p{}\"}}",
                                 std::string(diagram.cycles() - 1, '.'));
  for (const DiagramSignal& signal : diagram.signals) {
    std::string wave;
    std::string data;
    for (const Run& run : runs_of(signal)) {
      wave += !run.value ? "x" : signal.bit ? *run.value : "=";
      wave.append(run.cycles - 1, '.');
      if (run.value && !signal.bit) data += fmt::format("{}\"{}\"", data.empty() ? "" : ", ", *run.value);
    }
    text += fmt::format(",\n  {{\"name\": \"{}\", \"wave\": \"{}\"{}}}", signal.name, wave,
                        data.empty() ? "" : fmt::format(", \"data\": [{}]", data));
  }
  return text + fmt::format("\n], \"head\": {{\"text\": \"{}\"}}}}\n", diagram.title);
}

std::string wave_svg(const TimingDiagram& diagram) { return Drawing(diagram).text(); }

}  // namespace reconverge::specification
