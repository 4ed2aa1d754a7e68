// SPDX-License-Identifier: Apache-2.0
#include "models/sm/pipe_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"

namespace reconverge {

using kernel::Opcode;
using kernel::OperationClass;

namespace {

using Pipe = LanesBusyCycles;
using Counter = LanesInstructions;

/// The opcodes in GPGPU-Sim's lists of cycles, in their order.
enum Listed : std::size_t { add, least, multiply, multiply_add, divide, listed };

/// Number of 16-row steps that take as long as one 8-row step in double precision (A100 whitepaper: 1024 multiply-adds
/// of f16 per cycle and SM, 64 of f64).
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

PipeTable::PipeTable(const LanesParameters& parameters) {
  group_by_pipes(parameters);
  for (Classes& classes : classes_) {
    for (std::size_t i = 0; i < classes.size(); ++i) {
      if (i != static_cast<std::size_t>(OperationClass::control)) classes[i].latency += parameters.writeback;
    }
  }
  if (parameters.grouping == LanesGrouping::opcodes) group_by_opcodes(parameters);
  if (!parameters.opcodes.empty()) except_opcodes(parameters);
}

void PipeTable::group_by_pipes(const LanesParameters& parameters) {
  Classes& classes = classes_.front();
  const auto serve = [&classes](OperationClass operation_class, PipeService service) {
    classes[static_cast<std::size_t>(operation_class)] = service;
  };
  const Cycle alu = parameters.alu_interval;
  classes.fill({Pipe::alu, 0, alu, Counter::alu});  // instructions of schemes occupy the pipe, with latency 0
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
  const std::array<Cycles, 3> latencies{cycles_of(parameters.integer_opcode_latency, "integer_opcode_latency"),
                                        cycles_of(parameters.single_opcode_latency, "single_opcode_latency"),
                                        cycles_of(parameters.double_opcode_latency, "double_opcode_latency")};
  const std::array<Cycles, 3> intervals{cycles_of(parameters.integer_opcode_interval, "integer_opcode_interval"),
                                        cycles_of(parameters.single_opcode_interval, "single_opcode_interval"),
                                        cycles_of(parameters.double_opcode_interval, "double_opcode_interval")};
  constexpr std::size_t of_double = 2;
  const Cycle writeback = parameters.writeback;
  const PipeService other{Pipe::alu, parameters.alu_latency + writeback, parameters.alu_interval, Counter::alu};
  opcodes_.assign(static_cast<std::size_t>(Opcode::count) * operand_kinds, other);
  for (std::size_t kind = 0; kind < operand_kinds; ++kind) {
    const std::size_t type = kind % exact_kinds;
    const bool floating = type >= half_kind;
    const std::size_t list = type == double_kind ? of_double : floating ? 1 : 0;
    const auto listed_as = [&](Listed number, Pipe pipe) {
      const Counter counter = pipe == Pipe::special ? Counter::special : Counter::alu;
      return PipeService{pipe, latencies[list][number] + writeback, intervals[list][number], counter};
    };
    at(Opcode::add, kind) = at(Opcode::sub, kind) = listed_as(add, Pipe::alu);
    at(Opcode::min, kind) = at(Opcode::max, kind) = listed_as(least, Pipe::alu);
    at(Opcode::div, kind) = listed_as(divide, Pipe::special);
    at(Opcode::mul, kind) = listed_as(multiply, floating ? Pipe::alu : Pipe::special);
    at(Opcode::mul, kind).either = floating;
    at(Opcode::mad, kind) = listed_as(multiply_add, floating ? Pipe::alu : Pipe::special);
    for (const Opcode opcode :
         {Opcode::rcp, Opcode::sqrt, Opcode::rsqrt, Opcode::sin, Opcode::cos, Opcode::ex2, Opcode::lg2}) {
      at(opcode, kind) = {Pipe::special, latencies[of_double][multiply] + writeback, intervals[of_double][multiply],
                          Counter::special};
    }
    at(Opcode::mma, kind) = classes_.front()[static_cast<std::size_t>(OperationClass::matrix)];
    for (const Opcode opcode : {Opcode::bra, Opcode::brx, Opcode::call, Opcode::ret, Opcode::exit}) {
      at(opcode, kind).latency = parameters.branch_latency;
    }
  }
}

void PipeTable::except_opcodes(const LanesParameters& parameters) {
  static constexpr std::array counters{Counter::alu,     Counter::integer, Counter::multiply,
                                       Counter::special, Counter::fp64,    Counter::matrix};
  if (opcodes_.empty()) opcodes_.resize(static_cast<std::size_t>(Opcode::count) * operand_kinds);
  static constexpr std::array of_warps{Opcode::vote,  Opcode::shfl,  Opcode::activemask,
                                       Opcode::match, Opcode::redux, Opcode::elect};
  for (const OpcodeCycles& cycles : read_opcode_cycles(parameters.opcodes)) {
    const bool for_warps = std::ranges::find(of_warps, cycles.opcode) != of_warps.end();
    for (std::size_t kind = 0; kind < operand_kinds; ++kind) {
      if ((cycles.kinds >> kind & 1U) == 0) continue;
      at(cycles.opcode, kind) = {cycles.pipe, cycles.latency + parameters.writeback, cycles.interval,
                                 for_warps ? Counter::warp : counters[static_cast<std::size_t>(cycles.pipe)]};
    }
  }
}

}  // namespace reconverge
