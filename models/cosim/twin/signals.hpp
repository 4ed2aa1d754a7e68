// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The recorded signals of a block, before they are converted to a waveform file at the end of the run. They are stored
/// as VCD in temporary files; Verilator writes the VCD of RTL, and PortSignals that of a model.

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

/// Time units in a clock cycle. Signals are recorded before the rising clock edge, at 0, and after it, at 5.
inline constexpr std::uint64_t ticks_of_cycle = 10;

/// Text in an unnamed temporary file, which the system removes. Throws std::system_error if writing or reading failed.
/// append() itself never throws, because Verilator calls it from code that does not allow exceptions.
class SpooledText {
 public:
  SpooledText();
  void append(std::string_view text);
  /// Reports earlier write errors, and starts reading at the first line.
  void rewind();
  /// Reads the next line, without its line end. Returns false at the end of the text.
  bool next_line(std::string& line);

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  int error_ = 0;  ///< the first error
};

/// A VCD: its header and its body.
struct SignalStream {
  std::string scope;   ///< the scope of all its signals; names separated by dots
  std::string header;  ///< up to and including $enddefinitions
  SpooledText body;
};

/// A declaration of a signal in a VCD.
struct DeclaredSignal {
  std::vector<std::string> scopes;  ///< outermost first
  std::string name;
  std::string range;  ///< "[7:0]"; empty: none
  std::string code;
  unsigned width = 0;
};

/// The declarations in a header written by Verilator.
std::vector<DeclaredSignal> declared_signals(std::string_view header);

/// The recorded signals of a block. The count of clock cycles continues from one launch to the next.
class Signals {
 public:
  /// `block`: its scopes, separated by dots. `window`: the clock cycles to record.
  Signals(std::string block, CycleWindow window) : block_(std::move(block)), window_(window) {}

  /// The current clock cycle.
  std::uint64_t cycle() const { return cycle_; }
  bool shown() const { return window_.holds(cycle_); }
  void end_cycle() { ++cycle_; }

  /// The VCD body for signals of this kind with this header. RTL of another size has other signals, and therefore a
  /// separate scope.
  SpooledText& body(std::string_view kind, const std::string& header);
  const std::string& block() const { return block_; }
  std::vector<std::unique_ptr<SignalStream>>& streams() { return streams_; }

 private:
  std::string block_;
  CycleWindow window_;
  std::uint64_t cycle_ = 0;
  std::vector<std::unique_ptr<SignalStream>> streams_;
};

/// Records the model's values at a block's ports. Values that the model leaves undefined are x.
class PortSignals {
 public:
  /// `header`: VCD header of the RTL; its outermost scope declares all ports.
  PortSignals(Signals& signals, std::string_view header);

  /// Sets a value of the current cycle.
  void set(const Port& port, std::uint64_t value);
  /// Writes the values of the current cycle.
  void write();

 private:
  struct Shown {
    std::string code;
    std::string value;   // bits, highest first
    std::string before;  // the value written last
  };

  Signals& signals_;
  std::map<std::string, Shown, std::less<>> ports_;
  SpooledText* body_;
};

}  // namespace reconverge::twin
