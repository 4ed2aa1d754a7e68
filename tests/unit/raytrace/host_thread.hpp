// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A thread at a trace instruction whose arrays are in host memory; records its fetches.

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "models/schemes/raytrace/ray_traversal.hpp"
#include "scenes/structures/bvh.hpp"

namespace reconverge::tests {

struct HostFetch {
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  TraceFetch purpose{};
};

class HostThread final : public kernel::ExtensionThread {
 public:
  HostThread(const scenes::Bvh& bvh, const scenes::Ray& ray) : ray_(address_of(&ray)) {
    tree_ = {address_of(bvh.nodes.data()), address_of(bvh.rows.data()), address_of(bvh.triangle_of_row.data())};
    arrays_ = {{tree_.nodes, bvh.nodes.size() * sizeof(scenes::BvhNode)},
               {tree_.triangle_rows, bvh.rows.size() * sizeof(scenes::TriangleRow)},
               {tree_.triangle_of_row, bvh.triangle_of_row.size() * sizeof(int)},
               {ray_, sizeof(ray)}};
  }

  scenes::Hit trace(bool any = false) {
    TracedTree tree = tree_;
    if (any) tree.triangle_of_row = 0;
    return traverse(*this, tree, ray_, any);
  }
  const std::vector<HostFetch>& fetches() const { return fetches_; }
  std::size_t count(TraceFetch purpose) const {
    return static_cast<std::size_t>(std::ranges::count(fetches_, purpose, &HostFetch::purpose));
  }

  void read(std::uint64_t address, std::span<std::byte> bytes) override {
    const bool inside = std::ranges::any_of(arrays_, [&](const Array& array) {
      return address >= array.begin && address + bytes.size() <= array.begin + array.bytes;
    });
    if (!inside) throw std::out_of_range("read outside every array");
    std::memcpy(bytes.data(), reinterpret_cast<const std::byte*>(address), bytes.size());
  }
  void fetch(std::uint64_t address, std::uint32_t bytes, std::uint8_t purpose) override {
    fetches_.push_back({address, bytes, static_cast<TraceFetch>(purpose)});
  }

 private:
  struct Array {
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;
  };
  static std::uint64_t address_of(const void* place) { return reinterpret_cast<std::uint64_t>(place); }

  std::uint64_t ray_;
  TracedTree tree_;
  std::vector<Array> arrays_;
  std::vector<HostFetch> fetches_;
};

}  // namespace reconverge::tests
