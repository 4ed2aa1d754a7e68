// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Verilator's streams of states and waveforms, in memory.

#if defined(SYSTEMC_VERSION) && !defined(VERILATOR_VERILATED_H_)
#error "Verilator's headers behind SystemC's take its time for theirs: include them first"
#endif

#include <verilated.h>
#include <verilated_save.h>
#include <verilated_vcd_c.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include "models/cosim/twin/rtl.hpp"

namespace reconverge::twin {

class SavingStream final : public VerilatedSerialize {
 public:
  explicit SavingStream(RtlState& state) : state_(state) { m_isOpen = true; }
  void flush() override {
    state_.insert(state_.end(), m_bufp, m_cp);
    m_cp = m_bufp;
  }

 private:
  RtlState& state_;
};

class RestoringStream final : public VerilatedDeserialize {
 public:
  explicit RestoringStream(const RtlState& state) : left_(state) {
    m_isOpen = true;
    m_endp = m_bufp;
  }
  void fill() override {
    const auto rest = static_cast<std::size_t>(m_endp - m_cp);
    std::memmove(m_bufp, m_cp, rest);
    const std::size_t more = std::min(left_.size(), bufferSize() - rest);
    std::memcpy(m_bufp + rest, left_.data(), more);
    left_ = left_.subspan(more);
    m_cp = m_bufp;
    m_endp = m_bufp + rest + more;
  }

 private:
  std::span<const std::uint8_t> left_;
};

class WaveformText final : public VerilatedVcdFile {
 public:
  bool open(const std::string& /*name*/) override { return true; }
  void close() override {}
  ssize_t write(const char* bytes, ssize_t count) override {
    text_.append(bytes, static_cast<std::size_t>(count));
    return count;
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

/// Separates the header of a VCD from its body, which it passes to `signals`.
class SignalFile final : public VerilatedVcdFile {
 public:
  explicit SignalFile(Signals& signals) : signals_(signals) {}

  bool open(const std::string& /*name*/) override { return true; }
  void close() override {}
  ssize_t write(const char* bytes, ssize_t count) override {
    const std::string_view text(bytes, static_cast<std::size_t>(count));
    if (body_ != nullptr) {
      body_->append(text);
      return count;
    }
    header_ += text;
    constexpr std::string_view end_of_header = "$enddefinitions $end\n";
    const std::size_t end = header_.find(end_of_header);
    if (end == std::string::npos) return count;
    const std::string rest = header_.substr(end + end_of_header.size());
    header_.resize(end + end_of_header.size());
    body_ = &signals_.body("rtl", header_);
    body_->append(rest);
    return count;
  }
  /// Complete after the trace was opened and flushed.
  const std::string& header() const { return header_; }

 private:
  Signals& signals_;
  std::string header_;
  SpooledText* body_ = nullptr;
};

}  // namespace reconverge::twin
