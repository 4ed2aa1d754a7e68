#pragma once
/// Golden vectors of dynamic ray shuffling: inputs and expected outputs of each cycle as text, for any simulator.

#include <cstdint>
#include <string>

#include "blocks/dynamic_ray_shuffling.hpp"

namespace reconverge {

struct VectorsOptions {
  DynamicRayShufflingParameters parameters;
  std::size_t warps = 58;
  unsigned width = 32;  ///< lanes of a warp
  std::uint64_t cycles = 2000;
  std::uint32_t seed = 1;
};

struct Vectors {
  std::string vectors;     ///< a line a cycle, fields in hexadecimal; the testbench names them in order
  std::string parameters;  ///< SystemVerilog localparams that the testbench includes
  std::string testbench;
};

/// Random traffic, from reset on. Throws InputError when a parameter is out of range.
Vectors make_vectors(const VectorsOptions& options);

}  // namespace reconverge
