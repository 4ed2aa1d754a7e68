// SPDX-License-Identifier: Apache-2.0
// Texture references, which CUDA 12 has removed: a variable of the host names a texture of its module.

#include <algorithm>

#include "models/execution/texture.hpp"
#include "platforms/cuda/places.hpp"
#include "platforms/cuda/runtime/api.hpp"
#include "platforms/cuda/texture_views.hpp"

namespace reconverge::cuda {

namespace {

void bind(Process& state, const textureReference* reference, const cudaResourceDesc& resource) {
  const DeviceName* const name = state.modules.texture(reference);
  require(name != nullptr, cudaErrorInvalidTexture);
  cudaTextureDesc modes{};
  std::ranges::copy(reference->addressMode, modes.addressMode);
  modes.filterMode = reference->filterMode;
  modes.normalizedCoords = reference->normalized;
  modes.readMode = name->normalized ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  // All kernels of the module find the reference by its name.
  kernel::Program module;
  module.file = name->module->name();
  kernel::GlobalVariable& variable = module.globals.emplace_back();
  variable.name = name->name;
  variable.texture = true;
  const TextureView view = with_modes(view_of(resource), modes);
  or_else(cudaErrorInvalidValue, [&] { bind_texture(state.device().memory(), module, name->name, view); });
}

/// Memory of the device may begin anywhere in a texture.
void set_offset(std::size_t* offset) {
  if (offset != nullptr) *offset = 0;
}

}  // namespace

extern "C" {

cudaError_t RECONVERGE_CUDA(cudaBindTexture)(std::size_t* offset, const textureReference* texture, const void* address,
                                             const cudaChannelFormatDesc* format, std::size_t bytes) {
  return call([&](Process& state) {
    require(texture != nullptr && format != nullptr);
    set_offset(offset);
    const Buffer* const buffer = state.device().memory().find(address_of(address));
    require(buffer != nullptr);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear = {const_cast<void*>(address), *format,
                           std::min<std::size_t>(bytes, buffer->address + buffer->bytes - address_of(address))};
    bind(state, texture, resource);
  });
}

cudaError_t RECONVERGE_CUDA(cudaBindTexture2D)(std::size_t* offset, const textureReference* texture,
                                               const void* address, const cudaChannelFormatDesc* format,
                                               std::size_t width, std::size_t height, std::size_t pitch) {
  return call([&](Process& state) {
    require(texture != nullptr && format != nullptr);
    set_offset(offset);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D = {const_cast<void*>(address), *format, width, height, pitch};
    bind(state, texture, resource);
  });
}

cudaError_t RECONVERGE_CUDA(cudaBindTextureToArray)(const textureReference* texture, const cudaArray* array,
                                                    const cudaChannelFormatDesc* /*format*/) {
  return call([&](Process& state) {
    require(texture != nullptr && array != nullptr);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = const_cast<cudaArray*>(array);
    bind(state, texture, resource);
  });
}

/// A kernel that still reads it gets the last bound texture.
cudaError_t RECONVERGE_CUDA(cudaUnbindTexture)(const textureReference* texture) {
  return call([&](Process& state) { require(state.modules.texture(texture) != nullptr, cudaErrorInvalidTexture); });
}

cudaError_t RECONVERGE_CUDA(cudaGetTextureAlignmentOffset)(std::size_t* offset, const textureReference* texture) {
  return call([&](Process& state) {
    require(offset != nullptr && state.modules.texture(texture) != nullptr, cudaErrorInvalidTextureBinding);
    set_offset(offset);
  });
}

cudaError_t RECONVERGE_CUDA(cudaGetTextureReference)(const textureReference** texture, const void* symbol) {
  return call([&](Process& state) {
    require(texture != nullptr && state.modules.texture(symbol) != nullptr, cudaErrorInvalidTexture);
    *texture = static_cast<const textureReference*>(symbol);
  });
}

}  // extern "C"

}  // namespace reconverge::cuda
