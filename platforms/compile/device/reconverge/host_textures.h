#pragma once
/* The functions of the CUDA runtime for textures and surfaces. */

#include <limits.h>

#include "runtime_types.h"

extern "C" {
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture, const cudaResourceViewDesc* view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* texture, cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* view, cudaTextureObject_t object);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object);
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t object);
cudaError_t cudaBindTexture(size_t* offset, const textureReference* texture, const void* address,
                            const cudaChannelFormatDesc* format, size_t bytes = UINT_MAX);
cudaError_t cudaBindTexture2D(size_t* offset, const textureReference* texture, const void* address,
                              const cudaChannelFormatDesc* format, size_t width, size_t height, size_t pitch);
cudaError_t cudaBindTextureToArray(const textureReference* texture, cudaArray_const_t array,
                                   const cudaChannelFormatDesc* format);
cudaError_t cudaBindTextureToMipmappedArray(const textureReference* texture, cudaMipmappedArray_const_t array,
                                            const cudaChannelFormatDesc* format);
cudaError_t cudaUnbindTexture(const textureReference* texture);
cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const textureReference* texture);
cudaError_t cudaGetTextureReference(const textureReference** texture, const void* symbol);
}

/* The format of an element, by its type. */
template <class T>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}
#define RECONVERGE_FORMAT(type, bits, kind)                          \
  template <>                                                        \
  inline cudaChannelFormatDesc cudaCreateChannelDesc<type>() {       \
    return cudaCreateChannelDesc(bits, cudaChannelFormatKind##kind); \
  }
#define RECONVERGE_BITS_1(bits) bits, 0, 0, 0
#define RECONVERGE_BITS_2(bits) bits, bits, 0, 0
#define RECONVERGE_BITS_4(bits) bits, bits, bits, bits
#define RECONVERGE_FORMATS(scalar, vector, bits, kind)        \
  RECONVERGE_FORMAT(scalar, RECONVERGE_BITS_1(bits), kind)    \
  RECONVERGE_FORMAT(vector##1, RECONVERGE_BITS_1(bits), kind) \
  RECONVERGE_FORMAT(vector##2, RECONVERGE_BITS_2(bits), kind) \
  RECONVERGE_FORMAT(vector##4, RECONVERGE_BITS_4(bits), kind)
RECONVERGE_FORMATS(signed char, char, 8, Signed)
RECONVERGE_FORMAT(char, RECONVERGE_BITS_1(8), Signed)
RECONVERGE_FORMATS(unsigned char, uchar, 8, Unsigned)
RECONVERGE_FORMATS(short, short, 16, Signed)
RECONVERGE_FORMATS(unsigned short, ushort, 16, Unsigned)
RECONVERGE_FORMATS(int, int, 32, Signed)
RECONVERGE_FORMATS(unsigned, uint, 32, Unsigned)
RECONVERGE_FORMATS(float, float, 32, Float)
#undef RECONVERGE_FORMATS
#undef RECONVERGE_BITS_4
#undef RECONVERGE_BITS_2
#undef RECONVERGE_BITS_1
#undef RECONVERGE_FORMAT

/* Texture references: with the format given, with that of the reference, or with the array's own. */
#if defined(__clang__) && defined(__CUDA__)
template <class T, int dimensions, cudaTextureReadMode mode>
struct texture;
template <class T, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, dimensions, mode>& texture, const void* address,
                                   const cudaChannelFormatDesc& format, size_t bytes = UINT_MAX) {
  return cudaBindTexture(offset, static_cast<const textureReference*>(&texture), address, &format, bytes);
}
template <class T, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, dimensions, mode>& texture, const void* address,
                                   size_t bytes = UINT_MAX) {
  return cudaBindTexture(offset, texture, address, texture.channelDesc, bytes);
}
template <class T, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, dimensions, mode>& texture, const void* address,
                                     const cudaChannelFormatDesc& format, size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, static_cast<const textureReference*>(&texture), address, &format, width, height,
                           pitch);
}
template <class T, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, dimensions, mode>& texture, const void* address,
                                     size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, texture, address, texture.channelDesc, width, height, pitch);
}
template <class T, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(const texture<T, dimensions, mode>& texture, cudaArray_const_t array,
                                          const cudaChannelFormatDesc& format) {
  return cudaBindTextureToArray(static_cast<const textureReference*>(&texture), array, &format);
}
template <class T, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(const texture<T, dimensions, mode>& texture, cudaArray_const_t array) {
  cudaChannelFormatDesc format;
  const cudaError_t error = cudaGetChannelDesc(&format, array);
  return error == cudaSuccess ? cudaBindTextureToArray(texture, array, format) : error;
}
template <class T, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaUnbindTexture(const texture<T, dimensions, mode>& texture) {
  return cudaUnbindTexture(static_cast<const textureReference*>(&texture));
}
template <class T, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const texture<T, dimensions, mode>& texture) {
  return cudaGetTextureAlignmentOffset(offset, static_cast<const textureReference*>(&texture));
}
#endif
// SPDX-License-Identifier: Apache-2.0
