// SPDX-License-Identifier: Apache-2.0
#include "platforms/cuda/properties.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "platforms/cuda/process.hpp"

namespace reconverge::cuda {

namespace {

// The target of compiled programs: compute capability 7.5, whose PTX the platforms run.
constexpr int major = 7;
constexpr int minor = 5;
constexpr int most_threads = 1024;
// CUDA C Programming Guide, "Technical Specifications per Compute Capability".
constexpr std::size_t shared_without_asking = std::size_t{48} << 10U;
constexpr std::size_t constant_memory = std::size_t{64} << 10U;
constexpr int most_row = 131072;
constexpr int most_extent = 65536;
constexpr int most_volume = 16384;

int kilohertz(std::uint64_t hertz) { return static_cast<int>(hertz / 1000); }

struct Attribute {
  cudaDeviceAttr name;
  int (*value)(const cudaDeviceProp& properties);
};

template <int cudaDeviceProp::*member>
constexpr int value_of(const cudaDeviceProp& properties) {
  return properties.*member;
}
template <std::size_t cudaDeviceProp::*member>
constexpr int size_of(const cudaDeviceProp& properties) {
  return static_cast<int>(properties.*member);
}

constexpr std::array attributes = {
    Attribute{cudaDevAttrMaxThreadsPerBlock, value_of<&cudaDeviceProp::maxThreadsPerBlock>},
    Attribute{cudaDevAttrMaxBlockDimX, [](const cudaDeviceProp& of) { return of.maxThreadsDim[0]; }},
    Attribute{cudaDevAttrMaxBlockDimY, [](const cudaDeviceProp& of) { return of.maxThreadsDim[1]; }},
    Attribute{cudaDevAttrMaxBlockDimZ, [](const cudaDeviceProp& of) { return of.maxThreadsDim[2]; }},
    Attribute{cudaDevAttrMaxGridDimX, [](const cudaDeviceProp& of) { return of.maxGridSize[0]; }},
    Attribute{cudaDevAttrMaxGridDimY, [](const cudaDeviceProp& of) { return of.maxGridSize[1]; }},
    Attribute{cudaDevAttrMaxGridDimZ, [](const cudaDeviceProp& of) { return of.maxGridSize[2]; }},
    Attribute{cudaDevAttrMaxSharedMemoryPerBlock, size_of<&cudaDeviceProp::sharedMemPerBlock>},
    Attribute{cudaDevAttrTotalConstantMemory, size_of<&cudaDeviceProp::totalConstMem>},
    Attribute{cudaDevAttrWarpSize, value_of<&cudaDeviceProp::warpSize>},
    Attribute{cudaDevAttrMaxPitch, size_of<&cudaDeviceProp::memPitch>},
    Attribute{cudaDevAttrMaxRegistersPerBlock, value_of<&cudaDeviceProp::regsPerBlock>},
    Attribute{cudaDevAttrClockRate, value_of<&cudaDeviceProp::clockRate>},
    Attribute{cudaDevAttrTextureAlignment, size_of<&cudaDeviceProp::textureAlignment>},
    Attribute{cudaDevAttrGpuOverlap, value_of<&cudaDeviceProp::deviceOverlap>},
    Attribute{cudaDevAttrMultiProcessorCount, value_of<&cudaDeviceProp::multiProcessorCount>},
    Attribute{cudaDevAttrKernelExecTimeout, value_of<&cudaDeviceProp::kernelExecTimeoutEnabled>},
    Attribute{cudaDevAttrIntegrated, value_of<&cudaDeviceProp::integrated>},
    Attribute{cudaDevAttrCanMapHostMemory, value_of<&cudaDeviceProp::canMapHostMemory>},
    Attribute{cudaDevAttrComputeMode, value_of<&cudaDeviceProp::computeMode>},
    Attribute{cudaDevAttrConcurrentKernels, value_of<&cudaDeviceProp::concurrentKernels>},
    Attribute{cudaDevAttrEccEnabled, value_of<&cudaDeviceProp::ECCEnabled>},
    Attribute{cudaDevAttrPciBusId, value_of<&cudaDeviceProp::pciBusID>},
    Attribute{cudaDevAttrPciDeviceId, value_of<&cudaDeviceProp::pciDeviceID>},
    Attribute{cudaDevAttrPciDomainId, value_of<&cudaDeviceProp::pciDomainID>},
    Attribute{cudaDevAttrTccDriver, value_of<&cudaDeviceProp::tccDriver>},
    Attribute{cudaDevAttrMemoryClockRate, value_of<&cudaDeviceProp::memoryClockRate>},
    Attribute{cudaDevAttrGlobalMemoryBusWidth, value_of<&cudaDeviceProp::memoryBusWidth>},
    Attribute{cudaDevAttrL2CacheSize, value_of<&cudaDeviceProp::l2CacheSize>},
    Attribute{cudaDevAttrMaxThreadsPerMultiProcessor, value_of<&cudaDeviceProp::maxThreadsPerMultiProcessor>},
    Attribute{cudaDevAttrAsyncEngineCount, value_of<&cudaDeviceProp::asyncEngineCount>},
    Attribute{cudaDevAttrUnifiedAddressing, value_of<&cudaDeviceProp::unifiedAddressing>},
    Attribute{cudaDevAttrTexturePitchAlignment, size_of<&cudaDeviceProp::texturePitchAlignment>},
    Attribute{cudaDevAttrComputeCapabilityMajor, value_of<&cudaDeviceProp::major>},
    Attribute{cudaDevAttrComputeCapabilityMinor, value_of<&cudaDeviceProp::minor>},
    Attribute{cudaDevAttrStreamPrioritiesSupported, value_of<&cudaDeviceProp::streamPrioritiesSupported>},
    Attribute{cudaDevAttrMaxSharedMemoryPerMultiprocessor, size_of<&cudaDeviceProp::sharedMemPerMultiprocessor>},
    Attribute{cudaDevAttrMaxRegistersPerMultiprocessor, value_of<&cudaDeviceProp::regsPerMultiprocessor>},
    Attribute{cudaDevAttrManagedMemory, value_of<&cudaDeviceProp::managedMemory>},
    Attribute{cudaDevAttrIsMultiGpuBoard, value_of<&cudaDeviceProp::isMultiGpuBoard>},
    Attribute{cudaDevAttrPageableMemoryAccess, value_of<&cudaDeviceProp::pageableMemoryAccess>},
    Attribute{cudaDevAttrConcurrentManagedAccess, value_of<&cudaDeviceProp::concurrentManagedAccess>},
    Attribute{cudaDevAttrComputePreemptionSupported, value_of<&cudaDeviceProp::computePreemptionSupported>},
    Attribute{cudaDevAttrCooperativeLaunch, value_of<&cudaDeviceProp::cooperativeLaunch>},
    Attribute{cudaDevAttrCooperativeMultiDeviceLaunch, value_of<&cudaDeviceProp::cooperativeMultiDeviceLaunch>},
    Attribute{cudaDevAttrMaxSharedMemoryPerBlockOptin, size_of<&cudaDeviceProp::sharedMemPerBlockOptin>},
    Attribute{cudaDevAttrMaxBlocksPerMultiprocessor, value_of<&cudaDeviceProp::maxBlocksPerMultiProcessor>},
    Attribute{cudaDevAttrReservedSharedMemoryPerBlock, size_of<&cudaDeviceProp::reservedSharedMemPerBlock>},
    Attribute{cudaDevAttrClusterLaunch, [](const cudaDeviceProp&) { return 0; }},
    Attribute{cudaDevAttrHostRegisterSupported, [](const cudaDeviceProp&) { return 0; }},
    Attribute{cudaDevAttrMemoryPoolsSupported, [](const cudaDeviceProp&) { return 0; }},
};

}  // namespace

cudaDeviceProp properties_of(Device& device) {
  const GpuParameters& gpu = device.platform().parameters.gpu;
  const SmParameters& sm = gpu.sm;
  cudaDeviceProp of{};
  const std::string name = fmt::format("Reconverge, {} SMs", gpu.sms);
  std::strncpy(of.name, name.c_str(), sizeof(of.name) - 1);
  of.totalGlobalMem = device.memory().capacity();
  of.sharedMemPerBlock = std::min<std::size_t>(shared_without_asking, sm.shared_memory);
  of.regsPerBlock = static_cast<int>(std::min<std::uint64_t>(65536, sm.register_file.registers));
  of.warpSize = 32;
  of.memPitch = 2147483647;
  of.maxThreadsPerBlock = static_cast<int>(std::min<std::uint64_t>(most_threads, sm.warp_slots * 32));
  of.maxThreadsDim[0] = of.maxThreadsDim[1] = most_threads;
  of.maxThreadsDim[2] = 64;
  of.maxGridSize[0] = 2147483647;
  of.maxGridSize[1] = of.maxGridSize[2] = 65535;
  of.clockRate = kilohertz(gpu.clock);
  of.totalConstMem = constant_memory;
  of.major = major;
  of.minor = minor;
  of.textureAlignment = 512;
  of.texturePitchAlignment = 32;
  of.multiProcessorCount = static_cast<int>(gpu.sms);
  of.canMapHostMemory = 1;
  // All GPUs have an engine for copies, and programs skip work without one.
  of.deviceOverlap = 1;
  of.asyncEngineCount = 1;
  of.maxTexture1D = most_row;
  of.maxTexture1DLinear = 1 << 27U;
  of.maxTexture2D[0] = of.maxTexture2D[1] = most_extent;
  of.maxTexture2DLinear[0] = of.maxTexture2DLinear[1] = most_extent;
  of.maxTexture2DLinear[2] = 1 << 20U;
  std::ranges::fill(of.maxTexture3D, most_volume);
  of.surfaceAlignment = 512;
  of.unifiedAddressing = 1;
  of.memoryClockRate = kilohertz(gpu.dram.clock);
  of.memoryBusWidth = static_cast<int>(gpu.dram.channels * gpu.dram.burst_bytes * 8 / gpu.dram.burst_cycles / 2);
  of.l2CacheSize = gpu.memory != GpuMemory::fixed_latency ? static_cast<int>(gpu.l2.capacity) : 0;
  of.maxThreadsPerMultiProcessor = static_cast<int>(sm.warp_slots * 32);
  of.globalL1CacheSupported = 1;
  of.localL1CacheSupported = 1;
  of.sharedMemPerMultiprocessor = sm.shared_memory;
  of.regsPerMultiprocessor = static_cast<int>(sm.register_file.registers);
  of.managedMemory = 1;
  of.singleToDoublePrecisionPerfRatio = 32;
  of.cooperativeLaunch = 1;
  of.sharedMemPerBlockOptin = sm.shared_memory;
  of.maxBlocksPerMultiProcessor = static_cast<int>(sm.block_slots);
  return of;
}

DeviceProperties13 as_of_13(const cudaDeviceProp& of) {
  DeviceProperties13 to{};
  std::memcpy(to.name, of.name, sizeof(to.name));
  to.totalGlobalMem = of.totalGlobalMem;
  to.sharedMemPerBlock = of.sharedMemPerBlock;
  to.regsPerBlock = of.regsPerBlock;
  to.warpSize = of.warpSize;
  to.memPitch = of.memPitch;
  to.maxThreadsPerBlock = of.maxThreadsPerBlock;
  std::ranges::copy(of.maxThreadsDim, to.maxThreadsDim);
  std::ranges::copy(of.maxGridSize, to.maxGridSize);
  to.totalConstMem = of.totalConstMem;
  to.major = of.major;
  to.minor = of.minor;
  to.textureAlignment = of.textureAlignment;
  to.texturePitchAlignment = of.texturePitchAlignment;
  to.multiProcessorCount = of.multiProcessorCount;
  to.canMapHostMemory = of.canMapHostMemory;
  to.surfaceAlignment = of.surfaceAlignment;
  to.unifiedAddressing = of.unifiedAddressing;
  to.memoryBusWidth = of.memoryBusWidth;
  to.l2CacheSize = of.l2CacheSize;
  to.maxThreadsPerMultiProcessor = of.maxThreadsPerMultiProcessor;
  to.globalL1CacheSupported = of.globalL1CacheSupported;
  to.localL1CacheSupported = of.localL1CacheSupported;
  to.sharedMemPerMultiprocessor = of.sharedMemPerMultiprocessor;
  to.regsPerMultiprocessor = of.regsPerMultiprocessor;
  to.managedMemory = of.managedMemory;
  to.cooperativeLaunch = of.cooperativeLaunch;
  to.sharedMemPerBlockOptin = of.sharedMemPerBlockOptin;
  to.maxBlocksPerMultiProcessor = of.maxBlocksPerMultiProcessor;
  return to;
}

int attribute_of(Device& device, cudaDeviceAttr attribute) {
  const auto known = std::ranges::find(attributes, attribute, &Attribute::name);
  require(known != attributes.end());
  return known->value(properties_of(device));
}

}  // namespace reconverge::cuda
