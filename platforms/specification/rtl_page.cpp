// SPDX-License-Identifier: Apache-2.0
#include "platforms/specification/rtl_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "platforms/specification/coverage.hpp"
#include "platforms/specification/readme.hpp"
#include "platforms/specification/rtl_module.hpp"
#include "platforms/specification/scenarios/scenarios.hpp"
#include "platforms/specification/source_files.hpp"

namespace reconverge::specification {

namespace {

std::string rtl_folder(std::string_view block) { return fmt::format("rtl/{}/", block); }

/// The modules of a block, its top first, and the modules of rtl/common that it uses.
std::vector<RtlModule> modules_of(std::string_view block) {
  std::vector<RtlModule> modules;
  const std::string folder = rtl_folder(block);
  const auto read = [&](std::string_view path) { modules.push_back(read_rtl(path, *source_text(path))); };
  const std::string top = fmt::format("{}{}.sv", folder, block);
  if (!source_text(top)) return modules;
  read(top);
  for (std::size_t i = 0; i < modules.size(); ++i) {
    const std::vector<std::string> instances = modules[i].instances;  // the vector of modules grows
    for (const std::string& name : instances) {
      if (std::ranges::find(modules, name, &RtlModule::name) != modules.end()) continue;
      for (const std::string& path : {fmt::format("{}{}.sv", folder, name), fmt::format("rtl/common/{}.sv", name)}) {
        if (source_text(path)) read(path);
      }
    }
  }
  return modules;
}

std::string cell(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c;
  }
  return result;
}

std::string sentence(std::string text) {
  if (text.empty()) return text;
  if (text.back() != '.') text += '.';
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

/// The meaning of the ports that every module has.
std::string_view usual(std::string_view port) {
  if (port == "clk_i") return "clock; state changes at its rising edge";
  if (port == "rst_ni") return "reset: asynchronous, active low";
  return {};
}

class Writer {
 public:
  explicit Writer(const RtlModule& module) : module_(module), constants_(module.parameters) {}

  std::string text(bool top) {
    add("### {}\n", module_.name);
    add("{}\n", module_.text);
    parameters();
    ports();
    if (!module_.constants.empty()) encodings();
    if (!module_.registers.empty()) registers();
    if (!module_.instances.empty() && top)
      text_ += fmt::format("It contains {}.\n\n", fmt::join(module_.instances, ", "));
    return std::move(text_);
  }

 private:
  void parameters() {
    add("| parameter | default | description |\n|---|---|---|");
    for (const RtlParameter& parameter : module_.parameters) {
      if (!parameter.local)
        add("| `{}` | {} | {} |", parameter.name, parameter.value, cell(sentence(parameter.comment)));
    }
    text_ += '\n';
  }

  void ports() {
    for (const PortGroup& group : module_.ports) {
      if (group.ports.empty()) continue;
      if (!group.comment.empty()) add("{}\n", sentence(group.comment));
      add("| port | direction | bits | by default | description |\n|---|---|---|--:|---|");
      for (const RtlPort& port : group.ports) {
        const std::string comment = port.comment.empty() ? std::string(usual(port.name)) : port.comment;
        add("| `{}` | {} | {} | {} | {} |", port.name, port.input ? "input" : "output", cell(width_text(port.range)),
            number(constants_.width(port.range)), cell(sentence(comment)));
      }
      text_ += '\n';
    }
  }

  void encodings() {
    add("| encoding | value |\n|---|---|");
    for (const RtlConstant& constant : module_.constants) add("| `{}` | {} |", constant.name, cell(constant.value));
    text_ += '\n';
  }

  void registers() {
    add("| flip-flops | bits | by default | after reset |\n|---|---|--:|---|");
    for (const RtlRegister& one : module_.registers) {
      const auto width = constants_.width(one.range);
      const auto entries = one.entries.empty() ? std::optional<std::uint64_t>(1) : constants_.value(one.entries);
      add("| `{}` | {} | {} | {} |", one.name,
          cell(one.entries.empty() ? width_text(one.range)
                                   : fmt::format("{} entries of {}", one.entries, width_text(one.range))),
          number(width && entries ? std::optional(*width * *entries) : std::nullopt),
          one.reset.empty() ? std::string("undefined") : fmt::format("`{}`", cell(one.reset)));
    }
    text_ += '\n';
  }

  static std::string number(const std::optional<std::uint64_t>& value) {
    return value ? fmt::format("{}", *value) : std::string();
  }

  template <typename... Values>
  void add(fmt::format_string<const Values&...> format, const Values&... values) {
    fmt::format_to(std::back_inserter(text_), format, values...);
    text_ += '\n';
  }

  const RtlModule& module_;
  Constants constants_;
  std::string text_;
};

std::string assertions_text(std::string_view block) {
  const auto source = source_text(fmt::format("{0}assertions/{1}_assertions.sv", rtl_folder(block), block));
  if (!source) return {};
  std::string text =
      "## Assertions\n\nSimulations of the RTL check these properties in every cycle.\n\n| assertion | guards "
      "|\n|---|---|\n";
  for (const RtlAssertion& assertion : read_assertions(*source)) {
    text += fmt::format("| `{}` | {} |\n", assertion.name, cell(sentence(assertion.text)));
  }
  return text + '\n';
}

std::string coverage_text(std::string_view block) {
  const Coverage coverage = coverage_of(block);
  std::string text = fmt::format(
      "## Coverage\n\nThe tests compare RTL and model under random traffic until each of these cases has occurred.\n"
      "The counts are those of {} cycles of the model, fewer than the tests run.\n\n| case | times |\n|---|--:|\n",
      coverage.cycles);
  for (const CoveredCase& one : coverage.cases) text += fmt::format("| {} | {} |\n", cell(one.name), one.count);
  return text + '\n';
}

template <typename Scenarios>
std::vector<TimingDiagram> diagrams_of(const Scenarios& scenarios) {
  std::vector<TimingDiagram> diagrams;
  diagrams.reserve(scenarios.size());
  for (const auto& scenario : scenarios) diagrams.push_back(scenario.diagram());
  return diagrams;
}

}  // namespace

std::vector<TimingDiagram> timing_diagrams(std::string_view block) {
  if (block == "dynamic_ray_shuffling") return diagrams_of(ray_scenarios());
  if (block == "dynamic_microkernel") return diagrams_of(formation_scenarios());
  if (block == "subwarp_interleaving") return diagrams_of(subwarp_scenarios());
  if (block == "benes_network") return diagrams_of(network_scenarios());
  return {};
}

std::vector<std::string> undescribed(std::string_view block) {
  std::vector<std::string> missing;
  for (const RtlModule& module : modules_of(block)) {
    for (const RtlParameter& parameter : module.parameters) {
      if (!parameter.local && parameter.comment.empty())
        missing.push_back(fmt::format("{}: {}", module.name, parameter.name));
    }
    for (const PortGroup& group : module.ports) {
      for (const RtlPort& port : group.ports) {
        if (group.comment.empty() && port.comment.empty() && usual(port.name).empty())
          missing.push_back(fmt::format("{}: {}", module.name, port.name));
      }
    }
  }
  return missing;
}

std::optional<std::string> rtl_page(std::string_view block) {
  const std::vector<RtlModule> modules = modules_of(block);
  if (modules.empty()) return std::nullopt;
  std::string text = "## RTL: ports, parameters and state\n\n";
  for (const RtlModule& module : modules) text += Writer(module).text(&module == &modules.front());
  const auto diagrams = timing_diagrams(block);
  if (!diagrams.empty()) {
    text +=
        "## Timing\n\nThe model of the block made these diagrams, and the RTL gives the same values.\n"
        "Values are hexadecimal. A port with a value for each lane or warp shows one of them.\n\n";
    for (const TimingDiagram& diagram : diagrams)
      text += fmt::format("![{1}]({0}.{2}.svg)\n\n", block, diagram.title, diagram.name);
  }
  text += assertions_text(block);
  text += coverage_text(block);
  const std::string folder = fmt::format("rtl/{}", block);
  if (const auto readme = source_text(folder + "/README.md")) {
    for (const ReadmeSection& section : sections_of(*readme)) {
      text += fmt::format("## {}\n{}\n", section.title.empty() ? "Implementation in RTL" : section.title,
                          for_page(section.text, folder));
    }
  }
  return text;
}

}  // namespace reconverge::specification
