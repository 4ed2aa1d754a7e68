// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Signals of a block on their way into a waveform file. Until the run has ended they are text in temporary files: VCD,
/// as Verilator writes it of the RTL, and as PortSignals writes it of a model.

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

/// Units of time in a clock cycle: signals stand before the clock rises at 0 and after it at 5.
inline constexpr std::uint64_t ticks_of_cycle = 10;

/// Text in a file without a name, which the system removes. Throws std::system_error for what cannot be written or
/// read, but not while it is written: Verilator's code calls from where nothing may be thrown.
class SpooledText {
 public:
  SpooledText();
  void append(std::string_view text);
  /// Throws what went wrong before. From now on lines are read, from the first on.
  void rewind();
  /// The next line without its end; false when there is none.
  bool next_line(std::string& line);

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  int error_ = 0;  ///< the first one
};

/// A VCD in two parts.
struct SignalStream {
  std::string scope;   ///< what its signals are below, names with dots between
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

/// The signals of a header, as Verilator writes it.
std::vector<DeclaredSignal> declared_signals(std::string_view header);

/// What a block shows, launch after launch. Its clock cycles are counted on.
class Signals {
 public:
  /// `block`: its scopes, with dots between. `window`: of its clock cycles.
  Signals(std::string block, CycleWindow window) : block_(std::move(block)), window_(window) {}

  /// The clock cycle that is under way.
  std::uint64_t cycle() const { return cycle_; }
  bool shown() const { return window_.holds(cycle_); }
  void end_cycle() { ++cycle_; }

  /// Where signals of that kind go that this header declares. RTL of another size has other signals, and a scope of its
  /// own.
  SpooledText& body(std::string_view kind, const std::string& header);
  const std::string& block() const { return block_; }
  std::vector<std::unique_ptr<SignalStream>>& streams() { return streams_; }

 private:
  std::string block_;
  CycleWindow window_;
  std::uint64_t cycle_ = 0;
  std::vector<std::unique_ptr<SignalStream>> streams_;
};

/// The ports of a block as its model has them. What it does not say is x: it does not matter.
class PortSignals {
 public:
  /// `header`: of the RTL, whose outermost scope has all ports.
  PortSignals(Signals& signals, std::string_view header);

  /// A value of the cycle that is under way.
  void set(const Port& port, std::uint64_t value);
  /// All values of the cycle have been set.
  void write();

 private:
  struct Shown {
    std::string code;
    std::string value;   // bits, the highest first
    std::string before;  // that was written last
  };

  Signals& signals_;
  std::map<std::string, Shown, std::less<>> ports_;
  SpooledText* body_;
};

}  // namespace reconverge::twin
