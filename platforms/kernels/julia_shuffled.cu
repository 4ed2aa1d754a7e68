/* julia_colours for dynamic ray shuffling (Lü et al., MICRO 2017). Its rays are the points of a picture here: a round
   fetches the next point, or iterates a point a few times. There are no leaves. The state of a point is in registers,
   because the hardware may move it to another thread at rdctrl. */

#include "platforms/kernels/julia_point.h"
#include "platforms/kernels/kernels.h"
#include "platforms/kernels/shuffled_ray.h"

namespace reconverge::kernels {

namespace {

/* Iterations of one round: enough that the costs of rdctrl and of the choice are small in comparison, and few enough
   that lanes whose point has ended do not wait long. */
constexpr int iterations_a_round = 8;

/* The ray registers. Zero if the place has not had a point yet. */
struct PointRegisters {
  Complex z{0, 0};
  unsigned n = 0;
  unsigned number = 0; /* 1 + index of the point; 0: none */
};

#if defined(__CUDA__)
__device__ inline RayState read_control(PointRegisters& own) {
  unsigned control;
  asm volatile("rdctrl.b32 %0, {%1, %2, %3, %4};"
               : "=r"(control), "+f"(own.z.real), "+f"(own.z.imaginary), "+r"(own.n), "+r"(own.number));
  return static_cast<RayState>(control);
}
#endif

/* The next step for the point. */
__device__ inline RayState state_of(const PointRegisters& own, unsigned limit) {
  return goes_on(own.z, own.n, limit) ? RayState::inner : RayState::fetch;
}

}  // namespace

extern "C" __global__ void julia_shuffled(const Float4* points, float c_real, float c_imaginary, unsigned limit,
                                          float* colours, unsigned count, unsigned* counter) {
  const Complex c{c_real, c_imaginary};
  PointRegisters own;
  for (;;) {
    const RayState control = read_control(own);
    if (!any_ray(control)) return;
    if (control == RayState::fetch) {
      if (own.number != 0) colours[own.number - 1] = colour_of(own.n, limit);
      const unsigned index = next_number(counter);
      if (index < count) {
        const Float4 point = load_float4(points, index);
        own = {iterated({point.x, point.y}, c), 0, index + 1};
        set_ray_state(state_of(own, limit));
      } else {
        set_ray_state(RayState::none);
      }
    }
    if (control == RayState::inner) {
      int done = 0;
      do {
        own.z = iterated(own.z, c);
        ++own.n;
      } while (++done < iterations_a_round && goes_on(own.z, own.n, limit));
      set_ray_state(state_of(own, limit));
    }
  }
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
