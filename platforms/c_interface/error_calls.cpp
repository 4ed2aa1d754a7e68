// SPDX-License-Identifier: Apache-2.0
// Versions, errors and progress.

#include "platforms/c_interface/handles.hpp"
#include "platforms/report/build_info.hpp"

using reconverge::embedding::HostFailure;

// SystemC's library refers to it; nothing calls it.
extern "C" RECONVERGE_API int sc_main(int /*argc*/, char** /*argv*/) { return 0; }

int reconverge_interface() { return RECONVERGE_INTERFACE; }

const char* reconverge_version() {
  static const std::string version(reconverge::report::build_info().version);
  return version.c_str();
}

reconverge_status reconverge_error_status(const reconverge_error* error) {
  if (error == nullptr) return RECONVERGE_OK;
  switch (error->failure.kind) {
    case HostFailure::Kind::input:
      return RECONVERGE_BAD_INPUT;
    case HostFailure::Kind::execution:
      return RECONVERGE_EXECUTION_FAILED;
    case HostFailure::Kind::output:
      return RECONVERGE_OUTPUT_FAILED;
    case HostFailure::Kind::interrupted:
      return RECONVERGE_INTERRUPTED;
    case HostFailure::Kind::internal:
      break;
  }
  return RECONVERGE_INTERNAL_ERROR;
}

const char* reconverge_error_message(const reconverge_error* error) {
  return error == nullptr ? "" : error->failure.message.c_str();
}

const char* reconverge_error_file(const reconverge_error* error) {
  return error == nullptr ? "" : error->failure.location.file.c_str();
}

unsigned reconverge_error_line(const reconverge_error* error) {
  return error == nullptr ? 0 : error->failure.location.line;
}

unsigned reconverge_error_column(const reconverge_error* error) {
  return error == nullptr ? 0 : error->failure.location.column;
}

const char* reconverge_error_hint(const reconverge_error* error) {
  return error == nullptr ? "" : error->failure.hint.c_str();
}

void reconverge_error_free(reconverge_error* error) { delete error; }

namespace reconverge::c_interface {

KeepRunning keep_running(reconverge_progress_function progress, void* data) {
  if (progress == nullptr) return {};
  return [progress, data](const RunProgress& from) {
    const std::string part(from.part);
    const reconverge_progress now{
        part.c_str(),           from.done, from.all, from.cycles, from.unit == RunProgress::Unit::rays ? 1 : 0,
        from.share.value_or(-1)};
    return progress(&now, data) != 0;
  };
}

}  // namespace reconverge::c_interface
