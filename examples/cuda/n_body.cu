// SPDX-License-Identifier: Apache-2.0
// Moves bodies by their gravity; positions come through textures. Usage: n_body [bodies]
#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "check.h"

constexpr unsigned block_threads = 128;
constexpr unsigned steps = 2;

struct Parameters {
  unsigned count;
  float time_step;
  float softening;  // of the distance, so that no force is infinite
};

// x, y and z of the position, and the mass as w.
struct Bodies {
  std::vector<float4> positions;
  std::vector<float3> velocities;
};

__constant__ Parameters parameters;

__device__ float3 acceleration(cudaTextureObject_t positions, float4 body) {
  float3 sum = make_float3(0, 0, 0);
  for (unsigned i = 0; i < parameters.count; ++i) {
    const float4 other = tex1Dfetch<float4>(positions, static_cast<int>(i));
    const float3 way = make_float3(other.x - body.x, other.y - body.y, other.z - body.z);
    const float square = way.x * way.x + way.y * way.y + way.z * way.z + parameters.softening * parameters.softening;
    const float inverse = rsqrtf(square);
    const float pull = other.w * inverse * inverse * inverse;
    sum.x += pull * way.x;
    sum.y += pull * way.y;
    sum.z += pull * way.z;
  }
  return sum;
}

__global__ void step(cudaTextureObject_t positions, float4* new_positions, float3* velocities) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= parameters.count) return;
  float4 body = tex1Dfetch<float4>(positions, static_cast<int>(i));
  const float3 change = acceleration(positions, body);
  float3 velocity = velocities[i];
  velocity.x += change.x * parameters.time_step;
  velocity.y += change.y * parameters.time_step;
  velocity.z += change.z * parameters.time_step;
  body.x += velocity.x * parameters.time_step;
  body.y += velocity.y * parameters.time_step;
  body.z += velocity.z * parameters.time_step;
  velocities[i] = velocity;
  new_positions[i] = body;
}

cudaTextureObject_t texture_of(float4* positions, unsigned count) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = positions;
  resource.res.linear.desc = cudaCreateChannelDesc<float4>();
  resource.res.linear.sizeInBytes = count * sizeof(float4);
  cudaTextureDesc description = {};
  description.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  return texture;
}

void move_on_device(Bodies& bodies, const Parameters& chosen) {
  const std::size_t position_bytes = chosen.count * sizeof(float4);
  const std::size_t velocity_bytes = chosen.count * sizeof(float3);
  // A step reads one array and writes the other, because a texture must not change while a kernel reads it.
  float4* positions[2] = {};
  float3* velocities = nullptr;
  CHECK(cudaMalloc(&positions[0], position_bytes));
  CHECK(cudaMalloc(&positions[1], position_bytes));
  CHECK(cudaMalloc(&velocities, velocity_bytes));
  CHECK(cudaMemcpy(positions[0], bodies.positions.data(), position_bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(velocities, bodies.velocities.data(), velocity_bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToSymbol(parameters, &chosen, sizeof(chosen)));
  const cudaTextureObject_t textures[2] = {texture_of(positions[0], chosen.count),
                                           texture_of(positions[1], chosen.count)};

  const unsigned blocks = (chosen.count + block_threads - 1) / block_threads;
  for (unsigned i = 0; i < steps; ++i) {
    step<<<blocks, block_threads>>>(textures[i % 2], positions[(i + 1) % 2], velocities);
    CHECK(cudaGetLastError());
  }

  CHECK(cudaMemcpy(bodies.positions.data(), positions[steps % 2], position_bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(bodies.velocities.data(), velocities, velocity_bytes, cudaMemcpyDeviceToHost));
  for (const cudaTextureObject_t texture : textures) CHECK(cudaDestroyTextureObject(texture));
  for (float4* array : positions) CHECK(cudaFree(array));
  CHECK(cudaFree(velocities));
}

// The same steps in double precision.
void move_on_host(Bodies& bodies, const Parameters& chosen) {
  for (unsigned i = 0; i < steps; ++i) {
    const std::vector<float4> before = bodies.positions;
    for (unsigned body = 0; body < chosen.count; ++body) {
      float4& position = bodies.positions[body];
      float3& velocity = bodies.velocities[body];
      double x = 0, y = 0, z = 0;
      for (const float4& other : before) {
        const double to_x = other.x - position.x, to_y = other.y - position.y, to_z = other.z - position.z;
        const double square = to_x * to_x + to_y * to_y + to_z * to_z + chosen.softening * chosen.softening;
        const double pull = other.w / (square * std::sqrt(square));
        x += pull * to_x, y += pull * to_y, z += pull * to_z;
      }
      velocity.x += static_cast<float>(x * chosen.time_step);
      velocity.y += static_cast<float>(y * chosen.time_step);
      velocity.z += static_cast<float>(z * chosen.time_step);
      position.x += velocity.x * chosen.time_step;
      position.y += velocity.y * chosen.time_step;
      position.z += velocity.z * chosen.time_step;
    }
  }
}

Bodies random_bodies(unsigned count) {
  std::mt19937 random(3);
  // From -1 to 1; std::uniform_real_distribution would differ between libraries.
  const auto coordinate = [&] { return static_cast<float>(random() % 20001) / 10000 - 1; };
  Bodies bodies;
  for (unsigned i = 0; i < count; ++i) {
    const float x = coordinate(), y = coordinate(), z = coordinate();
    bodies.positions.push_back(make_float4(x, y, z, (coordinate() + 1.1f) / static_cast<float>(count)));
    bodies.velocities.push_back(make_float3(-y / 2, x / 2, 0));
  }
  return bodies;
}

double largest_difference(const std::vector<float4>& a, const std::vector<float4>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (const double difference : {a[i].x - b[i].x, a[i].y - b[i].y, a[i].z - b[i].z})
      largest = std::max(largest, std::fabs(difference));
  return largest;
}

int main(int argument_count, char** arguments) {
  const Parameters chosen = {size_argument(argument_count, arguments, 256), 0.01f, 0.05f};
  Bodies bodies = random_bodies(chosen.count);
  Bodies expected = bodies;
  move_on_device(bodies, chosen);
  move_on_host(expected, chosen);

  const float4 first = bodies.positions.front();
  const double difference = largest_difference(bodies.positions, expected.positions);
  std::printf("%u bodies, %u steps: the first is at (%.5f, %.5f, %.5f); largest difference from the host %.1e\n",
              chosen.count, steps, first.x, first.y, first.z, difference);
  return verdict(difference < 1e-5);
}
