// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Reconverge in a SystemC simulation of other modules: the GPU as a module, platforms from YAML, programs from PTX,
/// and launches that do not block. docs/integration.md describes the rules, and examples/sc_main is a whole program.
///
///     reconverge::Gpu gpu("gpu", reconverge::launch::load_platform("gtx780.yaml"));
///     const reconverge::kernel::Program saxpy = reconverge::kernel::load_program("saxpy.ptx", "saxpy");
///
/// and in a process of another module:
///
///     const auto x = gpu.memory().upload<float>("x", host_x);
///     gpu.start(reconverge::make_launch(saxpy, {blocks}, {256}, std::array<reconverge::Argument, 2>{x, count}));
///     wait(gpu.done());
///     gpu.check();
///     host_x = gpu.memory().view_as<float>(x);

#include "models/core/error.hpp"
#include "models/execution/launch.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "platforms/launch/session.hpp"
#include "platforms/machines/gpu/gpu.hpp"
