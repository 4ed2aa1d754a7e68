#pragma once
/* Mathematics of device code, by name. It is declared before the C++ library's <cmath>: otherwise clang would take the
   constexpr functions there, such as std::sin(float), for functions of the device too.

   Most functions are those of libclc, OpenCL's library of LLVM: it has them by the name that C++ gives to the same
   function, so that a declaration is all they need. The driver defines RECONVERGE_LIBCLC if it links libclc; otherwise
   they are refused by name. The pass for the host emits none of them, and has nothing to refuse. */

#include <type_traits>

#if defined(RECONVERGE_LIBCLC) || !defined(__CUDA_ARCH__)
#define RECONVERGE_HAS_LIBRARY
#define RECONVERGE_LIBRARY(name) __attribute__((const)) __device__
#define RECONVERGE_LIBRARY_STORES(name) __device__
#else
#define RECONVERGE_LIBRARY(name)                                                                            \
  __attribute__((unavailable(#name " needs libclc, a library of LLVM: install it (Debian: apt-get install " \
                                   "libclc-14), use an intrinsic such as __expf, or compile by nvcc"))) __device__
#define RECONVERGE_LIBRARY_STORES(name) RECONVERGE_LIBRARY(name)
#endif

/* clang-format off */
/* Of one and of two arguments, from libclc. */
#define RECONVERGE_EACH_ONE(X)                                                                                       \
  X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(cos) X(cosh) X(erf) X(erfc) X(exp) X(expm1) X(lgamma) \
  X(log) X(log10) X(log1p) X(log2) X(logb) X(sin) X(sinh) X(tan) X(tanh) X(tgamma)
#define RECONVERGE_EACH_TWO(X) X(atan2) X(fdim) X(fmod) X(hypot) X(nextafter) X(pow) X(remainder)
/* From libclc, and not of the C++ library. */
#define RECONVERGE_EACH_EXTRA(X) X(cospi) X(exp10) X(sinpi)
/* PTX has these. */
#define RECONVERGE_EACH_SHORT_ONE(X) X(ceil) X(fabs) X(floor) X(nearbyint) X(rint) X(round) X(sqrt) X(trunc)
#define RECONVERGE_EACH_SHORT_TWO(X) X(copysign) X(fmax) X(fmin)
#define RECONVERGE_EACH_ROUNDED(X) X(long, lrint) X(long, lround) X(long long, llrint) X(long long, llround)
/* clang-format on */

#define RECONVERGE_ONE(name)                          \
  RECONVERGE_LIBRARY(name##f) float name##f(float a); \
  RECONVERGE_LIBRARY(name) float name(float a);       \
  RECONVERGE_LIBRARY(name) double name(double a);
#define RECONVERGE_TWO(name)                                   \
  RECONVERGE_LIBRARY(name##f) float name##f(float a, float b); \
  RECONVERGE_LIBRARY(name) float name(float a, float b);       \
  RECONVERGE_LIBRARY(name) double name(double a, double b);
#define RECONVERGE_SHORT_ONE(name)   \
  __device__ float name##f(float a); \
  __device__ float name(float a);    \
  __device__ double name(double a);
#define RECONVERGE_SHORT_TWO(name)            \
  __device__ float name##f(float a, float b); \
  __device__ float name(float a, float b);    \
  __device__ double name(double a, double b);
#define RECONVERGE_ROUNDED(type, name) \
  __device__ type name##f(float a);    \
  __device__ type name(float a);       \
  __device__ type name(double a);
RECONVERGE_EACH_ONE(RECONVERGE_ONE)
RECONVERGE_EACH_EXTRA(RECONVERGE_ONE)
RECONVERGE_EACH_TWO(RECONVERGE_TWO)
RECONVERGE_EACH_SHORT_ONE(RECONVERGE_SHORT_ONE)
RECONVERGE_EACH_SHORT_TWO(RECONVERGE_SHORT_TWO)
RECONVERGE_EACH_ROUNDED(RECONVERGE_ROUNDED)
__device__ float exp2f(float a);
__device__ float exp2(float a);
RECONVERGE_LIBRARY(exp2) double exp2(double a);
#undef RECONVERGE_ROUNDED
#undef RECONVERGE_SHORT_TWO
#undef RECONVERGE_SHORT_ONE
#undef RECONVERGE_TWO
#undef RECONVERGE_ONE

#define RECONVERGE_FOR(type)                                             \
  RECONVERGE_LIBRARY_STORES(frexp) type frexp(type a, int* exponent);    \
  RECONVERGE_LIBRARY_STORES(modf) type modf(type a, type* whole);        \
  RECONVERGE_LIBRARY_STORES(remquo) type remquo(type a, type b, int* q); \
  RECONVERGE_LIBRARY_STORES(sincos) type sincos(type a, type* cosine);   \
  RECONVERGE_LIBRARY(ilogb) int ilogb(type a);                           \
  RECONVERGE_LIBRARY(ldexp) type ldexp(type a, int exponent);            \
  RECONVERGE_LIBRARY(pow) type pown(type a, int exponent);               \
  __device__ type fma(type a, type b, type c);                           \
  __device__ type scalbn(type a, int exponent);                          \
  __device__ type scalbln(type a, long exponent);                        \
  __device__ type abs(type a);
RECONVERGE_FOR(float)
RECONVERGE_FOR(double)
#undef RECONVERGE_FOR
__device__ int abs(int a);
__device__ long abs(long a);
__device__ long long abs(long long a);

/* An integer as argument becomes a double. The type depends on T, so that a function that is refused is refused where
   it is called. */
template <class T>
using reconverge_double = typename std::enable_if<std::is_integral<T>::value, double>::type;
#define RECONVERGE_INTEGER(name)                       \
  template <class T>                                   \
  __device__ inline reconverge_double<T> name(T a) {   \
    return name(static_cast<reconverge_double<T>>(a)); \
  }
RECONVERGE_EACH_ONE(RECONVERGE_INTEGER)
RECONVERGE_EACH_SHORT_ONE(RECONVERGE_INTEGER)
RECONVERGE_INTEGER(exp2)
#undef RECONVERGE_INTEGER

/* NOLINTNEXTLINE(cert-dcl58-cpp): where code that says std:: looks for them. */
namespace std {
#define RECONVERGE_USING(name) using ::name;
#define RECONVERGE_USING_TYPED(type, name) using ::name;
RECONVERGE_EACH_ONE(RECONVERGE_USING)
RECONVERGE_EACH_TWO(RECONVERGE_USING)
RECONVERGE_EACH_SHORT_ONE(RECONVERGE_USING)
RECONVERGE_EACH_SHORT_TWO(RECONVERGE_USING)
RECONVERGE_EACH_ROUNDED(RECONVERGE_USING_TYPED)
using ::abs;
using ::exp2;
using ::fma;
using ::frexp;
using ::ilogb;
using ::ldexp;
using ::modf;
using ::remquo;
using ::scalbln;
using ::scalbn;
#undef RECONVERGE_USING_TYPED
#undef RECONVERGE_USING
}  // namespace std
// SPDX-License-Identifier: Apache-2.0
