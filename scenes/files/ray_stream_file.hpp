#pragma once
/// Ray streams on disk, so that a workload is recorded once and measured often.
///
/// Little endian. Header of 24 bytes: magic "RCVRAYS\n", version (u32), CRC-32 of the payload (u32), payload bytes
/// (u64). Payload: scene name (u64 length, bytes), scene triangles (u64), width, height, samples per pixel, seed,
/// bounces (u32 each), then for every bounce its extension and its shadow stream (u64 count, the Rays, the
/// PathSamples), then the picture (3 * width * height floats). Pixel offsets are not stored; they follow.

#include <filesystem>

#include "scenes/light/ray_streams.hpp"

namespace reconverge::scenes {

inline constexpr std::uint32_t ray_stream_version = 1;

/// Throws InputError when something other than a plain file has that name: renaming would take a device away.
void check_stream_place(const std::filesystem::path& file);

/// Writes beside the file and renames, so that no half-written file is ever seen under that name.
/// Throws InputError when the place cannot be written, or holds something other than a plain file.
void save_streams(const RayStreams& streams, const std::filesystem::path& file);

/// Throws InputError, naming the file, on a wrong magic, version, length, checksum, or on contents that make no sense.
RayStreams load_streams(const std::filesystem::path& file);

}  // namespace reconverge::scenes
