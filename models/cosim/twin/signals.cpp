// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/twin/signals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <sstream>
#include <stdexcept>
#include <system_error>

namespace reconverge::twin {

namespace {

[[noreturn]] void fail(int error) {
  throw std::system_error(error, std::generic_category(), "temporary file of signals");
}

/// Inputs and outputs, by the naming of rtl/, except clock and reset, which no model has.
bool is_port(const std::string& name) {
  return (name.ends_with("_i") || name.ends_with("_o")) && name != "clk_i" && name != "rst_ni";
}

}  // namespace

SpooledText::SpooledText() : file_(std::tmpfile(), &std::fclose) {
  if (!file_) fail(errno);
}

void SpooledText::append(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() && error_ == 0) error_ = errno;
}

void SpooledText::rewind() {
  if (error_ != 0) fail(error_);
  if (std::fflush(file_.get()) != 0 || std::fseek(file_.get(), 0, SEEK_SET) != 0) fail(errno);
}

bool SpooledText::next_line(std::string& line) {
  line.clear();
  for (int next = std::getc(file_.get()); next != EOF; next = std::getc(file_.get())) {
    if (next == '\n') return true;
    line += static_cast<char>(next);
  }
  if (std::ferror(file_.get()) != 0) fail(errno);
  return !line.empty();
}

std::vector<DeclaredSignal> declared_signals(std::string_view header) {
  std::vector<DeclaredSignal> signals;
  std::vector<std::string> scopes;
  std::istringstream words{std::string(header)};
  std::string word;
  while (words >> word) {
    if (word == "$scope") {
      words >> word >> scopes.emplace_back();
    } else if (word == "$upscope") {
      scopes.pop_back();
    } else if (word == "$var") {
      DeclaredSignal& signal = signals.emplace_back();
      signal.scopes = scopes;
      words >> word >> signal.width >> signal.code >> signal.name >> word;
      if (word != "$end") signal.range = word;
    }
  }
  return signals;
}

SpooledText& Signals::body(std::string_view kind, const std::string& header) {
  const std::string scope = fmt::format("{}.{}", block_, kind);
  std::size_t others = 0;
  for (const auto& stream : streams_) {
    if (!stream->scope.starts_with(scope)) continue;
    if (stream->header == header) return stream->body;
    ++others;
  }
  auto& made = streams_.emplace_back(std::make_unique<SignalStream>());
  made->scope = others == 0 ? scope : fmt::format("{}_{}", scope, others + 1);
  made->header = header;
  return made->body;
}

PortSignals::PortSignals(Signals& signals, std::string_view header) : signals_(signals) {
  std::string declared;
  for (const DeclaredSignal& signal : declared_signals(header)) {
    if (signal.scopes.size() != 1 || !is_port(signal.name)) continue;
    ports_.emplace(signal.name, Shown{signal.code, std::string(signal.width, 'x'), {}});
    declared += fmt::format("$var wire {} {} {} {} $end\n", signal.width, signal.code, signal.name, signal.range);
  }
  body_ = &signals.body("model", declared + "$enddefinitions $end\n");
}

void PortSignals::set(const Port& port, std::uint64_t value) {
  const auto found = ports_.find(port.name);
  if (found == ports_.end()) throw std::logic_error(fmt::format("the RTL has no port {}", port.name));
  std::string& bits = found->second.value;
  const std::size_t low = port.index * port.width;
  // Like the pins, drops bits beyond the port.
  for (std::size_t bit = low; bit < std::min(low + port.width, bits.size()); ++bit) {
    bits[bits.size() - 1 - bit] = (value >> (bit - low) & 1U) != 0 ? '1' : '0';
  }
}

void PortSignals::write() {
  std::string text = fmt::format("#{}\n", signals_.cycle() * ticks_of_cycle);
  for (auto& [name, port] : ports_) {
    if (port.value != port.before) {
      text += port.value.size() == 1 ? fmt::format("{}{}\n", port.value, port.code)
                                     : fmt::format("b{} {}\n", port.value, port.code);
      port.before = port.value;
    }
    std::ranges::fill(port.value, 'x');
  }
  body_->append(text);
}

}  // namespace reconverge::twin
