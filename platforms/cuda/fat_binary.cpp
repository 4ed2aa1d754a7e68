// SPDX-License-Identifier: Apache-2.0
#include "platforms/cuda/fat_binary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <set>
#include <system_error>
#include <utility>

#include "models/core/error.hpp"

namespace reconverge::cuda {

namespace {

using Bytes = std::span<const std::byte>;

[[noreturn]] void refuse(std::string_view what) {
  throw InputError({}, fmt::format("the program's fat binary is damaged or of an unknown form: {}", what),
                   "compile the program again, with nvcc 11 to 13");
}

[[noreturn]] void refuse_relocatable() {
  throw InputError({}, "the program was compiled with -rdc=true; separate compilation of device code is not supported",
                   "compile without -rdc=true (-dc, -dlto), with each kernel and all that it calls in one source file");
}

template <typename T>
T load(const void* place) {
  T value;
  std::memcpy(&value, place, sizeof(T));
  return value;
}

/// A text that belongs to an entry's header, without the blanks and zeros at its end.
std::string text_at(Bytes header, FatText text, std::string_view what) {
  if (text.place > header.size() || text.bytes > header.size() - text.place) {
    refuse(fmt::format("the {} of an entry ends at byte {} of a header of {}", what,
                       std::uint64_t{text.place} + text.bytes, header.size()));
  }
  std::string found(reinterpret_cast<const char*>(header.data()) + text.place, text.bytes);
  found.resize(found.find_last_not_of(std::string_view(" \0", 2)) + 1);
  return found;
}

std::string options_at(Bytes header, std::uint32_t place) {
  if (place == 0) return {};
  if (place > header.size() - sizeof(FatText)) {
    refuse(fmt::format("the options of an entry are at byte {} of a header of {}", place, header.size()));
  }
  const auto text = load<FatText>(header.data() + place);
  return text.bytes == 0 ? std::string() : text_at(header, text, "options");
}

bool has_word(std::string_view text, std::string_view word) {
  return fmt::format(" {} ", text).find(fmt::format(" {} ", word)) != std::string::npos;
}

Compression compression_of(std::uint64_t flags) {
  const bool lz4 = (flags & FatEntryHeader::flag_lz4) != 0;
  const bool zstd = (flags & FatEntryHeader::flag_zstd) != 0;
  if ((flags & FatEntryHeader::flag_old_compression) != 0 || (lz4 && zstd)) {
    refuse(fmt::format("the flags {:#x} mean an unknown compression", flags));
  }
  if (zstd) return Compression::zstd;
  return lz4 ? Compression::lz4 : Compression::none;
}

FatEntry::Kind kind_of(std::uint16_t kind) {
  if (kind == FatEntryHeader::ptx) return FatEntry::Kind::ptx;
  const bool machine_code = kind == FatEntryHeader::machine_code || kind == FatEntryHeader::other_machine_code;
  return machine_code ? FatEntry::Kind::machine_code : FatEntry::Kind::other;
}

/// The checks that only PTX entries need.
void read_ptx(FatEntry& entry, const FatEntryHeader& header, Bytes header_bytes) {
  entry.compression = compression_of(header.flags);
  if (entry.compression != Compression::none) {
    if (header.compressed_bytes > entry.payload.size()) {
      refuse(fmt::format("{} compressed bytes lie in {}", header.compressed_bytes, entry.payload.size()));
    }
    entry.payload = entry.payload.first(header.compressed_bytes);
    entry.size = header.original_bytes;
  }
  if (header.name != 0) entry.name = text_at(header_bytes, {header.name, header.name_bytes}, "name");
  entry.options = options_at(header_bytes, header.options);
  // Tells ptxas to keep relocations; the flags do not contain this.
  entry.relocatable = has_word(entry.options, "--compile-only") || has_word(entry.options, "-c");
}

/// Takes the first entry off `bytes`, the remaining entries of a fat binary.
FatEntry take_entry(Bytes& bytes) {
  if (bytes.size() < sizeof(FatEntryHeader)) refuse(fmt::format("{} bytes are left for an entry", bytes.size()));
  const auto header = load<FatEntryHeader>(bytes.data());
  if (header.header_bytes < sizeof(FatEntryHeader) || header.header_bytes > bytes.size()) {
    refuse(fmt::format("an entry with a header of {} bytes where {} are left", header.header_bytes, bytes.size()));
  }
  const Bytes header_bytes = bytes.first(header.header_bytes);
  bytes = bytes.subspan(header.header_bytes);
  if (header.payload_bytes > bytes.size()) {
    refuse(fmt::format("an entry with {} bytes where {} are left", header.payload_bytes, bytes.size()));
  }
  FatEntry entry;
  entry.kind = kind_of(header.kind);
  entry.architecture = header.architecture;
  entry.flags = header.flags;
  entry.specific = (header.flags & (FatEntryHeader::flag_architecture_only | FatEntryHeader::flag_family_only)) != 0;
  entry.size = header.payload_bytes;
  entry.payload = bytes.first(header.payload_bytes);
  bytes = bytes.subspan(header.payload_bytes);
  if (entry.kind == FatEntry::Kind::ptx) read_ptx(entry, header, header_bytes);
  return entry;
}

void append_entries(std::vector<FatEntry>& entries, Bytes bytes) {
  while (!bytes.empty()) entries.push_back(take_entry(bytes));
}

FatHeader header_at(const void* data) {
  const auto header = load<FatHeader>(data);
  if (header.magic != FatHeader::right_magic) {
    refuse(fmt::format("it begins with {:#010x} instead of {:#010x}", header.magic, FatHeader::right_magic));
  }
  if (header.version != 1) refuse(fmt::format("its version is {} instead of 1", header.version));
  if (header.header_bytes < sizeof(FatHeader)) refuse(fmt::format("its header has {} bytes", header.header_bytes));
  constexpr std::uint64_t most = std::numeric_limits<std::ptrdiff_t>::max();  // of a span
  if (header.entry_bytes > most - header.header_bytes) refuse(fmt::format("its size is {}", header.entry_bytes));
  return header;
}

std::string name_of(const FatEntry& entry) {
  const bool family = (entry.flags & FatEntryHeader::flag_family_only) != 0;
  return fmt::format("sm_{}{}", entry.architecture, entry.specific ? (family ? "f" : "a") : "");
}

template <typename T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

std::uint64_t padded(std::uint64_t size) { return (size + 7) & ~std::uint64_t{7}; }

/// Sets the version that `.version 7.8` gives.
void set_version(FatEntryHeader& header, std::string_view ptx) {
  constexpr std::string_view directive = ".version";
  const char* const end = ptx.data() + ptx.size();
  for (std::size_t place = ptx.find(directive); place != std::string_view::npos; place = ptx.find(directive, place)) {
    place = std::min(ptx.find_first_not_of(" \t", place + directive.size()), ptx.size());
    const auto [dot, error] = std::from_chars(ptx.data() + place, end, header.major);
    if (error != std::errc() || dot == end || *dot != '.') continue;
    if (std::from_chars(dot + 1, end, header.minor).ec == std::errc()) return;
  }
  throw InputError({}, "this is no PTX: it has no line such as .version 7.8", "give the text that nvcc -ptx writes");
}

}  // namespace

std::vector<FatEntry> fat_entries(Bytes bytes) {
  std::vector<FatEntry> entries;
  while (true) {
    const auto begin = std::find_if(bytes.begin(), bytes.end(), [](std::byte byte) { return byte != std::byte{}; });
    bytes = bytes.subspan(static_cast<std::size_t>(begin - bytes.begin()));
    if (bytes.empty()) return entries;
    if (bytes.size() < sizeof(FatHeader)) refuse(fmt::format("it ends after {} bytes", bytes.size()));
    const FatHeader header = header_at(bytes.data());
    const std::uint64_t size = header.header_bytes + header.entry_bytes;
    if (size > bytes.size()) refuse(fmt::format("it ends after {} of {} bytes", bytes.size(), size));
    append_entries(entries, bytes.subspan(header.header_bytes, header.entry_bytes));
    bytes = bytes.subspan(size);
  }
}

std::vector<FatEntry> fat_entries_at(const void* data) {
  if (data == nullptr) refuse("its address is null");
  const FatHeader header = header_at(data);
  std::vector<FatEntry> entries;
  append_entries(entries, {static_cast<const std::byte*>(data) + header.header_bytes, header.entry_bytes});
  return entries;
}

std::vector<FatEntry> registered_entries(const void* wrapper) {
  if (wrapper == nullptr) refuse("the address of its wrapper is null");
  // Reads the fields one by one: data that are not a wrapper may be shorter.
  const auto magic = load<std::uint32_t>(wrapper);
  if (magic != FatWrapper::right_magic) {
    refuse(fmt::format("its wrapper begins with {:#010x} instead of {:#010x}", magic, FatWrapper::right_magic));
  }
  const auto found = load<FatWrapper>(wrapper);
  if (found.version == 2) refuse_relocatable();
  if (found.version != 1) refuse(fmt::format("its wrapper has version {} instead of 1", found.version));
  return fat_entries_at(found.data);
}

std::string ptx_text(const FatEntry& entry) {
  if (entry.kind != FatEntry::Kind::ptx) refuse(fmt::format("the entry for {} is no PTX", name_of(entry)));
  if (entry.relocatable) refuse_relocatable();
  std::string text = decompressed(entry.compression, entry.payload, entry.size);
  text.resize(text.find_last_not_of('\0') + 1);
  if (text.find(".version") == std::string::npos) {
    refuse(fmt::format("the PTX for compute_{} has no .version", entry.architecture));
  }
  return text;
}

const FatEntry* choose_ptx(std::span<const FatEntry> entries, unsigned architecture) {
  const auto is_better = [&](const FatEntry& one, const FatEntry& other) {
    if (one.specific != other.specific) return other.specific;
    const bool above = one.architecture > architecture;
    if (above != (other.architecture > architecture)) return !above;
    return above ? one.architecture < other.architecture : one.architecture > other.architecture;
  };
  const FatEntry* best = nullptr;
  for (const FatEntry& entry : entries) {
    if (entry.kind == FatEntry::Kind::ptx && (best == nullptr || is_better(entry, *best))) best = &entry;
  }
  return best;
}

std::string no_ptx_message(std::span<const FatEntry> entries) {
  std::set<std::pair<unsigned, std::string>> by_number;
  for (const FatEntry& entry : entries) {
    if (entry.kind == FatEntry::Kind::machine_code) by_number.emplace(entry.architecture, name_of(entry));
  }
  std::string code;
  for (const auto& [architecture, name] : by_number)
    code.append(code.empty() ? "machine code for " : ", ").append(name);
  code += code.empty() ? "no code for a GPU" : " but no PTX";
  return fmt::format(
      "the program has {}, and the simulator runs PTX; "
      "compile it with -cudart shared -gencode arch=compute_75,code=compute_75",
      code);
}

std::string ptx_of(const void* image, unsigned architecture, const std::string& file) {
  try {
    const bool bare = image != nullptr && load<std::uint32_t>(image) == FatHeader::right_magic;
    const std::vector<FatEntry> entries = bare ? fat_entries_at(image) : registered_entries(image);
    const FatEntry* const entry = choose_ptx(entries, architecture);
    if (entry == nullptr) throw InputError({}, no_ptx_message(entries));
    return ptx_text(*entry);
  } catch (const InputError& error) {
    throw InputError({file}, error.what());
  }
}

std::string fat_binary_of(std::string_view ptx, unsigned architecture, std::string_view name) {
  FatEntryHeader header;
  set_version(header, ptx);
  header.architecture = architecture;
  header.name = name.empty() ? 0 : sizeof(header);
  header.name_bytes = static_cast<std::uint32_t>(name.size());
  header.options = static_cast<std::uint32_t>(sizeof(header) + padded(name.size()));
  // No options; fatbinary, too, leaves 8 bytes for their text.
  const FatText options{header.options + std::uint32_t{sizeof(FatText)}, 0};
  header.header_bytes = options.place + 8;
  header.payload_bytes = padded(ptx.size() + 1);
  FatHeader whole;
  whole.entry_bytes = header.header_bytes + header.payload_bytes;

  std::string bytes;
  append(bytes, whole);
  append(bytes, header);
  bytes.append(name).append(padded(name.size()) - name.size(), '\0');
  append(bytes, options);
  append(bytes, std::uint64_t{0});
  return bytes.append(ptx).append(header.payload_bytes - ptx.size(), '\0');
}

}  // namespace reconverge::cuda
