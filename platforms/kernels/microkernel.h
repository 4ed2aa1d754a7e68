#pragma once
/* Like device.h, for kernels whose threads create others at micro-kernels (Steffen and Zambreno, MICRO 2010): a source
   has a kernel and its micro-kernels, each a separate function with the kernel's parameters, and `combine_microkernels`
   makes one entry of the PTX. The name of a micro-kernel is its label in that entry. Each source has the functions that
   spawn at its labels, for both sides. */

#include "platforms/kernels/traversal.h"

/* NOLINTBEGIN(bugprone-reserved-identifier): as device.h has __global__ */
#if defined(__CUDA__)
#define __microkernel__ __attribute__((global))
#else
#define __microkernel__
#endif
/* NOLINTEND(bugprone-reserved-identifier) */

namespace reconverge::kernels {

#if defined(__CUDA__)

/* The address of a thread's state: for a thread of the grid, and for a spawned thread, whose parent wrote the state. */
__device__ inline unsigned own_state() {
  unsigned state;
  asm volatile("mov.u32 %0, %%spawnMemAddr;" : "=r"(state));
  return state;
}
__device__ inline unsigned parent_state() {
  unsigned state;
  asm volatile("ld.spawnMem.u32 %0, [%1];" : "=r"(state) : "r"(own_state()));
  return state;
}

/* One word of the state, and four words at once, at an offset in bytes. */
template <int place>
__device__ inline float load_state(unsigned state) {
  float word;
  asm volatile("ld.spawnMem.f32 %0, [%1+%2];" : "=f"(word) : "r"(state), "n"(place));
  return word;
}
template <int place>
__device__ inline unsigned load_state_word(unsigned state) {
  unsigned word;
  asm volatile("ld.spawnMem.u32 %0, [%1+%2];" : "=r"(word) : "r"(state), "n"(place));
  return word;
}
template <int place>
__device__ inline void store_state(unsigned state, float word) {
  asm volatile("st.spawnMem.f32 [%0+%1], %2;" : : "r"(state), "n"(place), "f"(word) : "memory");
}
template <int place>
__device__ inline void store_state(unsigned state, unsigned word) {
  asm volatile("st.spawnMem.u32 [%0+%1], %2;" : : "r"(state), "n"(place), "r"(word) : "memory");
}
template <int place>
__device__ inline Float4 load_state_vector(unsigned state) {
  Float4 v;
  asm volatile("ld.spawnMem.v4.f32 {%0, %1, %2, %3}, [%4+%5];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "r"(state), "n"(place));
  return v;
}
template <int place>
__device__ inline void store_state_vector(unsigned state, const Float4& v) {
  asm volatile("st.spawnMem.v4.f32 [%0+%1], {%2, %3, %4, %5};"
               :
               : "r"(state), "n"(place), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w)
               : "memory");
}

#else

/* The host's thread continues as the thread that it creates, with its state in place. */
struct SpawnPlace {
  unsigned state[32]{};
  void (*next)() = nullptr; /* the micro-kernel at which it has spawned, which the twin calls with the parameters */
};
inline thread_local SpawnPlace spawn_place;

template <typename... Parameters>
void spawn_at(void (*microkernel)(Parameters...)) {
  spawn_place.next = reinterpret_cast<void (*)()>(microkernel);
}

inline unsigned own_state() { return 0; }
inline unsigned parent_state() { return 0; }

template <int place>
float load_state(unsigned /*state*/) {
  return bits_float(spawn_place.state[place / 4]);
}
template <int place>
unsigned load_state_word(unsigned /*state*/) {
  return spawn_place.state[place / 4];
}
template <int place>
void store_state(unsigned /*state*/, float word) {
  spawn_place.state[place / 4] = float_bits(word);
}
template <int place>
void store_state(unsigned /*state*/, unsigned word) {
  spawn_place.state[place / 4] = word;
}
template <int place>
Float4 load_state_vector(unsigned /*state*/) {
  return load_as<Float4>(spawn_place.state, place / 16);
}
template <int place>
void store_state_vector(unsigned /*state*/, const Float4& v) {
  std::memcpy(spawn_place.state + place / 4, &v, sizeof v);
}

#endif

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
