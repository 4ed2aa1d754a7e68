/* Classes with virtual functions, made and called on the device. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

namespace {
class Shape {
 public:
  __device__ virtual float area() const = 0;
  __device__ virtual unsigned corners() const { return 0; }
  __device__ float price(float each) const { return area() * each + static_cast<float>(corners()); }

 protected:
  ~Shape() = default;
};

class Square final : public Shape {
 public:
  __device__ explicit Square(float side) : side_(side) {}
  __device__ float area() const override { return side_ * side_; }
  __device__ unsigned corners() const override { return 4; }

 private:
  float side_;
};

class Round : public Shape {
 public:
  __device__ explicit Round(float radius) : radius_(radius) {}
  __device__ float area() const override { return 3.25F * radius_ * radius_; }

 protected:
  ~Round() = default;

 private:
  float radius_;
};

class Disc final : public Round {
 public:
  using Round::Round;
};

class Ring final : public Round {
 public:
  __device__ Ring(float radius, float hole) : Round(radius), hole_(hole) {}
  __device__ float area() const override { return Round::area() - hole_.area(); }
  __device__ unsigned corners() const override { return 1; }

 private:
  Disc hole_;
};

__device__ __noinline__ float total(const Shape* const* shapes, unsigned count) {
  float sum = 0;
  for (unsigned i = 0; i < count; ++i) sum += shapes[i]->price(0.5F);
  return sum;
}
}  // namespace

extern "C" __global__ void virtual_shapes(Input input, unsigned* output, unsigned* sums) {
  const unsigned n = thread_number();
  const float size = moderate(input[n]);
  const Square square(size);
  const Disc disc(size);
  const Ring ring(size + 1.0F, size * 0.5F);
  const Shape* const all[3] = {&square, &disc, &ring};
  const Shape* mixed[4];
  for (unsigned i = 0; i < 4; ++i) mixed[i] = all[(input[n] >> 8 * i) % 3];
  output[2 * n] = bits_of(total(mixed, 4));
  output[2 * n + 1] = mixed[0]->corners();
  atomic_add(&sums[mixed[1]->corners()], 1);
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
