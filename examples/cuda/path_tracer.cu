// SPDX-License-Identifier: Apache-2.0
// Traces paths of light among spheres and writes a PNG. Usage: path_tracer [width] [file]
#include <cmath>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "check.h"

#define BOTH __host__ __device__ inline

BOTH float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
BOTH float3 operator-(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
BOTH float3 operator*(float3 a, float3 b) { return make_float3(a.x * b.x, a.y * b.y, a.z * b.z); }
BOTH float3 operator*(float3 a, float b) { return make_float3(a.x * b, a.y * b, a.z * b); }
BOTH float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
BOTH float3 normalize(float3 a) { return a * (1 / sqrtf(dot(a, a))); }

enum class Surface { matte, mirror };

struct Sphere {
  float3 centre;
  float radius;
  float3 colour;
  Surface surface;
};

struct Image {
  unsigned width, height, samples;
};

struct Scene {
  const Sphere* spheres;
  unsigned count;
  float3 eye;
};

struct Ray {
  float3 origin, direction;
};

struct Hit {
  const Sphere* sphere;
  float distance;
};

// Random numbers that depend on the pixel and the sample only, and not on the order in which threads run.
class Random {
 public:
  BOTH explicit Random(unsigned seed) : state_(seed) {}
  // From 0 to 1, without 1.
  BOTH float next() {
    state_ = state_ * 747796405u + 2891336453u;
    unsigned word = ((state_ >> ((state_ >> 28) + 4)) ^ state_) * 277803737u;
    word = (word >> 22) ^ word;
    return static_cast<float>(word >> 8) / 16777216.0f;
  }

 private:
  unsigned state_;
};

// The distance along the ray to the sphere, or a negative number.
BOTH float distance_to(const Sphere& sphere, const Ray& ray) {
  const float3 way = sphere.centre - ray.origin;
  const float middle = dot(way, ray.direction);
  const float square = middle * middle - dot(way, way) + sphere.radius * sphere.radius;
  if (square < 0) return -1;
  const float root = sqrtf(square);
  return middle - root > 1e-3f ? middle - root : middle + root;
}

BOTH Hit nearest_hit(const Scene& scene, const Ray& ray) {
  Hit hit = {nullptr, 1e20f};
  for (unsigned i = 0; i < scene.count; ++i) {
    const float distance = distance_to(scene.spheres[i], ray);
    if (distance > 1e-3f && distance < hit.distance) hit = {&scene.spheres[i], distance};
  }
  return hit;
}

// A point on the unit sphere plus the normal: matte surfaces reflect in proportion to the cosine.
BOTH float3 matte_direction(float3 normal, Random& random) {
  const float z = 1 - 2 * random.next();
  const float angle = 6.2831853f * random.next();
  const float radius = sqrtf(fmaxf(0.0f, 1 - z * z));
  return normalize(normal * 1.001f + make_float3(radius * cosf(angle), radius * sinf(angle), z));
}

BOTH float3 sky(float3 direction) {
  const float height = 0.5f * (direction.y + 1);
  return make_float3(1, 1, 1) * (1 - height) + make_float3(0.4f, 0.6f, 1) * height;
}

// The light that comes along the ray. Paths end at the sky, or by chance where surfaces absorb light: their lengths
// differ, and so do the iterations of the threads of a warp.
BOTH float3 trace(const Scene& scene, Ray ray, Random& random) {
  float3 weight = make_float3(1, 1, 1);
  for (unsigned bounce = 0; bounce < 12; ++bounce) {
    const Hit hit = nearest_hit(scene, ray);
    if (hit.sphere == nullptr) return weight * sky(ray.direction);
    weight = weight * hit.sphere->colour;
    if (bounce >= 2) {
      // A path with little weight rarely survives; a path that does counts for the ones that ended.
      const float survival = fminf(1.0f, fmaxf(weight.x, fmaxf(weight.y, weight.z)));
      if (random.next() >= survival) break;
      weight = weight * (1 / survival);
    }
    ray.origin = ray.origin + ray.direction * hit.distance;
    const float3 normal = (ray.origin - hit.sphere->centre) * (1 / hit.sphere->radius);
    if (hit.sphere->surface == Surface::mirror)
      ray.direction = ray.direction - normal * (2 * dot(ray.direction, normal));
    else
      ray.direction = matte_direction(normal, random);
  }
  return make_float3(0, 0, 0);
}

BOTH float3 pixel(const Image& image, const Scene& scene, unsigned x, unsigned y) {
  float3 sum = make_float3(0, 0, 0);
  const float scale = 2 / static_cast<float>(image.height);
  for (unsigned sample = 0; sample < image.samples; ++sample) {
    Random random((y * image.width + x) * image.samples + sample);
    const float across = (static_cast<float>(x) + random.next() - 0.5f * static_cast<float>(image.width)) * scale;
    const float up = (0.5f * static_cast<float>(image.height) - static_cast<float>(y) - random.next()) * scale;
    const Ray ray = {scene.eye, normalize(make_float3(across, up, -2))};
    sum = sum + trace(scene, ray, random);
  }
  return sum * (1 / static_cast<float>(image.samples));
}

__global__ void render(Image image, Scene scene, float3* pixels) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < image.width && y < image.height) pixels[y * image.width + x] = pixel(image, scene, x, y);
}

std::vector<float3> render_on_device(const Image& image, Scene scene) {
  std::vector<float3> pixels(image.width * image.height);
  Sphere* spheres = nullptr;
  float3* device_pixels = nullptr;
  CHECK(cudaMalloc(&spheres, scene.count * sizeof(Sphere)));
  CHECK(cudaMalloc(&device_pixels, pixels.size() * sizeof(float3)));
  CHECK(cudaMemcpy(spheres, scene.spheres, scene.count * sizeof(Sphere), cudaMemcpyHostToDevice));
  scene.spheres = spheres;

  const dim3 block(8, 8);
  const dim3 grid((image.width + block.x - 1) / block.x, (image.height + block.y - 1) / block.y);
  render<<<grid, block>>>(image, scene, device_pixels);
  CHECK(cudaGetLastError());

  CHECK(cudaMemcpy(pixels.data(), device_pixels, pixels.size() * sizeof(float3), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(spheres));
  CHECK(cudaFree(device_pixels));
  return pixels;
}

// Compares every seventh pixel with the same code on the host. Roundings differ a little between the two, so that a few
// rays that graze a sphere hit on one and miss on the other; up to one pixel in fifty may differ.
bool verify(const Image& image, const Scene& scene, const std::vector<float3>& pixels) {
  unsigned compared = 0;
  unsigned different = 0;
  for (unsigned i = 0; i < pixels.size(); i += 7, ++compared) {
    const float3 difference = pixels[i] - pixel(image, scene, i % image.width, i / image.width);
    if (!(dot(difference, difference) < 1e-6f)) ++different;
  }
  std::printf("%u pixels compared with the host, %u differ\n", compared, different);
  return different <= compared / 50;
}

// A PNG without compression: deflate has stored blocks for this purpose.
class PngWriter {
 public:
  explicit PngWriter(const std::string& path) : file_(path, std::ios::binary) { file_ << "\x89PNG\r\n\x1a\n"; }

  bool write(unsigned width, unsigned height, const std::string& rows) {
    // 8 bits for each of red, green and blue.
    chunk("IHDR" + big_endian(width) + big_endian(height) + std::string("\x08\x02\0\0\0", 5));
    std::string data = "IDAT\x78\x01";
    for (std::size_t begin = 0; begin < rows.size(); begin += largest_stored) {
      const std::string stored = rows.substr(begin, largest_stored);
      const unsigned size = static_cast<unsigned>(stored.size());
      data += begin + largest_stored >= rows.size() ? '\1' : '\0';
      data += little_endian(size) + little_endian(~size) + stored;
    }
    chunk(data + big_endian(adler32(rows)));
    chunk("IEND");
    return file_.good();
  }

 private:
  static constexpr std::size_t largest_stored = 65535;

  static std::string big_endian(std::uint32_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 255);
    return bytes;
  }
  static std::string little_endian(std::uint32_t value) {
    return {static_cast<char>(value & 255), static_cast<char>(value >> 8 & 255)};
  }
  static std::uint32_t crc32(const std::string& bytes) {
    std::uint32_t crc = ~0u;
    for (const unsigned char byte : bytes) {
      crc ^= byte;
      for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320u : 0u);
    }
    return ~crc;
  }
  static std::uint32_t adler32(const std::string& bytes) {
    std::uint32_t a = 1, b = 0;
    for (const unsigned char byte : bytes) a = (a + byte) % 65521, b = (b + a) % 65521;
    return b << 16 | a;
  }
  // The length counts the data without the name; the checksum covers both.
  void chunk(const std::string& named) {
    file_ << big_endian(static_cast<std::uint32_t>(named.size()) - 4) << named << big_endian(crc32(named));
  }

  std::ofstream file_;
};

char byte_of(float light) {
  const float displayed = std::sqrt(std::fmin(std::fmax(light, 0.0f), 1.0f));  // as a gamma of 2
  return static_cast<char>(static_cast<unsigned char>(displayed * 255 + 0.5f));
}

bool write_image(const std::string& path, const Image& image, const std::vector<float3>& pixels) {
  std::string rows;
  for (unsigned i = 0; i < pixels.size(); ++i) {
    if (i % image.width == 0) rows += '\0';  // no filter for this row
    rows += byte_of(pixels[i].x), rows += byte_of(pixels[i].y), rows += byte_of(pixels[i].z);
  }
  return PngWriter(path).write(image.width, image.height, rows);
}

float3 mean(const std::vector<float3>& pixels) {
  float3 sum = make_float3(0, 0, 0);
  for (const float3& one : pixels) sum = sum + one;
  return sum * (1 / static_cast<float>(pixels.size()));
}

int main(int argument_count, char** arguments) {
  const unsigned width = size_argument(argument_count, arguments, 96);
  const std::string path = argument_count > 2 ? arguments[2] : "path_tracer.png";
  const Image image = {width, (width * 2 + 2) / 3, 4};
  const std::vector<Sphere> spheres = {
      {make_float3(0, -30.5f, 0), 30, make_float3(0.6f, 0.6f, 0.5f), Surface::matte},  // the ground
      {make_float3(0, 0.1f, 0), 0.6f, make_float3(0.8f, 0.3f, 0.25f), Surface::matte},
      {make_float3(-1.15f, 0, -0.3f), 0.5f, make_float3(0.9f, 0.9f, 0.9f), Surface::mirror},
      {make_float3(1.1f, 0, 0.1f), 0.5f, make_float3(0.8f, 0.7f, 0.3f), Surface::mirror},
      {make_float3(0.45f, -0.3f, 0.9f), 0.2f, make_float3(0.3f, 0.7f, 0.4f), Surface::matte}};
  const Scene scene = {spheres.data(), static_cast<unsigned>(spheres.size()), make_float3(0, 0.3f, 3.2f)};

  const std::vector<float3> pixels = render_on_device(image, scene);
  const float3 light = mean(pixels);
  std::printf("%u x %u pixels with %u samples, mean light (%.3f, %.3f, %.3f)\n", image.width, image.height,
              image.samples, light.x, light.y, light.z);
  const bool right = verify(image, scene, pixels);
  if (!write_image(path, image, pixels)) {
    std::fprintf(stderr, "%s: cannot be written\n", path.c_str());
    return verdict(false);
  }
  std::printf("image: %s\n", path.c_str());
  return verdict(right);
}
