// SPDX-License-Identifier: Apache-2.0
#include "platforms/cuda/decompress.hpp"

#include <fmt/format.h>
#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <string_view>

#include "models/core/error.hpp"

namespace reconverge::cuda {

namespace {

/// A byte of a length in LZ4 counts at most 255 bytes of text.
constexpr std::uint64_t most_lz4_ratio = 255;

[[noreturn]] void refuse(std::string_view what) {
  throw InputError({}, fmt::format("a compressed entry of the program's fat binary is damaged: {}", what),
                   "compile the program again, with -no-compress if that does not help");
}

/// So that a damaged size costs no memory.
void check_size(Compression compression, std::span<const std::byte> bytes, std::uint64_t size) {
  if (size > most_decompressed || bytes.size() > most_decompressed) {
    refuse(fmt::format("{} bytes are more than {}", std::max<std::uint64_t>(size, bytes.size()), most_decompressed));
  }
  if (compression == Compression::lz4 && size > most_lz4_ratio * bytes.size()) {
    refuse(fmt::format("{} bytes of LZ4 cannot hold {} bytes", bytes.size(), size));
  }
  if (compression != Compression::zstd) return;
  const unsigned long long held = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (held == ZSTD_CONTENTSIZE_ERROR) refuse("it does not begin as zstd does");
  if (held != ZSTD_CONTENTSIZE_UNKNOWN && held != size) {
    refuse(fmt::format("its zstd holds {} bytes, its header says {}", held, size));
  }
}

}  // namespace

std::string decompressed(Compression compression, std::span<const std::byte> bytes, std::uint64_t size) {
  if (compression == Compression::none) return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  check_size(compression, bytes, size);
  std::string text(size, '\0');
  if (compression == Compression::lz4) {
    const int written = LZ4_decompress_safe(reinterpret_cast<const char*>(bytes.data()), text.data(),
                                            static_cast<int>(bytes.size()), static_cast<int>(size));
    if (written < 0) refuse("it is no block of LZ4");
    if (static_cast<std::uint64_t>(written) != size) {
      refuse(fmt::format("its LZ4 holds {} bytes, its header says {}", written, size));
    }
    return text;
  }
  const std::size_t written = ZSTD_decompress(text.data(), text.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(written) != 0) refuse(fmt::format("zstd says '{}'", ZSTD_getErrorName(written)));
  if (written != size) refuse(fmt::format("its zstd holds {} bytes, its header says {}", written, size));
  return text;
}

}  // namespace reconverge::cuda
