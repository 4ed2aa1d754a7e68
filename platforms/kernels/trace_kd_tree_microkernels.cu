/* trace_kd_tree without its three loops (Steffen and Zambreno, MICRO 2010, section VI-A): each round is a thread of its
   own, at one of three micro-kernels, a step down, the test of one triangle, and the way back to the next subtree. It
   gets all of the ray's state by three vector loads and leaves all of it by three vector stores, whatever it changes:
   the paper's naive form.
   The arithmetic is that of trace_kd_tree, and so is every hit, bit for bit. What has no place in 48 bytes:
   1. The stack is in memory of the host's, in entries that lie side by side for neighbouring rays.
   2. Hits are written when they are found; a miss is written at the beginning.
   3. Reciprocals are worked out where a plane is met, for its axis alone.
   4. t_min is read again where a triangle is hit. It is not negative, so nothing nearer than zero comes so far. */

#include "platforms/kernels/kernels.h"
#include "platforms/kernels/microkernel.h"

namespace reconverge::kernels {

extern "C" {
/* From an inner node to a child; to a leaf's triangles, or back, when that is a leaf. */
__microkernel__ void trace_kd_tree_down(const KdNode*, const int*, const Float4*, const Ray*, Hit*, unsigned, float,
                                        float, float, float, float, float, Word2*);
/* One triangle of a leaf. */
__microkernel__ void trace_kd_tree_leaf(const KdNode*, const int*, const Float4*, const Ray*, Hit*, unsigned, float,
                                        float, float, float, float, float, Word2*);
/* To the next subtree on the stack, or to the end. */
__microkernel__ void trace_kd_tree_back(const KdNode*, const int*, const Float4*, const Ray*, Hit*, unsigned, float,
                                        float, float, float, float, float, Word2*);
}

namespace {

/* Bits of `place` for the entries on the stack: 48 at most. */
constexpr unsigned waiting_bits = 6;

/* A ray on its way. */
struct KdState {
  float origin_x, origin_y, origin_z, t_far;
  float direction_x, direction_y, direction_z, t; /* of the nearest hit so far; without one the end of the ray */
  unsigned place;                                 /* number of the ray, then entries on the stack */
  float t_near;
  Word2 node; /* in a leaf x counts up from triangle to triangle, and y down to none */

  __device__ unsigned ray() const { return place >> waiting_bits; }
  __device__ unsigned waiting() const { return place & ((1U << waiting_bits) - 1); }
};

#if defined(__CUDA__)

__device__ inline KdState load_kd_state(unsigned at) {
  KdState s;
  const Float4 o = load_state_vector<0>(at);
  const Float4 d = load_state_vector<16>(at);
  asm volatile("ld.spawnMem.v4.b32 {%0, %1, %2, %3}, [%4+32];"
               : "=r"(s.place), "=f"(s.t_near), "=r"(s.node.x), "=r"(s.node.y)
               : "r"(at));
  s.origin_x = o.x;
  s.origin_y = o.y;
  s.origin_z = o.z;
  s.t_far = o.w;
  s.direction_x = d.x;
  s.direction_y = d.y;
  s.direction_z = d.z;
  s.t = d.w;
  return s;
}

__device__ inline void store_kd_place(unsigned at, const KdState& s) {
  asm volatile("st.spawnMem.v4.b32 [%0+32], {%1, %2, %3, %4};"
               :
               : "r"(at), "r"(s.place), "f"(s.t_near), "r"(s.node.x), "r"(s.node.y)
               : "memory");
}

/* A thread for each lane: at an inner node one that goes down, in a leaf one that tests its first triangle, and where
   there is none one that goes back. */
__device__ inline void spawn_at_node(unsigned at, const Word2& node) {
  asm volatile(
      "{ .reg .pred inner, full, empty;\n\t"
      "setp.ne.u32 inner, %1, %3;\n\t"
      "setp.ne.and.u32 full|empty, %2, 0, !inner;\n\t"
      "@inner spawn trace_kd_tree_down, %0;\n\t"
      "@full spawn trace_kd_tree_leaf, %0;\n\t"
      "@empty spawn trace_kd_tree_back, %0; }"
      :
      : "r"(at), "r"(node.x & 3U), "r"(node.y), "n"(scenes::kd_leaf)
      : "memory");
}

/* One that tests the next triangle, or goes back when there is none left. */
__device__ inline void spawn_in_leaf(unsigned at, unsigned left) {
  asm volatile(
      "{ .reg .pred more;\n\t"
      "setp.ne.u32 more, %1, 0;\n\t"
      "@more spawn trace_kd_tree_leaf, %0;\n\t"
      "@!more spawn trace_kd_tree_back, %0; }"
      :
      : "r"(at), "r"(left)
      : "memory");
}

#else

inline KdState load_kd_state(unsigned /*at*/) { return load_as<KdState>(spawn_place.state, 0); }
inline void store_kd_place(unsigned at, const KdState& s) {
  store_state<32>(at, s.place);
  store_state<36>(at, s.t_near);
  store_state<40>(at, s.node.x);
  store_state<44>(at, s.node.y);
}
inline void spawn_at_node(unsigned /*at*/, const Word2& node) {
  spawn_at((node.x & 3U) != scenes::kd_leaf ? trace_kd_tree_down
           : node.y != 0                    ? trace_kd_tree_leaf
                                            : trace_kd_tree_back);
}
inline void spawn_in_leaf(unsigned /*at*/, unsigned left) {
  spawn_at(left != 0 ? trace_kd_tree_leaf : trace_kd_tree_back);
}

#endif

__device__ inline void store_kd_ray(unsigned at, const KdState& s) {
  store_state_vector<0>(at, {s.origin_x, s.origin_y, s.origin_z, s.t_far});
  store_state_vector<16>(at, {s.direction_x, s.direction_y, s.direction_z, s.t});
}

__device__ inline void go_on(unsigned at, const KdState& s) {
  store_kd_ray(at, s);
  store_kd_place(at, s);
  spawn_at_node(at, s.node);
}

/* Entry `number` of the ray's stack. */
__device__ inline Word2* stack_entry(Word2* stacks, unsigned count, unsigned number, const KdState& s) {
  return stacks + (number * count + s.ray());
}

__device__ inline float along(unsigned axis, float x, float y, float z) { return axis == 0 ? x : axis == 1 ? y : z; }

}  // namespace

extern "C" {

__global__ void trace_kd_tree_microkernels(const KdNode* nodes, const int* /*leaf_triangles*/,
                                           const Float4* /*triangle_rows*/, const Ray* rays, Hit* hits, unsigned count,
                                           float low_x, float low_y, float low_z, float high_x, float high_y,
                                           float high_z, Word2* /*stacks*/) {
  const unsigned index = global_thread();
  if (index >= count) return;
  const RayTest ray = start_ray(rays + index);
  write_float4(reinterpret_cast<Float4*>(hits + index), {bits_float(~0U), ray.t_max, 0.0F, 0.0F});
  const auto [t_near, t_far] = box_span(ray, low_x, high_x, low_y, high_y, low_z, high_z, ray.t_max);
  if (t_near > t_far) return;
  go_on(own_state(), {ray.origin_x, ray.origin_y, ray.origin_z, t_far, ray.direction_x, ray.direction_y,
                      ray.direction_z, ray.t_max, index << waiting_bits, t_near, load_word2(nodes, 0)});
}

__microkernel__ void trace_kd_tree_down(const KdNode* nodes, const int* /*leaf_triangles*/,
                                        const Float4* /*triangle_rows*/, const Ray* /*rays*/, Hit* /*hits*/,
                                        unsigned count, float /*low_x*/, float /*low_y*/, float /*low_z*/,
                                        float /*high_x*/, float /*high_y*/, float /*high_z*/, Word2* stacks) {
  const unsigned at = parent_state();
  KdState s = load_kd_state(at);
  const unsigned axis = s.node.x & 3U;
  const float inverse = safe_inverse(along(axis, s.direction_x, s.direction_y, s.direction_z));
  const float t = (bits_float(s.node.y) - along(axis, s.origin_x, s.origin_y, s.origin_z)) * inverse;
  const unsigned below = s.node.x >> 2U;
  const unsigned first = inverse < 0.0F ? below + 1 : below;
  const unsigned second = inverse < 0.0F ? below : below + 1;
  unsigned next = first;
  if (t <= s.t_far) {
    if (t < s.t_near) {
      next = second;
    } else {
      write_word2(stack_entry(stacks, count, s.waiting(), s), {second, float_bits(s.t_far)});
      ++s.place;
      s.t_far = t;
    }
  }
  s.node = load_word2(nodes, next);
  go_on(at, s);
}

__microkernel__ void trace_kd_tree_leaf(const KdNode* /*nodes*/, const int* leaf_triangles, const Float4* triangle_rows,
                                        const Ray* rays, Hit* hits, unsigned /*count*/, float /*low_x*/,
                                        float /*low_y*/, float /*low_z*/, float /*high_x*/, float /*high_y*/,
                                        float /*high_z*/, Word2* /*stacks*/) {
  const unsigned at = parent_state();
  KdState s = load_kd_state(at);
  const unsigned row = 3U * static_cast<unsigned>(load_int(leaf_triangles + (s.node.x >> 2U)));
  s.node.x += 4U; /* over the two low bits */
  --s.node.y;
  store_kd_place(at, s); /* already here, so that it takes no registers during the test */
  const RayTest ray{s.origin_x, s.origin_y, s.origin_z, 0.0F, s.direction_x, s.direction_y, s.direction_z,
                    s.t,        0.0F,       0.0F,       0.0F, 0.0F,          0.0F,          0.0F};
  meet_triangle(triangle_rows, row, load_float4(triangle_rows, row), ray, [&](float t, float u, float v) {
    const unsigned index = load_state_word<32>(at) >> waiting_bits;
    if (!(t > load_float(&rays[index].t_min))) return;
    s.t = t;
    write_float4(reinterpret_cast<Float4*>(hits + index), {bits_float(row / 3U), t, u, v});
  });
  store_kd_ray(at, s);
  spawn_in_leaf(at, s.node.y);
}

__microkernel__ void trace_kd_tree_back(const KdNode* nodes, const int* /*leaf_triangles*/,
                                        const Float4* /*triangle_rows*/, const Ray* /*rays*/, Hit* /*hits*/,
                                        unsigned count, float /*low_x*/, float /*low_y*/, float /*low_z*/,
                                        float /*high_x*/, float /*high_y*/, float /*high_z*/, Word2* stacks) {
  const unsigned at = parent_state();
  KdState s = load_kd_state(at);
  if (s.waiting() == 0 || s.t <= s.t_far) return;
  --s.place;
  const Word2 top = read_word2(stack_entry(stacks, count, s.waiting(), s));
  s.t_near = s.t_far;
  s.t_far = bits_float(top.y);
  s.node = load_word2(nodes, top.x);
  go_on(at, s);
}
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
