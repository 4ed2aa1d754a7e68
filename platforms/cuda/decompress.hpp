// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The two compressions of fat binaries since CUDA 11: blocks of LZ4 (without its frame format), and frames of zstd.
/// Both were found by running nvcc 13.0 with -compress-mode=speed (LZ4) and =default, =size, =balance (zstd).

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace reconverge::cuda {

enum class Compression : std::uint8_t { none, lz4, zstd };

/// Larger texts are refused before memory is reserved for them, in bytes. The PTX of cuBLAS has some ten MiB.
constexpr std::uint64_t most_decompressed = std::uint64_t{1} << 30U;

/// The `size` bytes that `bytes` hold in compressed form. Throws InputError if they hold another number of bytes or
/// are damaged. Without compression: `bytes` themselves, whatever `size` says.
std::string decompressed(Compression compression, std::span<const std::byte> bytes, std::uint64_t size);

}  // namespace reconverge::cuda
