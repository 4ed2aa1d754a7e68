// SPDX-License-Identifier: Apache-2.0
// Textures: references bound by the host, and objects passed as arguments, on the interpreter, the untimed machine and
// the GPU.

#include "models/execution/texture.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <limits>
#include <numeric>

#include "models/core/error.hpp"
#include "models/core/simulation_context.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "platforms/machines/functional/functional_machine.hpp"
#include "platforms/machines/gpu/gpu.hpp"
#include "testbenches/reference/scalar_interpreter.hpp"

namespace reconverge::contract {

namespace {

using kernel::DataType;
using Texel = std::array<std::uint32_t, 4>;

constexpr std::uint32_t threads = 64;

// Thread t fetches element (t - 4) * 2 of the texture that its parameter or the reference `nodes` names.
std::string kernel_text(std::string_view declaration, std::string_view texture, std::string_view coordinate,
                        std::string_view convert, std::string_view type) {
  return fmt::format(R"(
.version 6.5
.target sm_75
.address_size 64
{}
.visible .entry kernel(.param .u64 output, .param .u64 handle)
{{
  .reg .b32 %r<8>;
  .reg .f32 %f<8>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd0, [output];
  ld.param.u64 %rd1, [handle];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %rd2, %r0, 16;
  add.u64 %rd0, %rd0, %rd2;
  sub.u32 %r1, %r0, 4;
  shl.b32 %r1, %r1, 1;
  {}
  tex.1d.v4.{}.{} {{%r4, %r5, %r6, %r7}}, [{}, {}];
  st.global.v4.u32 [%rd0], {{%r4, %r5, %r6, %r7}};
  ret;
}}
)",
                     declaration, convert, type, coordinate.starts_with("%f") ? "f32" : "s32", texture,
                     coordinate == "%r1" ? "{%r1}" : "{%f1, %f1}");
}

std::vector<Texel> result_of(const DeviceMemory& memory, DeviceAddress output) {
  const auto view = memory.view_as<Texel>(output);
  return {view.begin(), view.end()};
}

/// The result of the kernel on `data`, from a machine with a memory.
template <typename Machine>
std::vector<Texel> run_with_object(Machine& machine, const kernel::Program& program, std::span<const std::byte> data,
                                   TextureView view) {
  view.address = machine.memory().upload("data", data);
  const DeviceAddress output = machine.memory().allocate("output", threads * sizeof(Texel));
  const std::array<Argument, 2> arguments{output, make_texture(machine.memory(), "object", view)};
  machine.run(make_launch(program, {1}, {threads}, arguments));
  return result_of(machine.memory(), output);
}

std::vector<std::byte> bytes_0_to_255() {
  std::vector<std::byte> bytes(256);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i);
  return bytes;
}

/// Word of the bytes 0, 1, 2 ... that starts at `byte`.
std::uint32_t word_at(std::uint32_t byte) { return byte | (byte + 1) << 8 | (byte + 2) << 16 | (byte + 3) << 24; }

kernel::Program program_of(const std::string& text) { return kernel::load_program_text(text, "texture", "kernel"); }

}  // namespace

TEST_CASE("a texture object returns elements and returns zeros beyond its row", "[texture]") {
  const auto bytes = bytes_0_to_255();
  TextureView view;
  view.elements = 16;
  for (const bool by_float : {false, true}) {
    const kernel::Program program =
        program_of(kernel_text("", "%rd1", by_float ? "%f1" : "%r1",
                               by_float ? "cvt.rn.f32.s32 %f1, %r1;\n  add.f32 %f1, %f1, 0.75;" : "", "f32"));
    FunctionalMachine machine;
    const std::vector<Texel> found = run_with_object(machine, program, bytes, view);
    for (std::uint32_t t = 0; t < threads; ++t) {
      const bool inside = t >= 4 && t < 12;
      const std::uint32_t byte = 32 * (t - 4);
      const Texel expected =
          inside ? Texel{word_at(byte), word_at(byte + 4), word_at(byte + 8), word_at(byte + 12)} : Texel{};
      CHECK(found[t] == expected);
    }
    ScalarInterpreter interpreter;
    CHECK(run_with_object(interpreter, program, bytes, view) == found);
  }
}

TEST_CASE("channels of all kinds", "[texture]") {
  const auto bytes = bytes_0_to_255();
  const kernel::Program program = program_of(kernel_text("", "%rd1", "%r1", "", "u32"));
  const auto fetch = [&](DataType channel, unsigned components, bool normalized) {
    TextureView view;
    view.channel = channel;
    view.components = components;
    view.normalized = normalized;
    view.elements = 256 / (kernel::bytes_of(channel) * components);
    FunctionalMachine machine;
    std::vector<Texel> found = run_with_object(machine, program, bytes, view);
    ScalarInterpreter interpreter;
    CHECK(run_with_object(interpreter, program, bytes, view) == found);
    return found;
  };
  const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  // Thread 36 reads element 64, thread 68 would read element 128.
  CHECK(fetch(DataType::u8, 1, false)[36] == Texel{64, 0, 0, 0});
  CHECK(fetch(DataType::s8, 2, false)[46] == Texel{0xffffffa8, 0xffffffa9, 0, 0});  // element 84: bytes 168, 169
  CHECK(fetch(DataType::u8, 4, true)[5] ==
        Texel{bits(8.0F / 255), bits(9.0F / 255), bits(10.0F / 255), bits(11.0F / 255)});
  CHECK(fetch(DataType::s8, 4, true)[20] == Texel{bits(-1.0F), bits(-1.0F), bits(-126.0F / 127), bits(-125.0F / 127)});
  CHECK(fetch(DataType::u16, 2, false)[5] == Texel{0x0908, 0x0b0a, 0, 0});
  CHECK(fetch(DataType::s16, 1, true)[36] ==
        Texel{bits(static_cast<float>(static_cast<std::int16_t>(0x8180)) / 32767), 0, 0, 0});
  CHECK(fetch(DataType::u32, 1, false)[5] == Texel{word_at(8), 0, 0, 0});
  CHECK(fetch(DataType::s32, 2, false)[5] == Texel{word_at(16), word_at(20), 0, 0});
  CHECK(fetch(DataType::f32, 4, false)[5] == Texel{word_at(32), word_at(36), word_at(40), word_at(44)});
}

TEST_CASE("a texture reference is bound by its name, and refused when it is not", "[texture]") {
  const auto bytes = bytes_0_to_255();
  for (const char* declaration : {".global .texref nodes;", ".tex .u32 nodes;"}) {
    const kernel::Program program = program_of(kernel_text(declaration, "nodes", "%r1", "", "f32"));
    const SimulationContext context;
    Gpu gpu("gpu", GpuParameters{});
    const DeviceAddress data = gpu.memory().upload("data", std::span<const std::byte>(bytes));
    const DeviceAddress output = gpu.memory().allocate("output", threads * sizeof(Texel));
    const std::array<Argument, 2> arguments{output, DeviceAddress{0}};
    const Launch launch = make_launch(program, {1}, {threads}, arguments);
    CHECK_THROWS_WITH(gpu.run(launch), Catch::Contains("texture reference 'nodes' is not bound"));
    bind_texture(gpu.memory(), program, "nodes", {data, 16, DataType::f32, 4, false});
    gpu.run(launch);
    CHECK(result_of(gpu.memory(), output)[6] == Texel{word_at(64), word_at(68), word_at(72), word_at(76)});
    CHECK(result_of(gpu.memory(), output)[12] == Texel{});
    // Bound again, to every second word.
    bind_texture(gpu.memory(), program, "nodes", {data + 128, 16, DataType::u32, 2, false});
    gpu.run(launch);
    CHECK(result_of(gpu.memory(), output)[6] == Texel{word_at(128 + 32), word_at(128 + 36), 0, 0});
  }
}

TEST_CASE("texture views that are not a row of elements and other handles are refused", "[texture]") {
  const auto bytes = bytes_0_to_255();
  FunctionalMachine machine;
  DeviceMemory& memory = machine.memory();
  const DeviceAddress data = memory.upload("data", std::span<const std::byte>(bytes));
  const auto refusal = [&](const TextureView& view) {
    try {
      make_texture(memory, "t", view);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK_THAT(refusal({data, 17, DataType::f32, 4, false}), Catch::Contains("do not lie in one buffer"));
  CHECK_THAT(refusal({data + 8, 4, DataType::f32, 4, false}), Catch::Contains("no multiple of 16 bytes"));
  CHECK_THAT(refusal({data, 4, DataType::f32, 3, false}), Catch::Contains("3 components"));
  CHECK_THAT(refusal({data, 4, DataType::f64, 1, false}), Catch::Contains(".f64 is no channel"));
  CHECK_THAT(refusal({data, 4, DataType::u32, 1, true}), Catch::Contains("cannot be normalized"));
  const kernel::Program by_name = program_of(kernel_text(".global .texref nodes;", "nodes", "%r1", "", "f32"));
  CHECK_THROWS_WITH(bind_texture(memory, by_name, "node", {data, 4}), Catch::Contains("did you mean nodes?"));
  const kernel::Program by_handle = program_of(kernel_text("", "%rd1", "%r1", "", "f32"));
  const DeviceAddress output = memory.allocate("output", threads * sizeof(Texel));
  for (const DeviceAddress handle : {DeviceAddress{0}, data}) {
    const std::array<Argument, 2> arguments{output, handle};
    const Launch launch = make_launch(by_handle, {1}, {threads}, arguments);
    CHECK_THROWS_WITH(machine.run(launch), Catch::Contains("no texture at address"));
  }
}

namespace {

/// Thread t fetches at the coordinates 3 t, 3 t + 1 and 3 t + 2 of the input, as many as the texture has.
std::string sampling_text(unsigned dimensions, std::string_view type) {
  constexpr std::array<std::string_view, 4> coordinates = {"", "{%r1}", "{%r1, %r2}", "{%r1, %r2, %r3, %r3}"};
  return fmt::format(R"(
.version 6.5
.target sm_75
.address_size 64
.visible .entry kernel(.param .u64 output, .param .u64 handle, .param .u64 input)
{{
  .reg .b32 %r<8>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd0, [output];
  ld.param.u64 %rd1, [handle];
  ld.param.u64 %rd2, [input];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %rd3, %r0, 16;
  add.u64 %rd0, %rd0, %rd3;
  mul.wide.u32 %rd3, %r0, 12;
  add.u64 %rd2, %rd2, %rd3;
  ld.global.b32 %r1, [%rd2];
  ld.global.b32 %r2, [%rd2+4];
  ld.global.b32 %r3, [%rd2+8];
  tex.{0}d.v4.f32.{1} {{%r4, %r5, %r6, %r7}}, [%rd1, {2}];
  st.global.v4.u32 [%rd0], {{%r4, %r5, %r6, %r7}};
  ret;
}}
)",
                     dimensions, type, coordinates.at(dimensions));
}

using Coordinates = std::array<float, 3>;

template <typename Machine>
std::vector<Texel> sample(Machine& machine, const kernel::Program& program, std::span<const std::byte> data,
                          TextureView view, std::span<const Coordinates> at) {
  DeviceMemory& memory = machine.memory();
  view.address = memory.upload("data", data);
  const DeviceAddress input = memory.upload("input", at);
  const DeviceAddress output = memory.allocate("output", at.size() * sizeof(Texel));
  const std::array<Argument, 3> arguments{output, make_texture(memory, "object", view), input};
  machine.run(make_launch(program, {1}, {static_cast<std::uint32_t>(at.size())}, arguments));
  return result_of(memory, output);
}

/// First components as floats, on the untimed machine; the interpreter has to agree bit for bit.
std::vector<float> values_at(const TextureView& view, std::span<const std::byte> data,
                             std::span<const Coordinates> at) {
  const unsigned dimensions = view.layers != 0 ? 3 : view.rows != 0 ? 2 : 1;
  const kernel::Program program = program_of(sampling_text(dimensions, "f32"));
  FunctionalMachine machine;
  const std::vector<Texel> found = sample(machine, program, data, view, at);
  ScalarInterpreter interpreter;
  CHECK(sample(interpreter, program, data, view, at) == found);
  std::vector<float> values;
  values.reserve(found.size());
  for (const Texel& texel : found) values.push_back(std::bit_cast<float>(texel[0]));
  return values;
}

std::vector<float> floats(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.0F);
  return values;
}

}  // namespace

TEST_CASE("planes and volumes, by the nearest element and by weights", "[texture]") {
  // T[i, j, k] = i + 4 j + 8 k: inside the border, interpolation gives the same sum of the coordinates.
  const std::vector<float> data = floats(16);
  TextureView view;
  view.elements = 4;
  view.rows = 2;
  view.components = 1;
  view.addressing = kernel::TextureAddressing::clamp;
  const std::vector<Coordinates> at = {{0.5F, 0.5F, 0.5F}, {1.75F, 0.5F, 1.5F}, {3.0F, 1.25F, 1.0F}, {-5, 9, 0.75F}};
  CHECK(values_at(view, std::as_bytes(std::span(data)), at) == std::vector<float>{0, 1, 7, 4});
  view.filter = kernel::TextureFilter::linear;
  CHECK(values_at(view, std::as_bytes(std::span(data)), at) == std::vector<float>{0, 1.25F, 2.5F + 3, 4});
  view.layers = 2;
  CHECK(values_at(view, std::as_bytes(std::span(data)), at) == std::vector<float>{0, 9.25F, 5.5F + 4, 4 + 2});
  view.filter = kernel::TextureFilter::point;
  CHECK(values_at(view, std::as_bytes(std::span(data)), at) == std::vector<float>{0, 9, 15, 4});
}

TEST_CASE("what lies beyond a texture", "[texture]") {
  using Addressing = kernel::TextureAddressing;
  const std::vector<float> data = {10, 20, 30, 40};
  TextureView view;
  view.elements = 4;
  view.components = 1;
  view.normalized_coordinates = true;
  const auto with = [&](Addressing addressing, kernel::TextureFilter filter) {
    view.addressing = addressing;
    view.filter = filter;
    const std::vector<Coordinates> at = {{-0.125F}, {0.125F}, {1}, {1.125F}, {1.375F}, {-2.875F}};
    return values_at(view, std::as_bytes(std::span(data)), at);
  };
  using Values = std::vector<float>;
  const auto point = kernel::TextureFilter::point;
  CHECK(with(Addressing::border, point) == Values{0, 10, 0, 0, 0, 0});
  CHECK(with(Addressing::clamp, point) == Values{10, 10, 40, 40, 40, 10});
  CHECK(with(Addressing::wrap, point) == Values{40, 10, 10, 10, 20, 10});
  CHECK(with(Addressing::mirror, point) == Values{10, 10, 40, 40, 30, 40});
  const auto linear = kernel::TextureFilter::linear;
  CHECK(with(Addressing::border, linear) == Values{0, 10, 20, 0, 0, 0});
  CHECK(with(Addressing::clamp, linear) == Values{10, 10, 40, 40, 40, 10});
  CHECK(with(Addressing::wrap, linear) == Values{40, 10, 25, 10, 20, 10});
  CHECK(with(Addressing::mirror, linear) == Values{10, 10, 40, 40, 30, 40});
}

TEST_CASE("weights have eight bits of fraction, and one of them is one", "[texture]") {
  const std::vector<float> data = {0, 256};
  TextureView view;
  view.elements = 2;
  view.components = 1;
  view.filter = kernel::TextureFilter::linear;
  view.addressing = kernel::TextureAddressing::clamp;
  const std::vector<Coordinates> at = {{0.5F + 1.0F / 256}, {0.5F + 1.4F / 256}, {0.5F + 1.6F / 256}, {1.4999F}};
  CHECK(values_at(view, std::as_bytes(std::span(data)), at) == std::vector<float>{1, 1, 2, 256});
}

TEST_CASE("all modes agree on any coordinates", "[texture]") {
  std::vector<Coordinates> at(512);
  std::uint32_t state = 1;
  const auto next = [&] { return state = state * 1664525U + 1013904223U; };
  for (Coordinates& one : at) {
    for (float& coordinate : one) coordinate = (static_cast<float>(next() >> 8U) / 16777216.0F - 0.5F) * 24;
  }
  at[0] = {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), -1e30F};
  const auto bytes = bytes_0_to_255();
  for (unsigned mode = 0; mode < 2 * 4 * 2 * 3; ++mode) {
    TextureView view;
    view.channel = DataType::u8;
    view.normalized = true;
    view.components = 2;
    view.elements = 5;
    view.rows = mode / 16 >= 1 ? 4 : 0;
    view.layers = mode / 16 == 2 ? 6 : 0;
    view.filter = static_cast<kernel::TextureFilter>(mode % 2);
    view.addressing = static_cast<kernel::TextureAddressing>(mode / 2 % 4);
    view.normalized_coordinates = mode / 8 % 2 == 1;
    if (view.addressing >= kernel::TextureAddressing::wrap && !view.normalized_coordinates) continue;
    INFO(mode);
    CHECK(values_at(view, bytes, at).size() == at.size());
  }
}

TEST_CASE("modes that do not go together, and textures of other dimensions", "[texture]") {
  const auto bytes = bytes_0_to_255();
  FunctionalMachine machine;
  DeviceMemory& memory = machine.memory();
  TextureView view;
  view.address = memory.upload("data", std::span<const std::byte>(bytes));
  view.elements = 8;
  view.components = 1;
  view.rows = 8;
  const auto refusal = [&](const TextureView& one) {
    try {
      make_texture(memory, "t", one);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK(refusal(view) == "accepted");
  TextureView other = view;
  other.layers = 2;
  CHECK_THAT(refusal(other), Catch::Contains("8 x 8 x 2 elements of 4 bytes"));
  other = view;
  other.rows = std::uint64_t{1} << 62U;
  CHECK_THAT(refusal(other), Catch::Contains("do not lie in one buffer"));
  other = view;
  other.addressing = kernel::TextureAddressing::wrap;
  CHECK_THAT(refusal(other), Catch::Contains("wrap and mirror need normalized coordinates"));
  other = view;
  other.channel = DataType::s32;
  other.filter = kernel::TextureFilter::linear;
  CHECK_THAT(refusal(other), Catch::Contains("linear filtering makes floats"));

  const kernel::Program row = program_of(sampling_text(1, "f32"));
  const std::vector<Coordinates> at(32);
  ScalarInterpreter interpreter;
  CHECK_THROWS_WITH(sample(machine, row, bytes, view, at), Catch::Contains("another number of dimensions"));
  CHECK_THROWS_WITH(sample(interpreter, row, bytes, view, at), Catch::Contains("another number of dimensions"));
}

}  // namespace reconverge::contract
