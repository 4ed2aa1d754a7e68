// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Ray streams on disk, so that a workload is recorded once and used many times.
///
/// Little endian. Header of 24 bytes: magic "RCVRAYS\n", version (u32), CRC-32 of the payload (u32), payload bytes
/// (u64). Payload: scene name (u64 length, bytes), scene triangles (u64), width, height, samples per pixel, seed,
/// bounces (u32 each), then for every bounce its extension and its shadow stream (u64 count, the Rays, the
/// PathSamples), then the picture (3 * width * height floats). Pixel offsets are not stored; they are computed.

#include <filesystem>

#include "scenes/light/ray_streams.hpp"

namespace reconverge::scenes {

inline constexpr std::uint32_t ray_stream_version = 1;

/// Throws InputError if the name belongs to something other than a regular file: renaming would replace a device.
void check_stream_place(const std::filesystem::path& file);

/// Writes a temporary file next to it and renames that, so that a half-written file never has this name. Throws
/// InputError if the file cannot be written or is not a regular file.
void save_streams(const RayStreams& streams, const std::filesystem::path& file);

/// Throws InputError, naming the file, for a wrong magic, version, length or checksum, and for inconsistent contents.
RayStreams load_streams(const std::filesystem::path& file);

}  // namespace reconverge::scenes
