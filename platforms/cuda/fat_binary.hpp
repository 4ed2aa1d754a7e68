// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Fat binaries: the device code that nvcc embeds in an executable, PTX and machine code for one or more architectures.
/// A fat binary consists of a header and entries; an entry consists of a header, the texts that it refers to, and a
/// payload. All numbers are little-endian.
///
/// NVIDIA publishes only the wrapper (fatbinary_section.h of the toolkit). The remainder was found by experiments with
/// nvcc and fatbinary 13.0, and agrees with the readers of the projects cuda-fatbin-decompression and jiegec/fatbinary;
/// the older compression and kind 16 are from public descriptions only.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/cuda/decompress.hpp"

namespace reconverge::cuda {

/// The data that programs register. Version 2 is a program compiled with nvcc -rdc=true, whose device code the device
/// linker joins: `data` then contains linked machine code or is empty, and `more` points to a null-terminated list of
/// the linked parts.
struct FatWrapper {
  static constexpr std::uint32_t right_magic = 0x466243b1;

  std::uint32_t magic = right_magic;
  std::uint32_t version = 1;
  const void* data = nullptr;  ///< a fat binary
  const void* more = nullptr;
};
static_assert(sizeof(FatWrapper) == 24);

struct FatHeader {
  static constexpr std::uint32_t right_magic = 0xba55ed50;

  std::uint32_t magic = right_magic;
  std::uint16_t version = 1;
  std::uint16_t header_bytes = 16;
  std::uint64_t entry_bytes = 0;  ///< of all entries
};
static_assert(sizeof(FatHeader) == 16);

/// Places count in bytes from this header's first byte.
struct FatEntryHeader {
  static constexpr std::uint16_t ptx = 1;
  static constexpr std::uint16_t machine_code = 2;
  static constexpr std::uint16_t intermediate_code = 8;  ///< for -dlto
  static constexpr std::uint16_t other_machine_code = 16;

  static constexpr std::uint64_t flag_64_bit = 0x1;
  static constexpr std::uint64_t flag_debug = 0x2;
  static constexpr std::uint64_t flag_linux = 0x10;
  static constexpr std::uint64_t flag_old_compression = 0x1000;
  static constexpr std::uint64_t flag_lz4 = 0x2000;
  static constexpr std::uint64_t flag_zstd = 0x8000;
  static constexpr std::uint64_t flag_architecture_only = 0x100000;  ///< compute_90a
  static constexpr std::uint64_t flag_family_only = 0x200000;        ///< compute_100f

  std::uint16_t kind = ptx;
  std::uint16_t unknown = 0x101;
  std::uint32_t header_bytes = sizeof(FatEntryHeader);  ///< with the texts below, to the payload
  std::uint64_t payload_bytes = 0;                      ///< filled up with zeros to a multiple of 8
  std::uint32_t compressed_bytes = 0;                   ///< of the payload, exactly; zero without compression
  std::uint32_t options = 0;                            ///< the place of a FatText about options for ptxas; or zero
  std::uint16_t minor = 0;                              ///< version of PTX
  std::uint16_t major = 0;
  std::uint32_t architecture = 0;  ///< 75 for sm_75 and compute_75
  std::uint32_t name = 0;          ///< the place of the source file's name, with -g and -lineinfo; or zero
  std::uint32_t name_bytes = 0;
  std::uint64_t flags = flag_64_bit | flag_linux;
  std::uint64_t unknown_hash = 0;    ///< zero but for intermediate code
  std::uint64_t original_bytes = 0;  ///< before compression; zero without compression
};
static_assert(sizeof(FatEntryHeader) == 64);

struct FatText {
  std::uint32_t place = 0;
  std::uint32_t bytes = 0;
};

/// One piece of PTX or machine code. Its payload is in the memory of the fat binary, which must outlive it.
struct FatEntry {
  enum class Kind : std::uint8_t { ptx, machine_code, other };

  Kind kind = Kind::other;
  unsigned architecture = 0;  ///< 75 for sm_75 and compute_75
  bool specific = false;      ///< for no other architecture, as compute_90a, or for a family, as compute_100f
  bool relocatable = false;   ///< PTX for the device linker (nvcc -rdc=true)
  Compression compression = Compression::none;
  std::uint64_t size = 0;  ///< bytes after decompression; those of the padded payload if it is not compressed
  std::uint64_t flags = 0;
  std::string name;     ///< of the source file; mostly empty
  std::string options;  ///< for ptxas; mostly empty
  std::span<const std::byte> payload;
};

/// The entries of the fat binaries that follow each other in `bytes`, as in the section .nv_fatbin or a file .fatbin;
/// zeros may lie between them. Throws InputError if they are malformed.
std::vector<FatEntry> fat_entries(std::span<const std::byte> bytes);

/// The entries of the one fat binary that begins at `data`. Reads no more bytes than its header says.
std::vector<FatEntry> fat_entries_at(const void* data);

/// The entries of a FatWrapper, the argument of __cudaRegisterFatBinary. Throws InputError if it is malformed,
/// or if the program was compiled with -rdc=true.
std::vector<FatEntry> registered_entries(const void* wrapper);

/// The text of an entry of PTX, decompressed, without the zeros at its end. Throws InputError if it is damaged, or if
/// it is relocatable, since calls may then lead to functions of other files.
std::string ptx_text(const FatEntry& entry);

/// The PTX that suits an `architecture` best: of the highest architecture that is not above it, else of the lowest one
/// above it. PTX for few architectures (FatEntry::specific) is taken if there is no other. Null without PTX.
const FatEntry* choose_ptx(std::span<const FatEntry> entries, unsigned architecture);

/// The message if choose_ptx found no PTX: what the program has instead, and how to compile it.
std::string no_ptx_message(std::span<const FatEntry> entries);

/// All of these steps: the PTX in the FatWrapper or the fat binary at `image`. InputErrors name `file`.
std::string ptx_of(const void* image, unsigned architecture, const std::string& file);

/// A fat binary with one PTX that is not compressed, as fatbinary writes it. Its size is a multiple of 8 bytes; it
/// must be placed at such an address. `name`: of the source file, or empty. Throws InputError if the PTX has no
/// `.version`.
std::string fat_binary_of(std::string_view ptx, unsigned architecture, std::string_view name);

}  // namespace reconverge::cuda
