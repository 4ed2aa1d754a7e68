// SPDX-License-Identifier: Apache-2.0
// Error codes: the last one of each thread, and their names and texts, which programs print.

#include <algorithm>
#include <array>

#include "platforms/cuda/runtime/api.hpp"

namespace reconverge::cuda {

namespace {

struct ErrorText {
  int code = 0;
  const char* name = nullptr;
  const char* text = nullptr;
};

constexpr const char* unknown_code = "unrecognized error code";

// As cudaGetErrorName and cudaGetErrorString of CUDA 13 give them, in the order of the codes.
constexpr std::array error_texts = {
    ErrorText{0, "cudaSuccess", "no error"},
    ErrorText{1, "cudaErrorInvalidValue", "invalid argument"},
    ErrorText{2, "cudaErrorMemoryAllocation", "out of memory"},
    ErrorText{3, "cudaErrorInitializationError", "initialization error"},
    ErrorText{4, "cudaErrorCudartUnloading", "driver shutting down"},
    ErrorText{5, "cudaErrorProfilerDisabled", "profiler disabled while using external profiling tool"},
    ErrorText{6, "cudaErrorProfilerNotInitialized", "profiler not initialized: call cudaProfilerInitialize()"},
    ErrorText{7, "cudaErrorProfilerAlreadyStarted", "profiler already started"},
    ErrorText{8, "cudaErrorProfilerAlreadyStopped", "profiler already stopped"},
    ErrorText{9, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    ErrorText{12, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    ErrorText{13, "cudaErrorInvalidSymbol", "invalid device symbol"},
    ErrorText{16, "cudaErrorInvalidHostPointer", "invalid host pointer"},
    ErrorText{17, "cudaErrorInvalidDevicePointer", "invalid device pointer"},
    ErrorText{18, "cudaErrorInvalidTexture", "invalid texture reference"},
    ErrorText{19, "cudaErrorInvalidTextureBinding", "texture is not bound to a pointer"},
    ErrorText{20, "cudaErrorInvalidChannelDescriptor", "invalid channel descriptor"},
    ErrorText{21, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    ErrorText{22, "cudaErrorAddressOfConstant", "invalid address of constant"},
    ErrorText{23, "cudaErrorTextureFetchFailed", "fetch from texture failed"},
    ErrorText{24, "cudaErrorTextureNotBound", "cannot fetch from a texture that is not bound"},
    ErrorText{25, "cudaErrorSynchronizationError", "incorrect use of __syncthreads()"},
    ErrorText{26, "cudaErrorInvalidFilterSetting", "linear filtering not supported for non-float type"},
    ErrorText{27, "cudaErrorInvalidNormSetting", "read as normalized float not supported for data type"},
    ErrorText{28, "cudaErrorMixedDeviceExecution", "device emulation mode and device execution mode cannot be mixed"},
    ErrorText{31, "cudaErrorNotYetImplemented", "feature not yet implemented"},
    ErrorText{32, "cudaErrorMemoryValueTooLarge", "memory size or pointer value too large to fit in 32 bit"},
    ErrorText{34, "cudaErrorStubLibrary", "CUDA driver is a stub library"},
    ErrorText{35, "cudaErrorInsufficientDriver", "CUDA driver version is insufficient for CUDA runtime version"},
    ErrorText{36, "cudaErrorCallRequiresNewerDriver", "API call is not supported in the installed CUDA driver"},
    ErrorText{37, "cudaErrorInvalidSurface", "invalid surface reference"},
    ErrorText{43, "cudaErrorDuplicateVariableName", "duplicate global variable looked up by string name"},
    ErrorText{44, "cudaErrorDuplicateTextureName", "duplicate texture looked up by string name"},
    ErrorText{45, "cudaErrorDuplicateSurfaceName", "duplicate surface looked up by string name"},
    ErrorText{46, "cudaErrorDevicesUnavailable", "CUDA-capable device(s) is/are busy or unavailable"},
    ErrorText{49, "cudaErrorIncompatibleDriverContext", "incompatible driver context"},
    ErrorText{52, "cudaErrorMissingConfiguration", "__global__ function call is not configured"},
    ErrorText{53, "cudaErrorPriorLaunchFailure", "unspecified launch failure in prior launch"},
    ErrorText{65, "cudaErrorLaunchMaxDepthExceeded", "launch would exceed maximum depth of nested launches"},
    ErrorText{66, "cudaErrorLaunchFileScopedTex",
              "launch failed because kernel uses unsupported, file-scoped textures (texture objects are supported)"},
    ErrorText{67, "cudaErrorLaunchFileScopedSurf",
              "launch failed because kernel uses unsupported, file-scoped surfaces (surface objects are supported)"},
    ErrorText{68, "cudaErrorSyncDepthExceeded",
              "cudaDeviceSynchronize failed because caller's grid depth exceeds cudaLimitDevRuntimeSyncDepth"},
    ErrorText{69, "cudaErrorLaunchPendingCountExceeded",
              "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount"},
    ErrorText{98, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    ErrorText{100, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    ErrorText{101, "cudaErrorInvalidDevice", "invalid device ordinal"},
    ErrorText{102, "cudaErrorDeviceNotLicensed", "device doesn't have valid Grid license"},
    ErrorText{103, "cudaErrorSoftwareValidityNotEstablished", "integrity checks failed"},
    ErrorText{127, "cudaErrorStartupFailure", "startup failure in cuda runtime"},
    ErrorText{200, "cudaErrorInvalidKernelImage", "device kernel image is invalid"},
    ErrorText{201, "cudaErrorDeviceUninitialized", "invalid device context"},
    ErrorText{205, "cudaErrorMapBufferObjectFailed", "mapping of buffer object failed"},
    ErrorText{206, "cudaErrorUnmapBufferObjectFailed", "unmapping of buffer object failed"},
    ErrorText{207, "cudaErrorArrayIsMapped", "array is mapped"},
    ErrorText{208, "cudaErrorAlreadyMapped", "resource already mapped"},
    ErrorText{209, "cudaErrorNoKernelImageForDevice", "no kernel image is available for execution on the device"},
    ErrorText{210, "cudaErrorAlreadyAcquired", "resource already acquired"},
    ErrorText{211, "cudaErrorNotMapped", "resource not mapped"},
    ErrorText{212, "cudaErrorNotMappedAsArray", "resource not mapped as array"},
    ErrorText{213, "cudaErrorNotMappedAsPointer", "resource not mapped as pointer"},
    ErrorText{214, "cudaErrorECCUncorrectable", "uncorrectable ECC error encountered"},
    ErrorText{215, "cudaErrorUnsupportedLimit", "limit is not supported on this architecture"},
    ErrorText{216, "cudaErrorDeviceAlreadyInUse", "exclusive-thread device already in use by a different thread"},
    ErrorText{217, "cudaErrorPeerAccessUnsupported", "peer access is not supported between these two devices"},
    ErrorText{218, "cudaErrorInvalidPtx", "a PTX JIT compilation failed"},
    ErrorText{219, "cudaErrorInvalidGraphicsContext", "invalid OpenGL or DirectX context"},
    ErrorText{220, "cudaErrorNvlinkUncorrectable", "uncorrectable NVLink error detected during the execution"},
    ErrorText{221, "cudaErrorJitCompilerNotFound", "PTX JIT compiler library not found"},
    ErrorText{222, "cudaErrorUnsupportedPtxVersion", "the provided PTX was compiled with an unsupported toolchain."},
    ErrorText{223, "cudaErrorJitCompilationDisabled", "PTX JIT compilation was disabled"},
    ErrorText{224, "cudaErrorUnsupportedExecAffinity", "the provided execution affinity is not supported"},
    ErrorText{225, "cudaErrorUnsupportedDevSideSync",
              "the provided PTX contains unsupported call to cudaDeviceSynchronize"},
    ErrorText{226, "cudaErrorContained", "Invalid access of peer GPU memory over nvlink or a hardware error"},
    ErrorText{300, "cudaErrorInvalidSource", "device kernel image is invalid"},
    ErrorText{301, "cudaErrorFileNotFound", "file not found"},
    ErrorText{302, "cudaErrorSharedObjectSymbolNotFound", "shared object symbol not found"},
    ErrorText{303, "cudaErrorSharedObjectInitFailed", "shared object initialization failed"},
    ErrorText{304, "cudaErrorOperatingSystem", "OS call failed or operation not supported on this OS"},
    ErrorText{400, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    ErrorText{401, "cudaErrorIllegalState", "the operation cannot be performed in the present state"},
    ErrorText{402, "cudaErrorLossyQuery", "attempted introspection would be semantically lossy"},
    ErrorText{500, "cudaErrorSymbolNotFound", "named symbol not found"},
    ErrorText{600, "cudaErrorNotReady", "device not ready"},
    ErrorText{700, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    ErrorText{701, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    ErrorText{702, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    ErrorText{703, "cudaErrorLaunchIncompatibleTexturing", "launch uses incompatible texturing mode"},
    ErrorText{704, "cudaErrorPeerAccessAlreadyEnabled", "peer access is already enabled"},
    ErrorText{705, "cudaErrorPeerAccessNotEnabled", "peer access has not been enabled"},
    ErrorText{708, "cudaErrorSetOnActiveProcess", "cannot set while device is active in this process"},
    ErrorText{709, "cudaErrorContextIsDestroyed", "context is destroyed"},
    ErrorText{710, "cudaErrorAssert", "device-side assert triggered"},
    ErrorText{711, "cudaErrorTooManyPeers", "peer mapping resources exhausted"},
    ErrorText{712, "cudaErrorHostMemoryAlreadyRegistered",
              "part or all of the requested memory range is already mapped"},
    ErrorText{713, "cudaErrorHostMemoryNotRegistered", "pointer does not correspond to a registered memory region"},
    ErrorText{714, "cudaErrorHardwareStackError", "hardware stack error"},
    ErrorText{715, "cudaErrorIllegalInstruction", "an illegal instruction was encountered"},
    ErrorText{716, "cudaErrorMisalignedAddress", "misaligned address"},
    ErrorText{717, "cudaErrorInvalidAddressSpace", "operation not supported on global/shared address space"},
    ErrorText{718, "cudaErrorInvalidPc", "invalid program counter"},
    ErrorText{719, "cudaErrorLaunchFailure", "unspecified launch failure"},
    ErrorText{720, "cudaErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch"},
    ErrorText{721, "cudaErrorTensorMemoryLeak", "tensor memory not completely freed"},
    ErrorText{800, "cudaErrorNotPermitted", "operation not permitted"},
    ErrorText{801, "cudaErrorNotSupported", "operation not supported"},
    ErrorText{802, "cudaErrorSystemNotReady", "system not yet initialized"},
    ErrorText{803, "cudaErrorSystemDriverMismatch", "system has unsupported display driver / cuda driver combination"},
    ErrorText{804, "cudaErrorCompatNotSupportedOnDevice", "forward compatibility was attempted on non supported HW"},
    ErrorText{805, "cudaErrorMpsConnectionFailed",
              "MPS client failed to connect to the MPS control daemon or the MPS server"},
    ErrorText{806, "cudaErrorMpsRpcFailure",
              "the remote procedural call between the MPS server and the MPS client failed"},
    ErrorText{807, "cudaErrorMpsServerNotReady", "MPS server is not ready to accept new MPS client requests"},
    ErrorText{808, "cudaErrorMpsMaxClientsReached",
              "the hardware resources required to create MPS client have been exhausted"},
    ErrorText{809, "cudaErrorMpsMaxConnectionsReached",
              "the hardware resources required to support device connections have been exhausted"},
    ErrorText{810, "cudaErrorMpsClientTerminated", "the MPS client has been terminated by the server"},
    ErrorText{811, "cudaErrorCdpNotSupported",
              "is using CUDA Dynamic Parallelism, but the current configuration, like MPS, does not support it"},
    ErrorText{812, "cudaErrorCdpVersionMismatch",
              "unsupported interaction between different versions of CUDA Dynamic Parallelism"},
    ErrorText{900, "cudaErrorStreamCaptureUnsupported", "operation not permitted when stream is capturing"},
    ErrorText{901, "cudaErrorStreamCaptureInvalidated", "operation failed due to a previous error during capture"},
    ErrorText{902, "cudaErrorStreamCaptureMerge", "operation would result in a merge of separate capture sequences"},
    ErrorText{903, "cudaErrorStreamCaptureUnmatched", "capture was not ended in the same stream as it began"},
    ErrorText{904, "cudaErrorStreamCaptureUnjoined", "capturing stream has unjoined work"},
    ErrorText{905, "cudaErrorStreamCaptureIsolation", "dependency created on uncaptured work in another stream"},
    ErrorText{906, "cudaErrorStreamCaptureImplicit",
              "operation would make the legacy stream depend on a capturing blocking stream"},
    ErrorText{907, "cudaErrorCapturedEvent", "operation not permitted on an event last recorded in a capturing stream"},
    ErrorText{908, "cudaErrorStreamCaptureWrongThread",
              "attempt to terminate a thread-local capture sequence from another thread"},
    ErrorText{909, "cudaErrorTimeout", "wait operation timed out"},
    ErrorText{910, "cudaErrorGraphExecUpdateFailure",
              "the graph update was not performed because it included changes which violated constraints specific to "
              "instantiated graph update"},
    ErrorText{911, "cudaErrorExternalDevice", "an async error has occured in external entity outside of CUDA"},
    ErrorText{912, "cudaErrorInvalidClusterSize", "a kernel launch error has occurred due to cluster misconfiguration"},
    ErrorText{913, "cudaErrorFunctionNotLoaded",
              "the function handle is not loaded when calling an API that requires a loaded function"},
    ErrorText{914, "cudaErrorInvalidResourceType",
              "one or more resources passed in are not valid resource types for the operation"},
    ErrorText{915, "cudaErrorInvalidResourceConfiguration",
              "one or more resources are insufficient or non-applicable for the operation"},
    ErrorText{999, "cudaErrorUnknown", "unknown error"},
};

const ErrorText* find(cudaError_t code) {
  const auto known = std::ranges::lower_bound(error_texts, static_cast<int>(code), {}, &ErrorText::code);
  return known != error_texts.end() && known->code == static_cast<int>(code) ? known : nullptr;
}

}  // namespace

extern "C" {

cudaError_t RECONVERGE_CUDA(cudaGetLastError)() { return last_error(true); }

cudaError_t RECONVERGE_CUDA(cudaPeekAtLastError)() { return last_error(false); }

const char* RECONVERGE_CUDA(cudaGetErrorName)(cudaError_t code) {
  const ErrorText* const known = find(code);
  return known == nullptr ? unknown_code : known->name;
}

const char* RECONVERGE_CUDA(cudaGetErrorString)(cudaError_t code) {
  const ErrorText* const known = find(code);
  return known == nullptr ? unknown_code : known->text;
}

}  // extern "C"

}  // namespace reconverge::cuda
