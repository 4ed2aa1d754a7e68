// SPDX-License-Identifier: Apache-2.0
// Streams and events. Every call completes before it returns, so all streams are always idle, and every order that a
// program requests already holds. Time is the time of the simulated GPU.

#include <memory>
#include <optional>
#include <set>

#include "platforms/cuda/runtime/api.hpp"

struct CUstream_st {
  unsigned flags = 0;
  int priority = 0;
};

struct CUevent_st {
  unsigned flags = 0;
  std::optional<double> seconds;  // when it was recorded
};

namespace reconverge::cuda {

namespace {

struct Handles {
  std::set<cudaStream_t> streams;
  std::set<cudaEvent_t> events;
};

Handles& handles() {
  static Handles& known = *std::make_unique<Handles>().release();
  return known;
}

/// The null stream and CUDA's two constants are streams, too.
void check(cudaStream_t stream) {
  require(reinterpret_cast<std::uintptr_t>(stream) <= 2 || handles().streams.contains(stream),
          cudaErrorInvalidResourceHandle);
}

void check(cudaEvent_t event) { require(handles().events.contains(event), cudaErrorInvalidResourceHandle); }

cudaError_t create_stream(cudaStream_t* stream, unsigned flags, int priority) {
  return call([&](Process&) {
    require(stream != nullptr && (flags & ~static_cast<unsigned>(cudaStreamNonBlocking)) == 0);
    *stream = std::make_unique<CUstream_st>(CUstream_st{flags, priority}).release();
    handles().streams.insert(*stream);
  });
}

}  // namespace

extern "C" {

cudaError_t RECONVERGE_CUDA(cudaStreamCreate)(cudaStream_t* stream) { return create_stream(stream, 0, 0); }

cudaError_t RECONVERGE_CUDA(cudaStreamCreateWithFlags)(cudaStream_t* stream, unsigned flags) {
  return create_stream(stream, flags, 0);
}

cudaError_t RECONVERGE_CUDA(cudaStreamCreateWithPriority)(cudaStream_t* stream, unsigned flags, int priority) {
  return create_stream(stream, flags, priority);
}

cudaError_t RECONVERGE_CUDA(cudaStreamDestroy)(cudaStream_t stream) {
  return call([&](Process&) {
    require(handles().streams.erase(stream) == 1, cudaErrorInvalidResourceHandle);
    const std::unique_ptr<CUstream_st> owned(stream);
  });
}

cudaError_t RECONVERGE_CUDA(cudaStreamSynchronize)(cudaStream_t stream) {
  return call([&](Process&) { check(stream); });
}

cudaError_t RECONVERGE_CUDA(cudaStreamQuery)(cudaStream_t stream) {
  return call([&](Process&) { check(stream); });
}

cudaError_t RECONVERGE_CUDA(cudaStreamWaitEvent)(cudaStream_t stream, cudaEvent_t event, unsigned /*flags*/) {
  return call([&](Process&) {
    check(stream);
    check(event);
  });
}

cudaError_t RECONVERGE_CUDA(cudaStreamGetFlags)(cudaStream_t stream, unsigned* flags) {
  return call([&](Process&) {
    check(stream);
    require(flags != nullptr);
    *flags = reinterpret_cast<std::uintptr_t>(stream) <= 2 ? 0 : stream->flags;
  });
}

cudaError_t RECONVERGE_CUDA(cudaStreamGetPriority)(cudaStream_t stream, int* priority) {
  return call([&](Process&) {
    check(stream);
    require(priority != nullptr);
    *priority = reinterpret_cast<std::uintptr_t>(stream) <= 2 ? 0 : stream->priority;
  });
}

cudaError_t RECONVERGE_CUDA(cudaDeviceGetStreamPriorityRange)(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = 0;
  return cudaSuccess;
}

cudaError_t RECONVERGE_CUDA(cudaStreamAttachMemAsync)(cudaStream_t stream, void* /*address*/, std::size_t /*bytes*/,
                                                      unsigned /*flags*/) {
  return call([&](Process&) { check(stream); });
}

/// All earlier work of the stream is complete, so the function runs immediately.
cudaError_t RECONVERGE_CUDA(cudaLaunchHostFunc)(cudaStream_t stream, cudaHostFn_t function, void* data) {
  const cudaError_t code = call([&](Process&) {
    check(stream);
    require(function != nullptr);
  });
  if (code == cudaSuccess) function(data);
  return code;
}

cudaError_t RECONVERGE_CUDA(cudaStreamAddCallback)(cudaStream_t stream, cudaStreamCallback_t function, void* data,
                                                   unsigned flags) {
  const cudaError_t code = call([&](Process&) {
    check(stream);
    require(function != nullptr && flags == 0);
  });
  if (code == cudaSuccess) function(stream, cudaSuccess, data);
  return code;
}

cudaError_t RECONVERGE_CUDA(cudaEventCreateWithFlags)(cudaEvent_t* event, unsigned flags) {
  return call([&](Process&) {
    constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming;
    require(event != nullptr);
    require((flags & ~known) == 0, cudaErrorNotSupported);
    *event = std::make_unique<CUevent_st>(CUevent_st{flags, {}}).release();
    handles().events.insert(*event);
  });
}

cudaError_t RECONVERGE_CUDA(cudaEventCreate)(cudaEvent_t* event) {
  return RECONVERGE_CUDA(cudaEventCreateWithFlags)(event, cudaEventDefault);
}

cudaError_t RECONVERGE_CUDA(cudaEventDestroy)(cudaEvent_t event) {
  return call([&](Process&) {
    require(handles().events.erase(event) == 1, cudaErrorInvalidResourceHandle);
    const std::unique_ptr<CUevent_st> owned(event);
  });
}

cudaError_t RECONVERGE_CUDA(cudaEventRecord)(cudaEvent_t event, cudaStream_t stream) {
  return call([&](Process& state) {
    check(event);
    check(stream);
    event->seconds = state.device().now();
  });
}

cudaError_t RECONVERGE_CUDA(cudaEventRecordWithFlags)(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return flags == cudaEventRecordDefault ? RECONVERGE_CUDA(cudaEventRecord)(event, stream)
                                         : note(cudaErrorNotSupported);
}

cudaError_t RECONVERGE_CUDA(cudaEventSynchronize)(cudaEvent_t event) {
  return call([&](Process&) { check(event); });
}

cudaError_t RECONVERGE_CUDA(cudaEventQuery)(cudaEvent_t event) {
  return call([&](Process&) { check(event); });
}

cudaError_t RECONVERGE_CUDA(cudaEventElapsedTime)(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  return call([&](Process&) {
    check(from);
    check(to);
    require(milliseconds != nullptr);
    require(from->seconds && to->seconds && ((from->flags | to->flags) & cudaEventDisableTiming) == 0,
            cudaErrorInvalidResourceHandle);
    *milliseconds = static_cast<float>((*to->seconds - *from->seconds) * 1000);
  });
}

}  // extern "C"

}  // namespace reconverge::cuda
