#pragma once
/// Signals of a block before they are written to a waveform file. Until the run has ended they are text in temporary
/// files: VCD, as Verilator writes it for the RTL, and as PortSignals writes it for a model.

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/core/cycle_window.hpp"
#include "models/twin/port.hpp"

namespace reconverge::twin {

/// Units of time in a clock cycle: signals have their values before the clock rises at 0 and after it at 5.
inline constexpr std::uint64_t ticks_of_cycle = 10;

/// Text in a file without a name, which the system removes. Throws std::system_error for write and read errors, but not
/// during a write: Verilator calls it from code where nothing may be thrown.
class SpooledText {
 public:
  SpooledText();
  void append(std::string_view text);
  /// Throws earlier errors. After it, lines are read from the first on.
  void rewind();
  /// The next line without its end; false when there is none.
  bool next_line(std::string& line);

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  int error_ = 0;  ///< the first one
};

/// A VCD in two parts.
struct SignalStream {
  std::string scope;   ///< scope of its signals, names separated by dots
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

/// The signals of a block, launch after launch. Its clock cycles are counted through all launches.
class Signals {
 public:
  /// `block`: its scopes, separated by dots. `window`: in its clock cycles.
  Signals(std::string block, CycleWindow window) : block_(std::move(block)), window_(window) {}

  /// The current clock cycle.
  std::uint64_t cycle() const { return cycle_; }
  bool shown() const { return window_.holds(cycle_); }
  void end_cycle() { ++cycle_; }

  /// The text for signals of that kind that this header declares. RTL of another size has other signals, and a separate
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

/// The ports of a block as its model has them. Values that it does not set are x: they do not matter.
class PortSignals {
 public:
  /// `header`: of the RTL, whose outermost scope has all ports.
  PortSignals(Signals& signals, std::string_view header);

  /// Sets a value of the current cycle.
  void set(const Port& port, std::uint64_t value);
  /// Call it when all values of the cycle have been set.
  void write();

 private:
  struct Shown {
    std::string code;
    std::string value;   // bits, highest first
    std::string before;  // value that was written last
  };

  Signals& signals_;
  std::map<std::string, Shown, std::less<>> ports_;
  SpooledText* body_;
};

}  // namespace reconverge::twin
