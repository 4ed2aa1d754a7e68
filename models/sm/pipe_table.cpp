// SPDX-License-Identifier: Apache-2.0
#include "models/sm/pipe_table.hpp"

#include <fmt/format.h>

#include <span>

#include "models/core/error.hpp"

namespace reconverge {

using kernel::Opcode;
using kernel::OperationClass;

namespace {

using Pipe = LanesBusyCycles;
using Counter = LanesInstructions;

/// Opcodes that GPGPU-Sim has cycles for, in the order of its lists.
enum Listed : std::size_t { add, least, multiply, multiply_add, divide, listed };

/// Steps of 16 rows that take the time of one step of 8 rows in double precision (A100 whitepaper: 1024 multiply-adds
/// of f16 a cycle and SM, 64 of f64).
constexpr Cycle double_steps = 4;

using Cycles = std::array<Cycle, listed>;

Cycles cycles_of(const std::vector<std::uint64_t>& list, std::string_view name) {
  if (list.size() != listed) {
    throw InputError({}, fmt::format("sm.lanes.{} has {} numbers", name, list.size()),
                     "give five: addition, minimum and maximum, multiplication, multiply-add, division");
  }
  Cycles cycles;
  std::copy(list.begin(), list.end(), cycles.begin());
  return cycles;
}

}  // namespace

PipeTable::PipeTable(const LanesParameters& parameters) : by_opcode_(parameters.grouping == LanesGrouping::opcodes) {
  group_by_pipes(parameters);
  for (Classes& classes : classes_) {
    for (std::size_t i = 0; i < classes.size(); ++i) {
      if (i != static_cast<std::size_t>(OperationClass::control)) classes[i].latency += parameters.writeback;
    }
  }
  if (by_opcode_) group_by_opcodes(parameters);
}

void PipeTable::group_by_pipes(const LanesParameters& parameters) {
  Classes& classes = classes_.front();
  const auto serve = [&classes](OperationClass operation_class, PipeService service) {
    classes[static_cast<std::size_t>(operation_class)] = service;
  };
  const Cycle alu = parameters.alu_interval;
  classes.fill({Pipe::alu, 0, alu, Counter::alu});  // instructions of schemes take a place in the pipe, at latency 0
  serve(OperationClass::alu, {Pipe::alu, parameters.alu_latency, alu, Counter::alu});
  serve(OperationClass::barrier, {Pipe::alu, parameters.alu_latency, alu, Counter::alu});
  serve(OperationClass::control, {Pipe::alu, parameters.branch_latency, alu, Counter::alu});
  const Cycle multiplications = parameters.multiply_interval;
  serve(OperationClass::multiply, {Pipe::multiply, parameters.multiply_latency, multiplications, Counter::multiply});
  serve(OperationClass::warp, {Pipe::multiply, parameters.multiply_latency, multiplications, Counter::warp});
  serve(OperationClass::special,
        {Pipe::special, parameters.special_latency, parameters.special_interval, Counter::special});
  serve(OperationClass::fp64, {Pipe::fp64, parameters.fp64_latency, parameters.fp64_interval, Counter::fp64});
  const Cycle step = parameters.matrix_interval;
  const auto serve_matrix = [&](Classes& of, Cycle interval) {
    of[static_cast<std::size_t>(OperationClass::matrix)] = {Pipe::matrix, parameters.matrix_latency, interval,
                                                            Counter::matrix};
  };
  serve_matrix(classes, step);
  Classes& second = classes_[1] = classes;
  serve_matrix(second, (step + 1) / 2);
  serve_matrix(classes_[2], double_steps * step);
  if (parameters.integer_units != 0) {
    second[static_cast<std::size_t>(OperationClass::alu)] = {Pipe::integer, parameters.integer_latency,
                                                             parameters.integer_interval, Counter::integer};
  }
}

void PipeTable::group_by_opcodes(const LanesParameters& parameters) {
  const std::array<Cycles, kinds> latencies{cycles_of(parameters.integer_opcode_latency, "integer_opcode_latency"),
                                            cycles_of(parameters.single_opcode_latency, "single_opcode_latency"),
                                            cycles_of(parameters.double_opcode_latency, "double_opcode_latency")};
  const std::array<Cycles, kinds> intervals{cycles_of(parameters.integer_opcode_interval, "integer_opcode_interval"),
                                            cycles_of(parameters.single_opcode_interval, "single_opcode_interval"),
                                            cycles_of(parameters.double_opcode_interval, "double_opcode_interval")};
  constexpr std::size_t integer = 0;
  constexpr std::size_t twice_as_wide = 2;
  const Cycle writeback = parameters.writeback;
  const PipeService other{Pipe::alu, parameters.alu_latency + writeback, parameters.alu_interval, Counter::alu};
  opcodes_.assign(static_cast<std::size_t>(Opcode::count) * kinds, other);
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    const auto at = [&](Opcode opcode) -> PipeService& {
      return opcodes_[static_cast<std::size_t>(opcode) * kinds + kind];
    };
    const auto listed_as = [&](Listed number, Pipe pipe) {
      const Counter counter = pipe == Pipe::special ? Counter::special : Counter::alu;
      return PipeService{pipe, latencies[kind][number] + writeback, intervals[kind][number], counter};
    };
    at(Opcode::add) = at(Opcode::sub) = listed_as(add, Pipe::alu);
    at(Opcode::min) = at(Opcode::max) = listed_as(least, Pipe::alu);
    at(Opcode::div) = listed_as(divide, Pipe::special);
    at(Opcode::mul) = listed_as(multiply, kind == integer ? Pipe::special : Pipe::alu);
    at(Opcode::mul).either = kind != integer;
    at(Opcode::mad) = listed_as(multiply_add, kind == integer ? Pipe::special : Pipe::alu);
    for (const Opcode opcode :
         {Opcode::rcp, Opcode::sqrt, Opcode::rsqrt, Opcode::sin, Opcode::cos, Opcode::ex2, Opcode::lg2}) {
      at(opcode) = {Pipe::special, latencies[twice_as_wide][multiply] + writeback, intervals[twice_as_wide][multiply],
                    Counter::special};
    }
    at(Opcode::mma) = classes_.front()[static_cast<std::size_t>(OperationClass::matrix)];
    for (const Opcode opcode : {Opcode::bra, Opcode::brx, Opcode::call, Opcode::ret, Opcode::exit}) {
      at(opcode).latency = parameters.branch_latency;
    }
  }
}

}  // namespace reconverge
