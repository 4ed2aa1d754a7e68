// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The properties of the simulated GPU that CUDA reports to a program.

#include "platforms/compile/device/reconverge/runtime_types.h"
#include "platforms/cuda/device.hpp"

namespace reconverge::cuda {

/// CUDA 12 has the members of CUDA 11, and further ones that are not supported.
struct DeviceProperties12 {
  cudaDeviceProp of_11{};
  char more[1032 - sizeof(cudaDeviceProp)] = {};
};

/// CUDA 13 has left out some members. Names and order are those of its driver_types.h.
struct DeviceProperties13 {
  char name[256];
  cudaUUID_t uuid;
  char luid[8];
  unsigned luidDeviceNodeMask;
  std::size_t totalGlobalMem;
  std::size_t sharedMemPerBlock;
  int regsPerBlock;
  int warpSize;
  std::size_t memPitch;
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  std::size_t totalConstMem;
  int major;
  int minor;
  std::size_t textureAlignment;
  std::size_t texturePitchAlignment;
  int multiProcessorCount;
  int integrated;
  int canMapHostMemory;
  int textures_and_surfaces[38];  // as maxTexture1D to maxSurfaceCubemapLayered, without maxTexture1DLinear
  std::size_t surfaceAlignment;
  int concurrentKernels;
  int ECCEnabled;
  int pciBusID;
  int pciDeviceID;
  int pciDomainID;
  int tccDriver;
  int asyncEngineCount;
  int unifiedAddressing;
  int memoryBusWidth;
  int l2CacheSize;
  int persistingL2CacheMaxSize;
  int maxThreadsPerMultiProcessor;
  int streamPrioritiesSupported;
  int globalL1CacheSupported;
  int localL1CacheSupported;
  std::size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor;
  int managedMemory;
  int isMultiGpuBoard;
  int multiGpuBoardGroupID;
  int hostNativeAtomicSupported;
  int pageableMemoryAccess;
  int concurrentManagedAccess;
  int computePreemptionSupported;
  int canUseHostPointerForRegisteredMem;
  int cooperativeLaunch;
  std::size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables;
  int directManagedMemAccessFromHost;
  int maxBlocksPerMultiProcessor;
  int accessPolicyMaxWindowSize;
  std::size_t reservedSharedMemPerBlock;
  int more[76];
};
static_assert(sizeof(DeviceProperties13) == 1008);

cudaDeviceProp properties_of(Device& device);
DeviceProperties13 as_of_13(const cudaDeviceProp& properties);
/// Refuses an unknown attribute.
int attribute_of(Device& device, cudaDeviceAttr attribute);

}  // namespace reconverge::cuda
