// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Signals of a block for a waveform file. Until the run ends, they are VCD in temporary files: Verilator writes the
/// RTL's signals, PortSignals the model's.

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/core/cycle_window.hpp"
#include "models/cosim/twin/port.hpp"

namespace reconverge::twin {

/// Units of time in a clock cycle. Values before the rising edge have time 0, values after it time 5.
inline constexpr std::uint64_t ticks_of_cycle = 10;

/// Text in a file without a name, which the system removes. All functions except append() throw std::system_error if
/// the text cannot be written or read. Verilator's code calls append() where nothing may be thrown.
class SpooledText {
 public:
  SpooledText();
  void append(std::string_view text);
  /// Throws the first error of append(). Reading then starts at the first line.
  void rewind();
  /// Reads the next line, without its end; false if there is none.
  bool next_line(std::string& line);

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  int error_ = 0;  ///< the first one
};

/// A VCD in two parts.
struct SignalStream {
  std::string scope;   ///< scope of the signals, names with dots between
  std::string header;  ///< up to $enddefinitions
  SpooledText body;
};

/// A signal that a VCD declares.
struct DeclaredSignal {
  std::vector<std::string> scopes;  ///< outermost first
  std::string name;
  std::string range;  ///< "[7:0]"; empty: none
  std::string code;
  unsigned width = 0;
};

/// The signals that a header in Verilator's format declares.
std::vector<DeclaredSignal> declared_signals(std::string_view header);

/// The recorded signals of a block in all launches. The count of its clock cycles continues from launch to launch.
class Signals {
 public:
  /// `block`: its scopes, with dots between. `window`: the clock cycles to record.
  Signals(std::string block, CycleWindow window) : block_(std::move(block)), window_(window) {}

  /// The current clock cycle.
  std::uint64_t cycle() const { return cycle_; }
  bool shown() const { return window_.holds(cycle_); }
  void end_cycle() { ++cycle_; }

  /// The stream for signals of this kind with this header. RTL of another size has other signals and gets another
  /// scope.
  SpooledText& body(std::string_view kind, const std::string& header);
  const std::string& block() const { return block_; }
  std::vector<std::unique_ptr<SignalStream>>& streams() { return streams_; }

 private:
  std::string block_;
  CycleWindow window_;
  std::uint64_t cycle_ = 0;
  std::vector<std::unique_ptr<SignalStream>> streams_;
};

/// The ports of a block with the values of its model. Bits without a value in a cycle are irrelevant and written as x.
class PortSignals {
 public:
  /// `header`: of the RTL; its outermost scope has all ports.
  PortSignals(Signals& signals, std::string_view header);

  /// Sets a value of the current cycle.
  void set(const Port& port, std::uint64_t value);
  /// Writes the cycle; all its values have been set.
  void write();

 private:
  struct Shown {
    std::string code;
    std::string value;   // bits, the highest first
    std::string before;  // value that was written last
  };

  Signals& signals_;
  std::map<std::string, Shown, std::less<>> ports_;
  SpooledText* body_;
};

}  // namespace reconverge::twin
