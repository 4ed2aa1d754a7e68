// SPDX-License-Identifier: Apache-2.0
#include "platforms/launch/npy.hpp"

#include <catch2/catch.hpp>
#include <cstring>

#include "models/core/error.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge;
using namespace reconverge::launch;
using Catch::Contains;

namespace {

/// A file in the format of NumPy's documentation, assembled by hand.
std::string npy(const std::string& header, const std::string& data, int version = 1) {
  std::string file = std::string("\x93NUMPY", 6) + static_cast<char>(version) + '\0';
  std::size_t length = header.size();
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i, length /= 256) file += static_cast<char>(length % 256);
  return file + header + data;
}

std::string header(const std::string& descr, const std::string& shape, const std::string& order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }   \n";
}

}  // namespace

TEST_CASE("an array of any format version is read with type, shape and elements") {
  const int version = GENERATE(1, 2, 3);
  const std::string data("\1\0\2\0\3\0\4\0\5\0\6\0", 12);
  const NpyArray array = parse_npy(npy(header("<i2", "(2, 3)"), data, version), "a.npy");
  CHECK(array.type == ElementType::s16);
  CHECK(array.shape == std::vector<std::uint64_t>{2, 3});
  CHECK(array.count() == 6);
  CHECK(std::memcmp(array.data.data(), data.data(), data.size()) == 0);
}

TEST_CASE("keys may be in any order with either kind of quotes, and shapes may have any length") {
  const std::string other = "{\"shape\":(4,),\"fortran_order\":True,\"descr\":\"|u1\"}";
  CHECK(parse_npy(npy(other, "abcd"), "a.npy").shape == std::vector<std::uint64_t>{4});
  CHECK(parse_npy(npy(header("|b1", "(3L,)"), std::string("\1\0\1", 3)), "a.npy").type == ElementType::u8);
  CHECK(parse_npy(npy(header("<f8", "()"), std::string(8, '\0')), "a.npy").shape.empty());
  CHECK(parse_npy(npy(header("<f4", "(0, 7)"), ""), "a.npy").count() == 0);
}

TEST_CASE("every type is read back from written bytes, whose data is aligned to 64") {
  for (const std::string_view name : element_type_names()) {
    INFO(name);
    const ElementType type = *element_type(name);
    std::vector<std::byte> data(6 * bytes_of(type));
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::byte>(i * 37);
    const std::vector<std::uint64_t> shape{3, 2};
    const std::string bytes = npy_bytes(type, shape, data);
    CHECK((bytes.size() - data.size()) % 64 == 0);
    CHECK(bytes[bytes.size() - data.size() - 1] == '\n');
    const NpyArray array = parse_npy(bytes, "a.npy");
    CHECK(array.type == type);
    CHECK(array.shape == shape);
    CHECK(array.data == data);
  }
  const std::vector<std::byte> one(4);
  CHECK_THAT(npy_bytes(ElementType::f32, {}, one), Contains("'shape': (), }"));
  const std::vector<std::uint64_t> row{1};
  CHECK_THAT(npy_bytes(ElementType::f32, row, one),
             Contains("'descr': '<f4', 'fortran_order': False, 'shape': (1,), }"));
}

TEST_CASE("the arrays of the shipped experiment, which other code wrote, are read") {
  const NpyArray array = read_npy(RECONVERGE_SOURCE_DIR "/yaml/experiments/data/collatz_steps.npy");
  CHECK(array.type == ElementType::u32);
  CHECK(array.shape == std::vector<std::uint64_t>{1024});
  CHECK(load_element(array.type, array.data.data() + 26 * 4) == 111);  // the steps of 27
}

TEST_CASE("the error for an unreadable file has the reason and a remedy in NumPy") {
  struct Bad {
    std::string bytes;
    const char* reason;
  };
  const std::string four(4, '\0');
  const Bad bad = GENERATE_COPY(values<Bad>({
      {"", "not a .npy file"},
      {"PK\3\4 an .npz archive", "not a .npy file"},
      {std::string("\x93NUMPY\1", 7), "not a .npy file"},
      {npy(header("<f4", "(1,)"), four, 4), "version 4"},
      {std::string("\x93NUMPY\1\0\xff\x7f{", 11), "ends within its header"},
      {npy("", ""), "no '{'"},
      {npy("{'descr': '<f4'}", four), "lacks one of"},
      {npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}", four), "unknown key 'more'"},
      {npy("{'descr': '<f4', 'fortran_order': No, 'shape': (1,)}", four), "Fortran order"},
      {npy("{'descr': '<f4', 'fortran_order': False, 'shape': (x,)}", four), "shape that is none"},
      {npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)", four), "no dictionary"},
      {npy(header("<f4", "(1,)") + "x", four), "goes on after"},
      {npy("{'descr': '<f4", four), "without end"},
      {npy(header(">f4", "(1,)"), four), "big endian; convert it: numpy.save(file, array.astype('<f4'))"},
      {npy(header("<c8", "(1,)"), four + four), "type '<c8'"},
      {npy(header("<f12", "(1,)"), four), "type '<f12'"},
      {npy(header("|O", "(1,)"), four), "type '|O'"},
      {npy(header("xf4", "(1,)"), four), "type 'xf4'"},
      {npy(header("<U4", "(1,)"), four), "type '<U4'"},
      {npy("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,)}", four), "holds records"},
      {npy(header("<f4", "(2, 3)", "True"), std::string(24, '\0')), "numpy.ascontiguousarray"},
      {npy(header("<f4", "(2,)"), four), "holds 4 bytes of data; 2 elements of f32 are 8 bytes"},
      {npy(header("<f4", "(1,)"), four + "x"), "holds 5 bytes"},
      {npy(header("<f4", "(4611686018427387904, 4)"), ""), "too many bytes"},
  }));
  INFO(bad.reason);
  CHECK_THROWS_AS(parse_npy(bad.bytes, "a.npy"), InputError);
  CHECK_THROWS_WITH(parse_npy(bad.bytes, "a.npy"), Contains("a.npy: ") && Contains(bad.reason));
}

TEST_CASE("a truncated file is refused") {
  const std::string whole = npy(header("<f4", "(2,)"), "abcdefgh");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    INFO(length);
    CHECK_THROWS_AS(parse_npy(whole.substr(0, length), "a.npy"), InputError);
  }
}

TEST_CASE("the errors for a missing file and a folder have the name") {
  const tests::TemporaryFolder place;
  CHECK_THROWS_WITH(read_npy(place.path() / "none.npy"), Contains("none.npy") && Contains("no such file"));
  CHECK_THROWS_WITH(read_npy(place.path()), Contains("folder"));
}
