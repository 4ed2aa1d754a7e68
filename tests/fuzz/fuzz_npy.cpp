// SPDX-License-Identifier: Apache-2.0
/// NumPy arrays. Bytes that are not a .npy file are treated as a header and its data and get a prefix with the right
/// length, because the fuzzer would find little with a wrong one. Reading a file and reading its bytes must agree.

#include <algorithm>

#include "platforms/launch/npy.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/unit/core/temporary_folder.hpp"

namespace reconverge::fuzz {

namespace {

constexpr std::string_view magic{"\x93NUMPY", 6};
constexpr std::size_t most_header = 0xffff;

/// The header ends at its line break.
std::string with_prefix(const std::string& contents) {
  const std::size_t length = std::min({contents.find('\n') + 1, contents.size(), most_header});
  std::string bytes(magic);
  bytes += {'\x01', '\x00', static_cast<char>(length & 0xffU), static_cast<char>(length >> 8U)};
  return bytes + contents;
}

void read(const tests::TemporaryFolder& folder, const std::string& bytes) {
  const launch::NpyArray array = launch::parse_npy(bytes, "fuzz.npy");
  require(array.data.size() == array.count() * launch::bytes_of(array.type), "an array holds whole elements");
  const std::string again = launch::npy_bytes(array.type, array.shape, array.data);
  require(launch::parse_npy(again, "again.npy").data == array.data, "an array survives being written");
  const launch::NpyArray of_file = launch::read_npy(folder.write("fuzz.npy", bytes));
  require(of_file.data == array.data && of_file.shape == array.shape, "a file reads as its bytes do");
}

}  // namespace

}  // namespace reconverge::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace reconverge;
  static const tests::TemporaryFolder folder;
  const std::string bytes = fuzz::text_of(data, size);
  fuzz::taken([&] { fuzz::read(folder, bytes.starts_with(fuzz::magic) ? bytes : fuzz::with_prefix(bytes)); });
  return 0;
}
