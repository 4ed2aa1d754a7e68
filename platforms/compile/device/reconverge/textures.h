#pragma once
/* Reads of textures without layers or levels: through texture objects, and through CUDA's older texture references. */

#include "host_textures.h"

/* The type of a texture read: PTX always reads four elements, as float, int or unsigned. */
template <class T>
struct reconverge_texel;
#define RECONVERGE_TEXELS(scalar, vector, as)                                                                          \
  template <>                                                                                                          \
  struct reconverge_texel<scalar> {                                                                                    \
    typedef as##4 four;                                                                                                \
    typedef float normalized;                                                                                          \
    template <class F>                                                                                                 \
    static __device__ scalar from(F v) {                                                                               \
      return static_cast<scalar>(v.x);                                                                                 \
    }                                                                                                                  \
  };                                                                                                                   \
  template <>                                                                                                          \
  struct reconverge_texel<vector##1> {                                                                                 \
    typedef as##4 four;                                                                                                \
    typedef float1 normalized;                                                                                         \
    template <class F>                                                                                                 \
    static __device__ vector##1 from(F v) {                                                                            \
      return {static_cast<scalar>(v.x)};                                                                               \
    }                                                                                                                  \
  };                                                                                                                   \
  template <>                                                                                                          \
  struct reconverge_texel<vector##2> {                                                                                 \
    typedef as##4 four;                                                                                                \
    typedef float2 normalized;                                                                                         \
    template <class F>                                                                                                 \
    static __device__ vector##2 from(F v) {                                                                            \
      return {static_cast<scalar>(v.x), static_cast<scalar>(v.y)};                                                     \
    }                                                                                                                  \
  };                                                                                                                   \
  template <>                                                                                                          \
  struct reconverge_texel<vector##4> {                                                                                 \
    typedef as##4 four;                                                                                                \
    typedef float4 normalized;                                                                                         \
    template <class F>                                                                                                 \
    static __device__ vector##4 from(F v) {                                                                            \
      return {static_cast<scalar>(v.x), static_cast<scalar>(v.y), static_cast<scalar>(v.z), static_cast<scalar>(v.w)}; \
    }                                                                                                                  \
  };
RECONVERGE_TEXELS(signed char, char, int)
RECONVERGE_TEXELS(unsigned char, uchar, uint)
RECONVERGE_TEXELS(short, short, int)
RECONVERGE_TEXELS(unsigned short, ushort, uint)
RECONVERGE_TEXELS(int, int, int)
RECONVERGE_TEXELS(unsigned, uint, uint)
RECONVERGE_TEXELS(float, float, float)
#undef RECONVERGE_TEXELS
template <>
struct reconverge_texel<char> : reconverge_texel<signed char> {};

#define RECONVERGE_FETCH(four, letter, type)                                                           \
  __device__ inline void reconverge_fetch(four& v, cudaTextureObject_t t, int x) {                     \
    asm volatile("tex.1d.v4." type ".s32 {%0, %1, %2, %3}, [%4, {%5}];"                                \
                 : "=" letter(v.x), "=" letter(v.y), "=" letter(v.z), "=" letter(v.w)                  \
                 : "l"(t), "r"(x));                                                                    \
  }                                                                                                    \
  __device__ inline void reconverge_fetch(four& v, cudaTextureObject_t t, float x) {                   \
    asm volatile("tex.1d.v4." type ".f32 {%0, %1, %2, %3}, [%4, {%5}];"                                \
                 : "=" letter(v.x), "=" letter(v.y), "=" letter(v.z), "=" letter(v.w)                  \
                 : "l"(t), "f"(x));                                                                    \
  }                                                                                                    \
  __device__ inline void reconverge_fetch(four& v, cudaTextureObject_t t, float x, float y) {          \
    asm volatile("tex.2d.v4." type ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"                            \
                 : "=" letter(v.x), "=" letter(v.y), "=" letter(v.z), "=" letter(v.w)                  \
                 : "l"(t), "f"(x), "f"(y));                                                            \
  }                                                                                                    \
  __device__ inline void reconverge_fetch(four& v, cudaTextureObject_t t, float x, float y, float z) { \
    asm volatile("tex.3d.v4." type ".f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];"                    \
                 : "=" letter(v.x), "=" letter(v.y), "=" letter(v.z), "=" letter(v.w)                  \
                 : "l"(t), "f"(x), "f"(y), "f"(z));                                                    \
  }
RECONVERGE_FETCH(float4, "f", "f32")
RECONVERGE_FETCH(int4, "r", "s32")
RECONVERGE_FETCH(uint4, "r", "u32")
#undef RECONVERGE_FETCH

/* CUDA's texture references: variables that the host binds to memory. clang makes the device's one a handle. */
template <class T, int dimensions = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
  __host__ texture(int coordinates_are_normalized = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
                   cudaTextureAddressMode address = cudaAddressModeClamp)
      : texture(coordinates_are_normalized, filter, address, cudaCreateChannelDesc<T>()) {}
  __host__ texture(int coordinates_are_normalized, cudaTextureFilterMode filter, cudaTextureAddressMode address,
                   cudaChannelFormatDesc format)
      : textureReference() {
    normalized = coordinates_are_normalized;
    filterMode = filter;
    addressMode[0] = addressMode[1] = addressMode[2] = address;
    channelDesc = format;
  }
};

/* C++ has no conversion from the variable to its handle. */
template <class Reference>
__device__ inline cudaTextureObject_t reconverge_handle(Reference reference) {
  cudaTextureObject_t handle;
  asm("mov.b64 %0, %1;" : "=l"(handle) : "l"(reference));
  return handle;
}

#define RECONVERGE_TEXTURE(name, dimensions, parameters, ...)                                                    \
  template <class T>                                                                                             \
  __device__ inline T name(cudaTextureObject_t object, RECONVERGE_##parameters) {                                \
    typename reconverge_texel<T>::four v;                                                                        \
    reconverge_fetch(v, object, __VA_ARGS__);                                                                    \
    return reconverge_texel<T>::from(v);                                                                         \
  }                                                                                                              \
  template <class T>                                                                                             \
  __device__ inline void name(T* value, cudaTextureObject_t object, RECONVERGE_##parameters) {                   \
    *value = name<T>(object, __VA_ARGS__);                                                                       \
  }                                                                                                              \
  template <class T>                                                                                             \
  __device__ inline T name(texture<T, dimensions, cudaReadModeElementType> reference, RECONVERGE_##parameters) { \
    return name<T>(reconverge_handle(reference), __VA_ARGS__);                                                   \
  }                                                                                                              \
  template <class T>                                                                                             \
  __device__ inline typename reconverge_texel<T>::normalized name(                                               \
      texture<T, dimensions, cudaReadModeNormalizedFloat> reference, RECONVERGE_##parameters) {                  \
    return name<typename reconverge_texel<T>::normalized>(reconverge_handle(reference), __VA_ARGS__);            \
  }
#define RECONVERGE_INDEX int x
#define RECONVERGE_X float x
#define RECONVERGE_XY float x, float y
#define RECONVERGE_XYZ float x, float y, float z
RECONVERGE_TEXTURE(tex1Dfetch, cudaTextureType1D, INDEX, x)
RECONVERGE_TEXTURE(tex1D, cudaTextureType1D, X, x)
RECONVERGE_TEXTURE(tex2D, cudaTextureType2D, XY, x, y)
RECONVERGE_TEXTURE(tex3D, cudaTextureType3D, XYZ, x, y, z)
#undef RECONVERGE_XYZ
#undef RECONVERGE_XY
#undef RECONVERGE_X
#undef RECONVERGE_INDEX
#undef RECONVERGE_TEXTURE
// SPDX-License-Identifier: Apache-2.0
