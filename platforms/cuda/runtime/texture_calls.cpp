// SPDX-License-Identifier: Apache-2.0
// Texture objects over linear memory and arrays.

#include <map>
#include <memory>

#include "models/execution/texture.hpp"
#include "platforms/cuda/runtime/api.hpp"
#include "platforms/cuda/texture_views.hpp"

namespace reconverge::cuda {

namespace {

struct TextureObject {
  cudaResourceDesc resource;
  cudaTextureDesc texture;
};

std::map<cudaTextureObject_t, TextureObject>& objects() {
  static auto& known = *std::make_unique<std::map<cudaTextureObject_t, TextureObject>>().release();
  return known;
}

}  // namespace

extern "C" {

cudaError_t RECONVERGE_CUDA(cudaCreateTextureObject)(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                                     const cudaTextureDesc* texture,
                                                     const cudaResourceViewDesc* other_view) {
  return call([&](Process& state) {
    require(object != nullptr && resource != nullptr && texture != nullptr);
    require(other_view == nullptr, cudaErrorNotSupported);
    const TextureView view = with_modes(view_of(*resource), *texture);
    Device& device = state.device();
    *object = or_else(cudaErrorInvalidValue, [&] { return make_texture(device.memory(), "texture object", view); });
    objects()[*object] = {*resource, *texture};
  });
}

cudaError_t RECONVERGE_CUDA(cudaDestroyTextureObject)(cudaTextureObject_t object) {
  return call([&](Process& state) {
    require(objects().erase(object) == 1);
    state.device().memory().release(object);
  });
}

cudaError_t RECONVERGE_CUDA(cudaGetTextureObjectResourceDesc)(cudaResourceDesc* resource, cudaTextureObject_t object) {
  return call([&](Process&) {
    require(resource != nullptr && objects().contains(object));
    *resource = objects().at(object).resource;
  });
}

cudaError_t RECONVERGE_CUDA(cudaGetTextureObjectTextureDesc)(cudaTextureDesc* texture, cudaTextureObject_t object) {
  return call([&](Process&) {
    require(texture != nullptr && objects().contains(object));
    *texture = objects().at(object).texture;
  });
}

cudaChannelFormatDesc RECONVERGE_CUDA(cudaCreateChannelDesc)(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

}  // extern "C"

}  // namespace reconverge::cuda
