#include "platforms/cli/recordings.hpp"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

#include "models/core/error.hpp"
#include "platforms/report/output_folder.hpp"

namespace reconverge::cli {

CycleWindow read_window(const std::string& option, const std::string& text) {
  const auto refuse = [&]() -> InputError {
    return {{}, fmt::format("{}: '{}' is no window of cycles", option, text), "give the first and the last, as 0:9999"};
  };
  CycleWindow window;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, window.first);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != ':') throw refuse();
  const auto last = std::from_chars(first.ptr + 1, end, window.last);
  if (last.ec != std::errc() || last.ptr != end || window.last < window.first) throw refuse();
  return window;
}

Recordings::Recordings(const RecordingOptions& options) : options_(options) {
  if (options.wave.empty()) return;
  if (!twin::can_write_waves()) {
    throw InputError({}, "--wave: this build has no RTL and no writer of waveforms",
                     "install Verilator and zlib (apt-get install verilator zlib1g-dev), and build again");
  }
  waves_ = std::make_unique<twin::Waves>(options.wave_window);
}

PrepareMachine Recordings::prepare() {
  if (!waves_) return {};
  return [this](Machine& /*machine*/) {
    if (waves_->connect() != 0) return;
    throw InputError({}, "--wave: no block of this machine is in RTL, and models alone have no signals",
                     "set `implementation` of a block to lockstep, as in --set "
                     "gpu.sm.dynamic_ray_shuffling.implementation=lockstep");
  };
}

void Recordings::write() {
  if (!waves_) return;
  std::string bytes;
  try {
    bytes = waves_->fst();
  } catch (const ExecutionError& error) {
    throw report::OutputError(options_.wave, error.what());
  } catch (const std::system_error& error) {
    throw report::OutputError(options_.wave, error.what());
  }
  report::write_file(options_.wave, bytes);
}

}  // namespace reconverge::cli
