// SPDX-License-Identifier: Apache-2.0
// The driver API: a kernel from PTX text, by name, with arguments in both forms.
#include <cuda.h>

#include <cstdio>
#include <cstring>
#include <vector>

const char* const ptx = R"(
.version 6.4
.target sm_75
.address_size 64
.visible .global .align 4 .u32 step = 3;
.visible .entry add(.param .u64 data, .param .u32 count) {
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [data];
  ld.param.u32 %r1, [count];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p1, %r5, %r1;
  @%p1 bra END;
  mul.wide.u32 %rd2, %r5, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r6, [step];
  ld.global.u32 %r7, [%rd3];
  add.u32 %r7, %r7, %r6;
  st.global.u32 [%rd3], %r7;
END:
  ret;
}
)";

int failures = 0;

void check(bool holds, const char* what) {
  if (!holds) ++failures;
  if (!holds) std::printf("wrong: %s\n", what);
}

int main() {
  CUdevice device = -1;
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction add = nullptr;
  check(cuInit(0) == CUDA_SUCCESS && cuDeviceGet(&device, 0) == CUDA_SUCCESS, "device");
  check(cuCtxCreate(&context, 0, device) == CUDA_SUCCESS, "context");
  check(cuModuleLoadData(&module, ptx) == CUDA_SUCCESS, "module");
  check(cuModuleGetFunction(&add, module, "add") == CUDA_SUCCESS, "function");
  CUfunction none = nullptr;
  check(cuModuleGetFunction(&none, module, "subtract") == CUDA_ERROR_NOT_FOUND, "no such function");
  check(cuModuleLoadData(&module, "this is no PTX") == CUDA_ERROR_INVALID_PTX, "no PTX");

  unsigned count = 1000;
  CUdeviceptr data = 0;
  check(cuMemAlloc(&data, count * 4) == CUDA_SUCCESS && cuMemsetD32(data, 7, count) == CUDA_SUCCESS, "memory");
  void* arguments[] = {&data, &count};
  check(cuLaunchKernel(add, 8, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr) == CUDA_SUCCESS, "launch");
  struct {
    CUdeviceptr data;
    unsigned count;
  } packed = {data, count};
  size_t bytes = sizeof(packed.data) + sizeof(packed.count);
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  check(cuLaunchKernel(add, 8, 1, 1, 128, 1, 1, 0, nullptr, nullptr, extra) == CUDA_SUCCESS, "packed launch");
  check(cuFuncSetBlockShape(add, 64, 1, 1) == CUDA_SUCCESS && cuFuncSetSharedSize(add, 16) == CUDA_SUCCESS &&
            cuParamSetv(add, 0, &data, sizeof data) == CUDA_SUCCESS && cuParamSeti(add, 8, count) == CUDA_SUCCESS &&
            cuParamSetSize(add, 12) == CUDA_SUCCESS && cuLaunchGrid(add, 16, 1) == CUDA_SUCCESS,
        "launch of CUDA 3");
  check(cuCtxSynchronize() == CUDA_SUCCESS, "synchronize");
  std::vector<unsigned> host(count);
  check(cuMemcpyDtoH(host.data(), data, count * 4) == CUDA_SUCCESS, "copy");
  for (const unsigned value : host) check(value == 16, "value");
  check(cuLaunchKernel(add, 1, 1, 1, 2000, 1, 1, 0, nullptr, arguments, nullptr) == CUDA_ERROR_INVALID_VALUE, "shape");
  CUdeviceptr begin = 0;
  size_t size = 0;
  check(cuMemGetAddressRange(&begin, &size, data + 100) == CUDA_SUCCESS && begin == data && size == count * 4, "range");
  check(cuMemsetD16(data, 0x1234, 2) == CUDA_SUCCESS, "16 bits");
  CUDA_MEMCPY2D rows{};
  rows.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  rows.srcDevice = data;
  rows.srcPitch = 400;
  rows.srcY = 1;
  rows.dstMemoryType = CU_MEMORYTYPE_HOST;
  rows.dstHost = host.data();
  rows.dstPitch = 8;
  rows.WidthInBytes = 4;
  rows.Height = 2;
  host.assign(4, 1);
  check(cuMemcpy2D(&rows) == CUDA_SUCCESS && host == std::vector<unsigned>{16, 1, 16, 1}, "rows");
  rows.srcY = 0;
  check(cuMemcpy2D(&rows) == CUDA_SUCCESS && host[0] == 0x12341234, "first row");
  rows.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  check(cuMemcpy2D(&rows) == CUDA_ERROR_NOT_SUPPORTED, "arrays");
  check(cuMemFree(data) == CUDA_SUCCESS && cuMemFree(data) == CUDA_ERROR_INVALID_VALUE, "free");
  const char* text = nullptr;
  check(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text) == CUDA_SUCCESS && !std::strcmp(text, "out of memory"),
        "text");
  std::printf("%s\n", failures == 0 ? "PASSED" : "FAILED");
  return failures == 0 ? 0 : 1;
}
