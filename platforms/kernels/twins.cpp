// SPDX-License-Identifier: Apache-2.0
#include "platforms/kernels/twins.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <tuple>
#include <utility>

#include "models/core/error.hpp"
#include "models/core/suggestion.hpp"
#include "platforms/kernels/block_fibres.hpp"
#include "platforms/kernels/kernels.h"
#include "platforms/kernels/microkernel.h"

namespace reconverge::kernels {

namespace {

constexpr unsigned most_threads_a_block = 1024;

/// Derived from a kernel's type: the offsets of its parameters, and how to call it with them.
template <auto kernel>
struct Call;

template <typename... Parameters, void (*kernel)(Parameters...)>
struct Call<kernel> {
  static constexpr std::array<TwinParameter, sizeof...(Parameters)> parameters = [] {
    std::array<TwinParameter, sizeof...(Parameters)> all{};
    std::size_t index = 0;
    unsigned offset = 0;
    const auto place_one = [&](unsigned bytes, unsigned alignment, bool pointer) {
      offset = (offset + alignment - 1) / alignment * alignment;
      all[index++] = {offset, bytes, pointer};
      offset += bytes;
    };
    // NOLINTNEXTLINE(bugprone-sizeof-expression): the parameter is the pointer itself
    (place_one(sizeof(Parameters), alignof(Parameters), std::is_pointer_v<Parameters>), ...);
    return all;
  }();

  static void run(const std::byte* block) { run(block, std::index_sequence_for<Parameters...>{}); }

  template <std::size_t... index>
  static void run(const std::byte* block, std::index_sequence<index...> /*parameters*/) {
    std::tuple<Parameters...> values;
    (std::memcpy(&std::get<index>(values), block + parameters[index].offset, parameters[index].bytes), ...);
    std::apply(kernel, values);
    // Threads spawned by this thread and its descendants: micro-kernels have the parameters of their kernel.
    while (auto* const next = std::exchange(spawn_place.next, nullptr)) {
      std::apply(reinterpret_cast<void (*)(Parameters...)>(next), values);
    }
  }
};

enum class Barriers : bool { none, some };

template <auto kernel>
constexpr Twin make_twin(std::string_view name, Barriers barriers = Barriers::none) {
  return {name, Call<kernel>::parameters, &Call<kernel>::run, barriers == Barriers::some};
}

constexpr auto all_twins = std::to_array<Twin>({
    make_twin<&checkerboard>("checkerboard"),
    make_twin<&checkerboard_julia>("checkerboard_julia"),
    make_twin<&collatz>("collatz"),
    make_twin<&displacement_bounds>("displacement_bounds"),
    make_twin<&displacement_heights>("displacement_heights"),
    make_twin<&displacement_map>("displacement_map", Barriers::some),
    make_twin<&divergent_switch>("divergent_switch"),
    make_twin<&draw_displaced>("draw_displaced"),
    make_twin<&julia>("julia"),
    make_twin<&julia_colours>("julia_colours"),
    make_twin<&julia_padded>("julia_padded"),
    make_twin<&julia_shuffled>("julia_shuffled"),
    make_twin<&material_mapping>("material_mapping"),
    make_twin<&megakernel_diffuse>("megakernel_diffuse"),
    make_twin<&megakernel_diffuse_unit>("megakernel_diffuse_unit"),
    make_twin<&megakernel_mixed>("megakernel_mixed"),
    make_twin<&megakernel_mixed_unit>("megakernel_mixed_unit"),
    make_twin<&megakernel_occlusion>("megakernel_occlusion"),
    make_twin<&megakernel_occlusion_unit>("megakernel_occlusion_unit"),
    make_twin<&megakernel_reflection>("megakernel_reflection"),
    make_twin<&megakernel_reflection_unit>("megakernel_reflection_unit"),
    make_twin<&pack_runs>("pack_runs"),
    make_twin<&pass_example>("pass_example"),
    make_twin<&picture_points>("picture_points"),
    make_twin<&reduce_sum>("reduce_sum", Barriers::some),
    make_twin<&resolve_picture>("resolve_picture"),
    make_twin<&saxpy>("saxpy"),
    make_twin<&shade_hits>("shade_hits"),
    make_twin<&shade_megakernel>("shade_megakernel"),
    make_twin<&shade_shadow>("shade_shadow"),
    make_twin<&subwarps>("subwarps"),
    make_twin<&subwarps_if_then>("subwarps_if_then"),
    make_twin<&tessellate_alone>("tessellate_alone"),
    make_twin<&tessellate_pass>("tessellate_pass"),
    make_twin<&tessellate_stack>("tessellate_stack"),
    make_twin<&torus_patches>("torus_patches"),
    make_twin<&trace_adaptive_microkernels>("trace_adaptive_microkernels"),
    make_twin<&trace_patient_microkernels>("trace_patient_microkernels"),
    make_twin<&trace_grid>("trace_grid"),
    make_twin<&trace_if_if>("trace_if_if"),
    make_twin<&trace_kd_tree>("trace_kd_tree"),
    make_twin<&trace_kd_tree_microkernels>("trace_kd_tree_microkernels"),
    make_twin<&trace_kd_tree_shuffled>("trace_kd_tree_shuffled"),
    make_twin<&trace_microkernels>("trace_microkernels"),
    make_twin<&trace_persistent>("trace_persistent"),
    make_twin<&trace_persistent_speculative>("trace_persistent_speculative"),
    make_twin<&trace_replacing>("trace_replacing"),
    make_twin<&trace_replacing_speculative>("trace_replacing_speculative"),
    make_twin<&trace_replacing_speculative_three_rows>("trace_replacing_speculative_three_rows"),
    make_twin<&trace_shuffled>("trace_shuffled"),
    make_twin<&trace_shuffled_three_rows>("trace_shuffled_three_rows"),
    make_twin<&trace_speculative>("trace_speculative"),
    make_twin<&trace_unit>("trace_unit"),
    make_twin<&trace_unit_any>("trace_unit_any"),
    make_twin<&trace_while_if>("trace_while_if"),
    make_twin<&trace_while_while>("trace_while_while"),
    make_twin<&voxel_dynamic_data>("voxel_dynamic_data"),
    make_twin<&voxel_eye_rays>("voxel_eye_rays"),
    make_twin<&voxel_intersect>("voxel_intersect"),
    make_twin<&voxel_picture>("voxel_picture"),
    make_twin<&voxel_picture_ifs>("voxel_picture_ifs"),
    make_twin<&voxel_picture_rounds>("voxel_picture_rounds"),
    make_twin<&voxel_shade>("voxel_shade"),
    make_twin<&voxel_static_data>("voxel_static_data"),
    make_twin<&voxel_traverse>("voxel_traverse"),
    make_twin<&voxel_validate>("voxel_validate"),
});

std::uint64_t volume(const Index3& size) { return std::uint64_t{size.x} * size.y * size.z; }

/// Position `number` in a box of this size, x first.
Index3 place_in(const Index3& size, std::uint64_t number) {
  return {static_cast<unsigned>(number % size.x), static_cast<unsigned>(number / size.x % size.y),
          static_cast<unsigned>(number / size.x / size.y)};
}

void check_shape(std::string_view kernel, const LaunchShape& shape) {
  const auto text = [](const Index3& size) { return fmt::format("{} x {} x {}", size.x, size.y, size.z); };
  if (volume(shape.grid) == 0 || volume(shape.block) == 0) {
    throw InputError({},
                     fmt::format("kernel '{}' is launched with a grid of {} blocks of {} threads", kernel,
                                 text(shape.grid), text(shape.block)),
                     "give every dimension at least 1");
  }
  if (volume(shape.block) > most_threads_a_block) {
    throw InputError({}, fmt::format("kernel '{}' is launched with blocks of {} threads", kernel, text(shape.block)),
                     fmt::format("at most {} threads fit a block", most_threads_a_block));
  }
}

}  // namespace

LaunchShape shape_for(unsigned count, unsigned threads) {
  const unsigned blocks = count / threads + (count % threads == 0 ? 0 : 1);
  return {{blocks == 0 ? 1 : blocks, 1, 1}, {threads, 1, 1}};
}

void Twin::run(const LaunchShape& shape, std::span<const std::byte> parameter_block) const {
  check_shape(name_, shape);
  if (parameter_block.size() < parameter_bytes()) {
    throw InputError({}, fmt::format("kernel '{}' takes {} bytes of parameters, {} given", name_, parameter_bytes(),
                                     parameter_block.size()));
  }
  const auto run_thread = [&](std::uint64_t block, unsigned thread) {
    place = {place_in(shape.block, thread), place_in(shape.grid, block), shape.block, shape.grid};
    thread_(parameter_block.data());
  };
  const auto threads = static_cast<unsigned>(volume(shape.block));
  std::optional<BlockFibres> fibres;
  if (has_barriers_) fibres.emplace(threads);
  for (std::uint64_t block = 0; block < volume(shape.grid); ++block) {
    if (fibres) {
      fibres->run([&](unsigned thread) { run_thread(block, thread); });
    } else {
      for (unsigned thread = 0; thread < threads; ++thread) run_thread(block, thread);
    }
  }
}

std::vector<std::byte> Twin::pack(std::span<const std::span<const std::byte>> arguments) const {
  if (arguments.size() != parameters_.size()) {
    throw InputError(
        {}, fmt::format("kernel '{}' takes {} arguments, {} given", name_, parameters_.size(), arguments.size()));
  }
  std::vector<std::byte> block(parameter_bytes());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].size() != parameters_[i].bytes) {
      throw InputError({}, fmt::format("argument {} of kernel '{}' has {} bytes, {} given", i, name_,
                                       parameters_[i].bytes, arguments[i].size()));
    }
    std::memcpy(block.data() + parameters_[i].offset, arguments[i].data(), arguments[i].size());
  }
  return block;
}

std::span<const Twin> twins() { return all_twins; }

const Twin& twin(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Twin& candidate : all_twins) {
    if (candidate.name() == name) return candidate;
    names.push_back(candidate.name());
  }
  throw InputError({}, fmt::format("there is no kernel '{}'", name), suggest(name, names));
}

}  // namespace reconverge::kernels
