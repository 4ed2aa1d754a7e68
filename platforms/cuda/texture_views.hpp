// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Converts CUDA's descriptions of textures to the simulator's.

#include "models/execution/texture.hpp"
#include "platforms/compile/device/reconverge/runtime_types.h"

namespace reconverge::cuda {

/// The memory of a texture. Refuses forms that are not supported.
TextureView view_of(const cudaResourceDesc& resource);

/// The read mode of the texture.
TextureView with_modes(TextureView view, const cudaTextureDesc& texture);

}  // namespace reconverge::cuda
