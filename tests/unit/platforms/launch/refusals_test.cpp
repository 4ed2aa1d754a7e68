// SPDX-License-Identifier: Apache-2.0
/// Errors in a launch file, with their positions.

#include <algorithm>
#include <catch2/catch.hpp>

#include "platforms/launch/npy.hpp"
#include "tests/unit/platforms/launch/plan_of.hpp"

using namespace reconverge;
using namespace reconverge::launch;
using Catch::Contains;
using tests::PlanFolder;
using tests::take_with;

namespace {

/// Expects an InputError at the position in run.yaml that `@` marks, whose text contains all parts.
void expect_refusal(const PlanFolder& folder, std::string text, const std::vector<std::string>& parts) {
  INFO(text);
  const std::size_t mark = text.find('@');
  REQUIRE(mark != std::string::npos);
  text.erase(mark, 1);
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(mark), '\n');
  const std::size_t column = mark - (text.rfind('\n', mark == 0 ? 0 : mark - 1) + 1) + 1;
  const std::string place = std::to_string(line) + ':' + std::to_string(column);
  const std::vector<std::string> reserved{"report.json"};
  try {
    folder.plan_of(text, reserved);
    FAIL("not refused");
  } catch (const InputError& error) {
    const std::string message = error.what();
    CHECK_THAT(message, Contains("run.yaml:" + place + ": "));
    for (const std::string& part : parts) CHECK_THAT(message, Contains(part));
  }
}

std::string launch_with(const std::string& keys) { return "launches:\n- {program: take.ptx, " + keys + "}\n"; }

std::string buffer_with(const std::string& value) {
  return "buffers:\n  x: " + value + "\n" + launch_with("kernel: nothing, grid: 1, block: 1");
}

std::string with_list(const std::string& section, const std::string& item) {
  return "buffers: {x: {type: f32, shape: [2, 3]}, n: {type: s32, count: 4}, d: {type: f64, shape: [2, 3]}, "
         "e: {type: u8, shape: [3, 0]}}\n"
         "launches: [{program: take.ptx, kernel: nothing, grid: 1, block: 1}]\n" +
         section + ":\n- " + item + "\n";
}

}  // namespace

TEST_CASE("the error for a wrong number of arguments names the kernel and its parameters") {
  const PlanFolder folder;
  expect_refusal(folder, take_with("@[1, x]"),
                 {"launches[0].arguments", "kernel 'take' takes 6 arguments, 2 given", "a (.f32, 4 bytes)",
                  "s (.align 8 .b8, 24 bytes)"});
  expect_refusal(folder, "launches:\n- @{program: take.ptx, kernel: take, grid: 1, block: 1}\n",
                 {"takes 6 arguments, 0 given"});
  expect_refusal(folder, launch_with("kernel: nothing, grid: 1, block: 1, arguments: @[1]"),
                 {"takes 0 arguments", "remove them"});
}

TEST_CASE("the error for a wrong argument names the parameter and its PTX type") {
  const PlanFolder folder;
  const std::string s = "{fields: [{u64: [1, 2, 3]}]}";
  struct Bad {
    std::string arguments;
    std::vector<std::string> parts;
  };
  const Bad bad = GENERATE_COPY(values<Bad>({
      {"[@one, x, " + s + ", 0, 0, 0]", {"arguments[0]", "no buffer 'one'", "a (.f32, 4 bytes)"}},
      {"[@x, x, " + s + ", 0, 0, 0]", {"by its address, which has 64 bits", "count_of", "a (.f32"}},
      {"[1, x, " + s + ", 0, 0, @x]", {"by its address, which has 64 bits", "raw (.b32, 4 bytes)"}},
      {"[1, @y, " + s + ", 0, 0, 0]", {"no buffer 'y'", "known: x", "p (.u64, 8 bytes)"}},
      {"[1, @1.5, " + s + ", 0, 0, 0]", {"'1.5' is not a whole number", "p (.u64"}},
      {"[1, @0x10000000000000000, " + s + ", 0, 0, 0]", {"out of range", "p (.u64"}},
      {"[1, @[x], " + s + ", 0, 0, 0]", {"a list is given", "p (.u64"}},
      {"[1, {buffer: @x, offset: 41}, " + s + ", 0, 0, 0]", {"'x' has 40 bytes", "p (.u64"}},
      {"[1, x, @5, 0, 0, 0]", {"one value is given", "list of 24 values", "s (.align 8 .b8, 24 bytes)"}},
      {"[1, x, @[1, 2], 0, 0, 0]", {"2 bytes are given", "the parameter has 24"}},
      {"[1, x, {fields: [{u64: [1, 2, 3, @4]}]}, 0, 0, 0]", {"more than 24 bytes", "s (.align 8"}},
      {"[1, x, {fields: [@1]}, 0, 0, 0]", {"a field needs a type"}},
      {"[1, x, @{felds: [1]}, 0, 0, 0]", {"'felds' is no type", "did you mean fields?"}},
      {"[1, x, " + s + ", @65536, 0, 0]", {"'65536' is out of range", "h (.u16, 2 bytes)"}},
      {"[1, x, " + s + ", 0, @128, 0]", {"out of range", "-128 to 127", "c (.s8, 1 bytes)"}},
      {"[1, x, " + s + ", 0, 0, {f64: @1}]", {"more than 4 bytes", "raw (.b32, 4 bytes)"}},
      {"[1, x, " + s + ", 0, 0, @1.5]", {"not a whole number", "raw (.b32"}},
      {"[1, x, {contents_of: @y}, 0, 0, 0]", {"unknown buffer 'y'"}},
      {"[1, x, {contents_of: @x}, 0, 0, 0]", {"'x' has no contents", "s (.align 8 .b8, 24 bytes)"}},
      {"[@{f16: 1}, x, " + s + ", 0, 0, 0]", {"2 bytes are given", "a (.f32"}},
      {"@[1, x, " + s + ", 0, 0, ]", {"takes 6 arguments, 5 given"}},
  }));
  expect_refusal(folder, take_with(bad.arguments), bad.parts);
}

TEST_CASE("groups of launches are refused if they are empty, have no number, are nested or too many") {
  const PlanFolder folder;
  const std::string launch = "{program: take.ptx, kernel: nothing, grid: 1, block: 1}";
  const auto expect = [&](const std::string& group, const std::vector<std::string>& parts) {
    expect_refusal(folder, "launches:\n- " + launch + "\n- " + group + "\n", parts);
  };
  expect("{repeat: @0, launches: [" + launch + "]}", {"launches[1].repeat", "1 to 1000000"});
  expect("{repeat: @1000000, launches: [" + launch + "]}",
         {"launches[1].repeat", "1000000 times 1 launches", "1000000 at most"});
  expect("{repeat: @500000, launches: [" + launch + ", " + launch + "]}", {"500000 times 2 launches"});
  expect("{repeat: 2, launches: @[]}", {"launches[1].launches", "there is no launch"});
  expect("@{repeat: 2}", {"launches[1]", "no key launches"});
  expect("@{launches: [" + launch + "]}", {"launches[1]", "no key repeat"});
  expect("{repeat: 2, @name: x, launches: [" + launch + "]}", {"launches[1]", "name"});
  expect("{repeat: 2, launches: [{@repeat: 2, launches: [" + launch + "]}]}", {"launches[1].launches[0]", "repeat"});
  expect("{repeat: 2, launches: [{program: take.ptx, kernel: nothing, grid: @0, block: 1}]}",
         {"launches[1].launches[0].grid"});
}

TEST_CASE("an argument with another size than its parameter is refused") {
  const PlanFolder folder;
  const auto expect = [&](const std::string& values, const std::string& arguments, const std::string& part) {
    expect_refusal(folder, take_with(arguments, "x: {type: u64, values: " + values + "}"),
                   {part, "s (.align 8 .b8, 24 bytes)"});
  };
  expect("[1, 2, 3, 4]", "[1, x, {contents_of: @x}, 0, 0, 0]", "more than 24 bytes");
  expect("[1, 2]", "[1, x, @{contents_of: x}, 0, 0, 0]", "16 bytes are given");
}

TEST_CASE("shapes beyond the limits of a launch are refused") {
  const PlanFolder folder;
  const auto expect = [&](const std::string& shape, const std::vector<std::string>& parts) {
    expect_refusal(folder, launch_with("kernel: nothing, " + shape), parts);
  };
  expect_refusal(folder, "launches:\n- @{program: take.ptx, kernel: nothing, grid: 1}\n", {"no key block"});
  expect_refusal(folder, "launches:\n- @{program: take.ptx, kernel: nothing, block: 1}\n", {"no key grid"});
  expect("grid: 1, block: @1025", {"launches[0].block", "1 to 1024"});
  expect("grid: 1, block: [1, 1, @65]", {"block[2]", "1 to 64"});
  expect("grid: 1, block: @[32, 33]", {"1056 threads a block", "1024"});
  // The number of threads is 2^70, which overflows to 0 in 64 bits.
  expect("grid: @[1073741824, 32768, 32768], block: 1024", {"blocks of 1024 threads", "2^44 threads in all"});
  expect("grid: 1, block: @[1, 1, 1, 1]", {"one to three numbers"});
  expect("grid: @0, block: 1", {"launches[0].grid", "out of range"});
  expect("grid: [1, @65536], block: 1", {"grid[1]", "65535"});
  expect("grid: [1, 1, @65536], block: 1", {"grid[2]", "65535"});
  expect("grid: @2147483648, block: 1", {"2147483647"});
  expect("grid: 1, threads: @1, block: 1", {"grid is given, too"});
  expect("threads: @0, block: 1", {"0 threads"});
  expect("grid: 1, block: 1, dynamic_shared: @2 GiB", {"shared memory"});
  expect("grid: 1, block: 1, stack: @513 KiB", {"a stack of 525312 bytes", "512 KiB"});
  folder.place().write("down.ptx",
                       ".version 7.0\n.target sm_75\n.address_size 64\n.func down(.reg .u32 %n)\n{\n  .reg .pred %q;\n"
                       "  setp.eq.u32 %q, %n, 0;\n  @%q ret;\n  sub.u32 %n, %n, 1;\n  call down, (%n);\n  ret;\n}\n"
                       ".visible .entry k()\n{\n  .reg .u32 %r;\n  mov.u32 %r, 3;\n  call down, (%r);\n  ret;\n}\n");
  expect_refusal(folder, "launches: [{program: @down.ptx, grid: 1, block: 1, stack: 15 B}]\n",
                 {"launches[0].program", "a stack of 15 bytes", "'down' within another, which takes 16 bytes"});
  CHECK_NOTHROW(folder.plan_of("launches: [{program: down.ptx, grid: 1, block: 1, stack: 16 B}]\n"));
  const auto declared = [&](const std::string& directive, const std::string& block, const std::string& part) {
    folder.place().write("declared.ptx", ".version 5.0\n.target sm_60\n.address_size 64\n.visible .entry k()\n" +
                                             directive + "\n{\n  ret;\n}\n");
    expect_refusal(folder, "launches: [{program: declared.ptx, grid: 1, block: " + block + "}]\n",
                   {part, "declared.ptx:5"});
  };
  declared(".reqntid 8, 8", "@64", "requires blocks of [8, 8, 1] threads");
  declared(".maxntid 16, 2", "@[11, 3]", "32 threads at most, 33 are given");
}

TEST_CASE("invalid textures are refused") {
  const PlanFolder folder;
  folder.place().write("tex.ptx", tests::texture_ptx);
  const auto expect = [&](const std::string& object, const std::string& textures,
                          const std::vector<std::string>& parts) {
    expect_refusal(
        folder,
        "buffers: {x: {type: f32, count: 6}, d: {type: f64, count: 4}}\nlaunches:\n- {program: tex.ptx, grid: 1, "
        "block: 1, arguments: [" +
            object + ", x]" + textures + "}\n",
        parts);
  };
  const std::string bound = ", textures: {image_reference: {buffer: x}}";
  expect("{texture: @y}", bound, {"unknown buffer 'y'"});
  expect("{texture: @d}", bound, {"no texture reads elements of f64"});
  expect("{texture: x, components: @3}", bound, {"1, 2 or 4"});
  expect("{texture: @x, components: 4}", bound, {"6 numbers of 'x'"});
  expect("{texture: x, normalized: @true}", bound, {"f32 cannot be normalized"});
  expect("{texture: x, normalized: @maybe}", bound, {"maybe"});
  expect("0", ", textures: {@image: {buffer: x}}", {"no texture reference image", "image_reference"});
  expect("0", ", textures: {image_reference: @{}}", {"no key buffer"});
  expect_refusal(folder, "launches: [@{program: tex.ptx, grid: 1, block: 1, arguments: [0, 0]}]\n",
                 {"reads the texture reference image_reference", "add `textures:"});
  expect_refusal(folder, take_with("[@{texture: x}, x, [1], 0, 0, 0]"), {"handle, which has 64 bits", "a (.f32"});
}

TEST_CASE("missing programs and kernels are refused") {
  const PlanFolder folder;
  folder.place().write("broken.ptx",
                       ".version 5.0\n.target sm_60\n.address_size 64\n.visible .entry k()\n{\n  hop;\n}\n");
  expect_refusal(folder, "launches:\n- {program: @tke.ptx, grid: 1, block: 1}\n", {"no file", "tke.ptx"});
  expect_refusal(folder, launch_with("kernel: @nothin, grid: 1, block: 1"), {"nothin", "nothing"});
  expect_refusal(folder, "launches:\n- {program: @take.ptx, grid: 1, block: 1}\n", {"take", "nothing"});
  CHECK_THROWS_WITH(folder.plan_of("launches:\n- {program: broken.ptx, grid: 1, block: 1}\n"),
                    Contains("broken.ptx:6:") && Contains("hop"));
}

TEST_CASE("invalid buffers are refused") {
  const PlanFolder folder;
  folder.place().write("five.bin", "12345");
  const std::vector<std::uint64_t> shape{2, 3};
  folder.place().write("six.npy", npy_bytes(ElementType::f32, shape, std::vector<std::byte>(24)));
  folder.place().write("bad.npy", "no array");
  const auto expect = [&](const std::string& value, const std::vector<std::string>& parts) {
    expect_refusal(folder, buffer_with(value), parts);
  };
  expect("@5", {"buffers.x", "not a map"});
  expect("{@tipe: f32}", {"buffers.x has no key tipe", "did you mean type?"});
  expect("{type: @float, count: 1}", {"unknown type 'float'"});
  expect("@{count: 1}", {"no type"});
  expect("@{type: f32}", {"no count"});
  expect("{type: f32, count: @many}", {"buffers.x.count", "'many'"});
  expect("{type: f32, count: 2, shape: @[3]}", {"3 elements, the count is 2"});
  expect("@{type: f32, count: 5_000_000_000}", {"does not fit in device memory"});
  expect("@{type: f64, count: 0xffffffffffffffff}", {"do not fit in memory"});
  expect("{type: f64, shape: @[4294967296, 4294967296]}", {"do not fit in memory"});
  expect("{type: f32, count: 2, fill: @x}", {"buffers.x.fill", "not a number"});
  expect("{type: u8, count: 2, fill: @256}", {"out of range for u8"});
  expect("{type: u8, count: 300, range: @{}}", {"leave the range of u8"});
  expect("{type: u8, count: 3, random: @{from: 1}}", {"no key to"});
  expect("{type: u8, count: 3, fill: 1, range: @{}}", {"fill is given, too"});
  expect("{type: u8, count: @3, values: [1, 2]}", {"3 elements are wanted, the contents have 2"});
  expect("{type: u8, values: @7}", {"not a list"});
  expect("{type: u8, raw: @none.bin}", {"no file", "none.bin"});
  expect("{raw: @five.bin}", {"type of the elements is not known"});
  expect("{type: u16, raw: @five.bin}", {"5 bytes are no whole number of elements of u16"});
  expect("{type: u8, raw: five.bin, offset: @6}", {"has 5 bytes only"});
  expect("{type: u8, raw: five.bin, offset: 2, length: @4}", {"has 3 bytes after the offset"});
  expect("{type: u8, raw: five.bin, count: @9}", {"9 elements are wanted, the contents have 5"});
  expect("{type: u8, count: 1, offset: @3}", {"raw only"});
  expect("{npy: @bad.npy}", {"not a .npy file"});
  expect("{npy: @six.npy, type: s32}", {"elements of f32, not of s32", "astype"});
  expect("{npy: six.npy, count: @5}", {"5 elements are wanted, the contents have 6"});
  expect("{npy: six.npy, shape: @[3, 2]}", {"an array of 2 x 3"});
  expect("{scene: @bx, part: nodes}", {"'bx'", "box"});
  expect("{scene: box, part: @leaves}", {"unknown value 'leaves'", "nodes"});
  expect("{scene: @box, part: rays, width: 8192, height: 4096}", {"33554432 paths to trace", "16777216"});
  expect("{type: f32, count: 2, part: @nodes}", {"scene or rays only"});
  expect("{scene: @box, fill: 1, type: f32, count: 1}", {"other contents are given, too"});
  expect("{rays: @six.npy}", {"six.npy"});
  expect_refusal(folder, "buffers:\n  @7up: {type: u8, count: 1}\nlaunches: []\n", {"'7up' cannot name a buffer"});
  expect_refusal(folder, "buffers:\n  @nan: {type: u8, count: 1}\nlaunches: []\n", {"'nan' cannot name a buffer"});
}

TEST_CASE("invalid outputs and expected contents are refused") {
  const PlanFolder folder;
  const std::vector<std::uint64_t> shape{3, 2};
  folder.place().write("turned.npy", npy_bytes(ElementType::f32, shape, std::vector<std::byte>(24)));
  const auto output = [&](const std::string& item, const std::vector<std::string>& parts) {
    expect_refusal(folder, with_list("outputs", item), parts);
  };
  output("{buffer: @y, npy: y.npy}", {"unknown buffer 'y'", "known: x, n, d, e"});
  output("@{buffer: x}", {"npy, raw and png"});
  output("@{buffer: x, npy: a, raw: b}", {"npy, raw and png"});
  output("{buffer: x, npy: @../a.npy}", {"cannot name a file"});
  output("{buffer: x, npy: @report.json}", {"another file of the report"});
  output("{buffer: x, npy: a}\n- {buffer: n, raw: @a}", {"another file of the report"});
  output("{buffer: x, npy: a, shape: @[5]}", {"5 elements, the buffer 6"});
  output("{buffer: x, raw: a, shape: @[6]}", {"has no shape"});
  output("{buffer: n, png: @a}", {"no picture has the shape [4]", "[height, width]"});
  output("{buffer: x, png: @a, shape: [1, 3, 2]}", {"no picture has the shape [1, 3, 2]", "[height, width, 3]"});
  output("{buffer: x, png: a, shape: @[6, 2]}", {"12 elements, the buffer 6"});
  output("@{buffer: x, png: a, npy: b}", {"npy, raw and png"});
  output("{buffer: e, png: @a}", {"a picture of 0 x 3 pixels"});
  output("{buffer: d, png: @a}", {"a picture has no elements of f64", "u8, u32, s32 or f32"});
  const auto expected = [&](const std::string& item, const std::vector<std::string>& parts) {
    expect_refusal(folder, with_list("expected", item), parts);
  };
  expected("{buffer: @y, fill: 1}", {"unknown buffer 'y'"});
  expected("@{buffer: x}", {"nothing is expected"});
  expected("@{buffer: x, values: [1]}", {"6 elements of 'x' are expected, 1 are given"});
  expected("{buffer: x, first: @7, fill: 1}", {"out of range"});
  expected("{buffer: x, first: 2, count: @5, fill: 1}", {"0 to 4"});
  expected("{buffer: n, fill: 1, ulps: @1}", {"s32 are no floats"});
  expected("{buffer: x, fill: 1, absolute: @-1}", {"no tolerance"});
  expected("{buffer: x, fill: 1, relative: @nan}", {"no tolerance"});
  expected("@{buffer: x, npy: turned.npy}", {"an array of 3 x 2, the buffer 'x' one of 2 x 3"});
}

TEST_CASE("sections of the wrong kind are refused, and the error for an unknown section has the nearest") {
  const PlanFolder folder;
  expect_refusal(folder, "@launches:\n", {"launches", "not a list"});
  expect_refusal(folder, "launches: @[]\n", {"no launch"});
  expect_refusal(folder, "launches: @{}\n", {"not a list"});
  expect_refusal(folder, "launches: [@5]\n", {"launches[0]", "not a map"});
  expect_refusal(folder, "launches: [{@progam: x}]\n", {"launches[0] has no key progam", "program"});
  expect_refusal(folder, "buffers: @[1]\nlaunches: []\n", {"buffers", "not a map"});
  expect_refusal(folder, "@launchs: []\n", {"no key launchs", "did you mean launches?"});
}

TEST_CASE("a variable of a module must exist and have the expected size") {
  const PlanFolder folder;
  folder.place().write("variables.ptx", tests::variables_ptx);
  const auto with = [](const std::string& keys) {
    return "buffers:\n  x: {" + keys + "}\nlaunches: [{program: take.ptx, kernel: nothing, grid: 1, block: 1}]\n";
  };
  expect_refusal(folder, with("variable: @weight, program: variables.ptx, type: f32"),
                 {"no variable 'weight'", "did you mean weights?"});
  expect_refusal(folder, with("variable: @cell, program: variables.ptx, type: u32"), {"no variable 'cell'"});
  expect_refusal(folder, with("variable: @weights, program: variables.ptx, type: f64"), {"12 bytes", "a whole number"});
  expect_refusal(folder, with("variable: @weights, program: variables.ptx, type: f32, count: 4"), {"12 bytes", "4 of"});
  expect_refusal(folder, with("variable: @weights, program: variables.ptx, type: f32, values: [1, 2]"),
                 {"3 elements are wanted, the contents have 2"});
  expect_refusal(folder, with("variable: weights, program: @none.ptx, type: f32"), {"no file"});
  expect_refusal(folder,
                 "buffers:\n  x: {variable: misses, program: variables.ptx, type: u32}\n"
                 "  y: {variable: @misses, program: variables.ptx, type: u32}\n"
                 "launches: [{program: take.ptx, kernel: nothing, grid: 1, block: 1}]\n",
                 {"another buffer is this variable already"});
}
