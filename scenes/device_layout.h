#pragma once
/* The records that host code, CUDA C++ kernels and the modelled GPU share: plain data, read with 16-byte vector
   loads, so every record is a multiple of 16 bytes and 16-byte aligned in device memory. Plain enough for
   `clang -x cuda -nocudainc -nocudalib` and for any host compiler. */

namespace reconverge::scenes {

/* Inner node of a two-child BVH, 64 bytes: both children's boxes in the parent, in the order in which
   the kernels of Aila, Laine and Karras (NVIDIA NVR-2012-02) read them. */
struct alignas(16) BvhNode {
  float c0_lo_x, c0_hi_x, c0_lo_y, c0_hi_y;
  float c1_lo_x, c1_hi_x, c1_lo_y, c1_hi_y;
  float c0_lo_z, c0_hi_z, c1_lo_z, c1_hi_z;
  /* >= 0: index of an inner node. < 0: ~child is the row (16 bytes each) of the leaf's first triangle. */
  int child0, child1;
  int unused0, unused1;
};

/* A triangle as three rows of the affine map to the unit triangle (Woop, "A ray tracing hardware architecture for
   dynamic scenes", 2004), 48 bytes; row 0 gives the distance, rows 1 and 2 the barycentric coordinates. With o the
   ray's origin, d its direction and row.xyz the first three elements:
     t = (row0[3] - o . row0.xyz) / (d . row0.xyz)
     u = row1[3] + o . row1.xyz + t * (d . row1.xyz)   weight of the second vertex; v by row 2, weight of the third
   A hit has t_min < t < best t, u >= 0, v >= 0 and u + v <= 1.
   A leaf's triangles follow each other; one row whose x is `leaf_end_bits` ends the leaf.
   After the last leaf there are `spare_rows` more of these, because a kernel may load three rows before it tests the
   first. */
struct alignas(16) WoopTriangle {
  float row0[4];
  float row1[4];
  float row2[4];
};

inline constexpr unsigned leaf_end_bits = 0x80000000U; /* -0.0f: never the x of a triangle's row 0 */
inline constexpr unsigned spare_rows = 2;

/* Node of a kd-tree, 8 bytes. The low two bits of `bits` are the axis 0..2 of the split plane, or `kd_leaf`; the upper
   thirty are an index. Inner node: `value` holds the plane's coordinate as a float's bits, the index is that of the
   child below the plane, and the child above follows it. Leaf: the index is the first entry of the list of triangles,
   `value` their number. A triangle may be in many leaves; its WoopTriangle is found by its number in the mesh. */
struct alignas(8) KdNode {
  unsigned bits;
  unsigned value;
};

inline constexpr unsigned kd_leaf = 3U;

/* A uniform grid, 64 bytes; its cells are numbered (x * cells_y + y) * cells_z + z, as in BrookGPU's ray tracer. Plane
   i across an axis lies at low + i * cell. Cell c holds the triangles triangles[first[c]] to triangles[first[c + 1] -
   1]; `first` has one element more than there are cells. Rays are tested against the larger box `enter_low`,
   `enter_high`, so that rounding loses none at the scene's outer faces, and start in the nearest cell. */
struct alignas(16) GridFrame {
  float low[3];
  int cells_x;
  float cell[3];
  int cells_y;
  float enter_low[3];
  int cells_z;
  float enter_high[3];
  int unused;
};

struct alignas(16) Ray {
  float origin[3];
  float t_min;
  float direction[3]; /* not normalised: distances are in units of its length */
  float t_max;
};

struct alignas(16) Hit {
  int triangle; /* index in the mesh; -1: nothing between t_min and t_max */
  float t;      /* t_max when nothing was hit */
  float u, v;   /* barycentric weights of the second and third vertex */
};

/* What a ray of a stream adds to the picture, already divided by the samples of a pixel. Extension rays: the factor
   of the emission that the ray meets, without the share that a shadow ray counts. Shadow rays: the light that arrives
   if the ray hits nothing. */
struct alignas(16) PathSample {
  float weight[3];
  unsigned pixel; /* y * width + x */
};

struct alignas(16) Material {
  float albedo[3];
  float mirror;      /* share of the light reflected as by a white mirror, 0..1; read by the host path tracer only */
  float emission[3]; /* radiance, the same from both sides, so that a kernel needs no normal */
  float roughness;   /* of that mirror, GGX's alpha, 0..1: 0 reflects one way; read by the host path tracer only */
};

/* A triangle as a shader reads it: its corners in an array of positions, 16 bytes each, and its material. */
struct alignas(16) TriangleRecord {
  unsigned corner[3];
  unsigned material;
};

/* The pinhole camera of a picture, 64 bytes. A ray goes through right * x + up * y + forward, x and y from -1 to 1, y
   upwards; row 0 of the picture is the top one. */
struct alignas(16) EyeFrame {
  float eye[3];
  unsigned width;
  float right[3];
  unsigned height;
  float up[3];
  unsigned unused0;
  float forward[3]; /* of length 1 */
  unsigned unused1;
};

/* The picture's parameters for a megakernel. A camera ray goes through right * x + up * y + forward, x and y from -1
   to 1, y upwards. */
struct alignas(16) MegakernelFrame {
  float eye[3];
  unsigned width;
  float right[3];
  unsigned height;
  float up[3];
  unsigned programs; /* shader programs, 4..16: material m runs program m modulo this */
  float forward[3];
  unsigned lights;          /* triangles that emit */
  float surface_offset;     /* rays start this far above a surface */
  float occlusion_distance; /* length of a ray of ambient occlusion */
  float texture_scale;      /* repetitions of a picture in a unit of length */
  unsigned seed;
  unsigned block_stride; /* block b of the grid draws block b * block_stride of the picture */
  unsigned unused[3];
};

}  // namespace reconverge::scenes
// SPDX-License-Identifier: Apache-2.0
