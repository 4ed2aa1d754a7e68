// SPDX-License-Identifier: Apache-2.0
#pragma once
// A vector in device memory.

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace vector_library {

// Throws if the call failed.
inline void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

template <class T>
class Vector {
 public:
  // Elements without values.
  explicit Vector(unsigned size) : size_(size) {
    if (size_ != 0) check(cudaMalloc(&data_, size_ * sizeof(T)), "cudaMalloc");
  }
  explicit Vector(const std::vector<T>& values) : Vector(static_cast<unsigned>(values.size())) {
    check(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  Vector(Vector&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Vector(const Vector&) = delete;
  Vector& operator=(const Vector&) = delete;
  Vector& operator=(Vector&&) = delete;
  ~Vector() { cudaFree(data_); }  // a destructor must not throw

  T* data() { return data_; }
  const T* data() const { return data_; }
  unsigned size() const { return size_; }

  std::vector<T> on_host() const {
    std::vector<T> values(size_);
    check(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return values;
  }

 private:
  T* data_ = nullptr;
  unsigned size_ = 0;
};

}  // namespace vector_library
