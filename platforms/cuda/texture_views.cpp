// SPDX-License-Identifier: Apache-2.0
#include "platforms/cuda/texture_views.hpp"

#include "platforms/cuda/places.hpp"

namespace reconverge::cuda {

namespace {

using kernel::DataType;

DataType type_of(const cudaChannelFormatDesc& channel) {
  const bool is_signed = channel.f == cudaChannelFormatKindSigned;
  if (channel.f == cudaChannelFormatKindFloat) {
    require(channel.x == 32, cudaErrorNotSupported);
    return DataType::f32;
  }
  require(is_signed || channel.f == cudaChannelFormatKindUnsigned, cudaErrorInvalidChannelDescriptor);
  switch (channel.x) {
    case 8:
      return is_signed ? DataType::s8 : DataType::u8;
    case 16:
      return is_signed ? DataType::s16 : DataType::u16;
    case 32:
      return is_signed ? DataType::s32 : DataType::u32;
    default:
      throw Refusal{cudaErrorInvalidChannelDescriptor};
  }
}

void set_channel(TextureView& view, const cudaChannelFormatDesc& channel) {
  view.channel = type_of(channel);
  view.components = 1U + (channel.y != 0 ? 1U : 0U) + (channel.z != 0 ? 1U : 0U) + (channel.w != 0 ? 1U : 0U);
}

std::size_t bytes_of(const cudaChannelFormatDesc& channel) {
  return static_cast<std::size_t>(channel.x + channel.y + channel.z + channel.w) / 8;
}

}  // namespace

TextureView view_of(const cudaResourceDesc& resource) {
  TextureView view;
  switch (resource.resType) {
    case cudaResourceTypeArray: {
      const cudaArray& array = *resource.res.array.array;
      view.address = array.address;
      view.elements = array.extent.width;
      view.rows = array.extent.height;
      view.layers = array.extent.depth;
      set_channel(view, array.channel);
      return view;
    }
    case cudaResourceTypeLinear:
      view.address = address_of(resource.res.linear.devPtr);
      set_channel(view, resource.res.linear.desc);
      view.elements = resource.res.linear.sizeInBytes / bytes_of(resource.res.linear.desc);
      return view;
    case cudaResourceTypePitch2D: {
      const auto& plane = resource.res.pitch2D;
      set_channel(view, plane.desc);
      // Rows follow each other without gaps.
      require(plane.pitchInBytes == plane.width * bytes_of(plane.desc), cudaErrorNotSupported);
      view.address = address_of(plane.devPtr);
      view.elements = plane.width;
      view.rows = plane.height;
      return view;
    }
    default:
      throw Refusal{cudaErrorNotSupported};
  }
}

namespace {

kernel::TextureAddressing addressing_of(cudaTextureAddressMode mode) {
  switch (mode) {
    case cudaAddressModeWrap:
      return kernel::TextureAddressing::wrap;
    case cudaAddressModeClamp:
      return kernel::TextureAddressing::clamp;
    case cudaAddressModeMirror:
      return kernel::TextureAddressing::mirror;
    default:
      return kernel::TextureAddressing::border;
  }
}

}  // namespace

TextureView with_modes(TextureView view, const cudaTextureDesc& texture) {
  require(texture.addressMode[1] == texture.addressMode[0] || view.rows == 0, cudaErrorNotSupported);
  view.addressing = addressing_of(texture.addressMode[0]);
  // CUDA Runtime API, cudaTextureDesc: these need normalized coordinates, and mean clamp otherwise.
  const bool repeats =
      view.addressing == kernel::TextureAddressing::wrap || view.addressing == kernel::TextureAddressing::mirror;
  if (repeats && texture.normalizedCoords == 0) view.addressing = kernel::TextureAddressing::clamp;
  view.filter =
      texture.filterMode == cudaFilterModeLinear ? kernel::TextureFilter::linear : kernel::TextureFilter::point;
  view.normalized_coordinates = texture.normalizedCoords != 0;
  view.normalized = texture.readMode == cudaReadModeNormalizedFloat;
  return view;
}

}  // namespace reconverge::cuda
