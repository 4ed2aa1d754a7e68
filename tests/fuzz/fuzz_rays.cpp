// SPDX-License-Identifier: Apache-2.0
/// Recorded rays. Bytes that are not a ray file are used as the contents of one and get a matching header, because the
/// fuzzer would find nothing with a wrong checksum.

#include <array>
#include <boost/crc.hpp>
#include <cstring>

#include "scenes/files/ray_stream_file.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/unit/core/temporary_folder.hpp"

namespace reconverge::fuzz {

namespace {

constexpr std::string_view magic = "RCVRAYS\n";

template <typename T>
void append(std::string& bytes, T value) {
  std::array<char, sizeof value> raw{};
  std::memcpy(raw.data(), &value, sizeof value);
  bytes.append(raw.begin(), raw.end());
}

std::string with_header(const std::string& contents) {
  boost::crc_32_type crc;
  crc.process_bytes(contents.data(), contents.size());
  std::string bytes(magic);
  append(bytes, std::uint32_t{scenes::ray_stream_version});
  append(bytes, static_cast<std::uint32_t>(crc.checksum()));
  append(bytes, std::uint64_t{contents.size()});
  return bytes + contents;
}

void load(const tests::TemporaryFolder& folder, const std::string& bytes) {
  const std::string file = folder.write("fuzz.rays", bytes.starts_with(magic) ? bytes : with_header(bytes));
  const scenes::RayStreams streams = scenes::load_streams(file);
  require(streams.picture.size() == std::size_t{3} * streams.pixels(), "the picture has its pixels");
  for (std::size_t bounce = 0; bounce < streams.bounces(); ++bounce) {
    for (const scenes::RayStream* stream : {&streams.extension[bounce], &streams.shadow[bounce]}) {
      require(stream->pixel_first.size() == std::size_t{streams.pixels()} + 1, "every pixel has its place");
      require(stream->pixel_first.back() == stream->rays.size(), "every ray has its pixel");
    }
  }
}

}  // namespace

}  // namespace reconverge::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace reconverge;
  static const tests::TemporaryFolder folder;
  fuzz::taken([&] { fuzz::load(folder, fuzz::text_of(data, size)); });
  return 0;
}
