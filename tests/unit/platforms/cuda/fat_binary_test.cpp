// SPDX-License-Identifier: Apache-2.0
#include "platforms/cuda/fat_binary.hpp"

#include <lz4.h>
#include <zstd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

#include "models/core/error.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge;
using namespace reconverge::cuda;
using Catch::Contains;
using Kind = FatEntry::Kind;

namespace {

std::string sample_ptx(const std::string& target) {
  std::string text = "\n.version 7.8\n.target " + target + "\n.address_size 64\n\n.visible .entry k()\n{\n";
  for (int i = 0; i < 20; ++i) text += "  mov.u32 %r" + std::to_string(i) + ", %tid.x;\n";
  return text + "  ret;\n}\n";
}

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

template <typename T>
std::string raw(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

template <typename T>
T at(std::string_view bytes, std::size_t place) {
  T value;
  std::memcpy(&value, bytes.data() + place, sizeof(T));
  return value;
}

std::string filled_up(std::string bytes) {
  bytes.resize((bytes.size() + 7) / 8 * 8);
  return bytes;
}

/// An entry with this header, whose sizes are set here. `texts` follow the header.
std::string entry_of(FatEntryHeader header, const std::string& payload, const std::string& texts = {}) {
  header.header_bytes = static_cast<std::uint32_t>(sizeof(header) + filled_up(texts).size());
  header.payload_bytes = filled_up(payload).size();
  if (header.original_bytes != 0) header.compressed_bytes = static_cast<std::uint32_t>(payload.size());
  return raw(header) + filled_up(texts) + filled_up(payload);
}

std::string binary_of(const std::string& entries) {
  FatHeader header;
  header.entry_bytes = entries.size();
  return raw(header) + entries;
}

std::string machine_code(unsigned architecture, std::uint64_t flags = 0) {
  FatEntryHeader header;
  header.kind = FatEntryHeader::machine_code;
  header.architecture = architecture;
  header.flags |= flags;
  return entry_of(header, "machine code");
}

std::string lz4(const std::string& text) {
  const int size = static_cast<int>(text.size());
  std::string bytes(2 * text.size(), '\0');
  bytes.resize(static_cast<std::size_t>(LZ4_compress_default(text.data(), bytes.data(), size, 2 * size)));
  return bytes;
}

std::string zstd(const std::string& text) {
  std::string bytes(ZSTD_compressBound(text.size()), '\0');
  bytes.resize(ZSTD_compress(bytes.data(), bytes.size(), text.data(), text.size(), 3));
  return bytes;
}

/// Compressed PTX as nvcc stores it. It ends with a zero, which its size includes.
std::string compressed_ptx(unsigned architecture, std::uint64_t flag) {
  const std::string text = sample_ptx("sm_" + std::to_string(architecture)) + '\0';
  FatEntryHeader header;
  header.architecture = architecture;
  header.flags |= flag;
  header.original_bytes = text.size();
  return entry_of(header, flag == FatEntryHeader::flag_lz4 ? lz4(text) : zstd(text));
}

/// Reads the fat binary. Returns the first error, or "none". Only InputError is expected.
std::string error_of(std::string_view text) {
  const std::vector<char> bytes(text.begin(), text.end());  // of exact size, for the address sanitizer
  try {
    for (const FatEntry& entry : fat_entries(std::as_bytes(std::span(bytes)))) {
      if (entry.kind == Kind::ptx) ptx_text(entry);
    }
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

/// The text with another value for a member of its header.
template <typename Header, typename Member>
std::string with(std::string bytes, std::size_t place, Member Header::*member, std::uint64_t value) {
  auto header = at<Header>(bytes, place);
  header.*member = static_cast<Member>(value);
  return bytes.replace(place, sizeof(header), raw(header));
}

}  // namespace

TEST_CASE("a written fat binary can be read") {
  const std::string name = GENERATE(as<std::string>(), "", "a.cu", "eight.cu", "longer_name.cu");
  const std::string ptx = sample_ptx("sm_75") + std::string(name.size(), '\n');
  const std::string bytes = fat_binary_of(ptx, 75, name);
  CHECK(bytes.size() % 8 == 0);
  const std::vector<FatEntry> entries = fat_entries(bytes_of(bytes));
  REQUIRE(entries.size() == 1);
  CHECK(entries[0].kind == Kind::ptx);
  CHECK(entries[0].architecture == 75);
  CHECK(entries[0].name == name);
  CHECK(ptx_text(entries[0]) == ptx);
  const auto header = at<FatEntryHeader>(bytes, sizeof(FatHeader));
  CHECK((header.major == 7 && header.minor == 8));

  const FatWrapper wrapper{FatWrapper::right_magic, 1, bytes.data()};
  CHECK(ptx_of(&wrapper, 75, "program") == ptx);
  CHECK(ptx_of(bytes.data(), 75, "program") == ptx);
}

TEST_CASE("text without a PTX version is refused") {
  CHECK(fat_binary_of("// .version x\n.version\t8.0", 75, "").size() > 80);
  const std::string text = GENERATE(as<std::string>(), "", ".version", ".version 7", ".version 7.", ".target sm_75");
  CHECK_THROWS_AS(fat_binary_of(text, 75, ""), InputError);
}

TEST_CASE("compressed PTX of consecutive fat binaries is read") {
  const std::string first = binary_of(machine_code(90) + compressed_ptx(75, FatEntryHeader::flag_lz4));
  const std::string second = binary_of(compressed_ptx(80, FatEntryHeader::flag_zstd) + machine_code(75));
  const std::string bytes = first + std::string(24, '\0') + binary_of("") + second + std::string(3, '\0');
  const std::vector<FatEntry> entries = fat_entries(bytes_of(bytes));
  REQUIRE(entries.size() == 4);
  CHECK(entries[0].kind == Kind::machine_code);
  CHECK(entries[1].compression == Compression::lz4);
  CHECK(ptx_text(entries[1]) == sample_ptx("sm_75"));
  CHECK(entries[2].compression == Compression::zstd);
  CHECK(ptx_text(entries[2]) == sample_ptx("sm_80"));
  CHECK_THROWS_WITH(ptx_text(entries[3]), Contains("the entry for sm_75 is no PTX"));

  CHECK(fat_entries_at(bytes.data()).size() == 2);
  CHECK(ptx_of(second.data(), 75, "program") == sample_ptx("sm_80"));
  CHECK(fat_entries({}).empty());
}

TEST_CASE("the PTX of the highest architecture up to the requested one is selected") {
  const auto ptx = [](unsigned architecture, bool specific = false) {
    return FatEntry{Kind::ptx, architecture, specific, false, Compression::none, 0, 0, {}, {}, {}};
  };
  const std::vector<FatEntry> entries{ptx(70), ptx(52), ptx(80), ptx(75, true), ptx(90)};
  const auto chosen = [&](unsigned architecture) { return choose_ptx(entries, architecture)->architecture; };
  CHECK(chosen(75) == 70);
  CHECK(chosen(30) == 52);
  CHECK(chosen(120) == 90);
  const std::vector<FatEntry> specific{ptx(100, true), ptx(90, true)};
  CHECK(choose_ptx(specific, 75)->architecture == 90);
  const std::vector<FatEntry> others(2);
  CHECK(choose_ptx(others, 75) == nullptr);
}

TEST_CASE("the error for a program without PTX names its contents and the compiler option") {
  const std::string bytes = binary_of(machine_code(100, FatEntryHeader::flag_family_only) + machine_code(75) +
                                      machine_code(90, FatEntryHeader::flag_architecture_only) + machine_code(75));
  CHECK_THROWS_WITH(ptx_of(bytes.data(), 75, "program"),
                    "program: the program has machine code for sm_75, sm_90a, sm_100f but no PTX, and the simulator "
                    "runs PTX; compile it with -cudart shared -gencode arch=compute_75,code=compute_75");
  CHECK_THAT(no_ptx_message({}), Contains("the program has no code for a GPU, and"));
}

TEST_CASE("separately compiled device code is refused") {
  const FatWrapper wrapper{FatWrapper::right_magic, 2};
  CHECK_THROWS_WITH(registered_entries(&wrapper), Contains("-rdc=true"));

  FatEntryHeader header;
  header.name = 64;
  header.name_bytes = 5;
  header.options = 72;
  const std::string texts = filled_up("a.cu ") + raw(FatText{80, 24}) + " --compile-only  -v     ";
  const std::string bytes = binary_of(entry_of(header, sample_ptx("sm_75"), texts));
  const std::vector<FatEntry> entries = fat_entries(bytes_of(bytes));
  REQUIRE(entries.size() == 1);
  CHECK(entries[0].name == "a.cu");
  CHECK(entries[0].options == " --compile-only  -v");
  CHECK(entries[0].relocatable);
  CHECK_THROWS_WITH(ptx_text(entries[0]), Contains("-rdc=true"));
}

TEST_CASE("the error for a malformed fat binary has the reason") {
  const std::uint64_t flag = GENERATE(FatEntryHeader::flag_lz4, FatEntryHeader::flag_zstd);
  const std::string good = binary_of(compressed_ptx(75, flag));
  const std::uint64_t entry_bytes = good.size() - sizeof(FatHeader);
  const auto header = [&](auto member, std::uint64_t value) { return error_of(with(good, 0, member, value)); };
  const auto entry = [&](auto member, std::uint64_t value) {
    return error_of(with(good, sizeof(FatHeader), member, value));
  };
  CHECK(error_of(good) == "none");
  CHECK_THAT(header(&FatHeader::magic, 1), Contains("it begins with 0x00000001"));
  CHECK_THAT(header(&FatHeader::version, 7), Contains("version is 7 instead of 1"));
  CHECK_THAT(header(&FatHeader::header_bytes, 8), Contains("header has 8 bytes"));
  CHECK_THAT(header(&FatHeader::entry_bytes, ~0ULL), Contains("its size is 184"));
  CHECK_THAT(header(&FatHeader::entry_bytes, entry_bytes + 8), Contains("it ends after"));
  CHECK_THAT(header(&FatHeader::entry_bytes, 48), Contains("48 bytes are left for an entry"));
  CHECK_THAT(entry(&FatEntryHeader::header_bytes, 8), Contains("a header of 8 bytes"));
  CHECK_THAT(entry(&FatEntryHeader::payload_bytes, ~0ULL), Contains("an entry with"));
  CHECK_THAT(entry(&FatEntryHeader::compressed_bytes, 99999), Contains("99999 compressed"));
  CHECK_THAT(entry(&FatEntryHeader::name, ~0U), Contains("the name of an entry ends at"));
  CHECK_THAT(entry(&FatEntryHeader::options, 60), Contains("the options of an entry are at"));
  CHECK_THAT(entry(&FatEntryHeader::flags, 0xa000), Contains("0xa000 mean an unknown"));
  CHECK_THAT(entry(&FatEntryHeader::flags, 0x1000), Contains("0x1000 mean an unknown"));
  CHECK_THAT(entry(&FatEntryHeader::original_bytes, 1ULL << 40U), Contains("are more than"));
  CHECK_THAT(entry(&FatEntryHeader::original_bytes, 1U << 29U), Contains("hold"));
  CHECK_THAT(entry(&FatEntryHeader::original_bytes, 10), Contains("damaged"));
  CHECK_THAT(entry(&FatEntryHeader::flags, 0xa000 - flag), Contains("damaged"));  // the other compression
  CHECK_THAT(error_of(binary_of(entry_of({}, "{}"))), Contains("the PTX for compute_0 has no .version"));
}

TEST_CASE("an invalid wrapper is refused") {
  CHECK_THROWS_WITH(registered_entries(nullptr), Contains("null"));
  FatWrapper wrapper;
  CHECK_THROWS_WITH(registered_entries(&wrapper), Contains("null"));
  wrapper.version = 3;
  CHECK_THROWS_WITH(registered_entries(&wrapper), Contains("version 3"));
  wrapper.magic = 0;
  CHECK_THROWS_WITH(ptx_of(&wrapper, 75, "program"), Contains("program: ") && Contains("begins with 0x00000000"));
}

TEST_CASE("a fat binary that is truncated or damaged anywhere is read or refused") {
  const std::string good = binary_of(compressed_ptx(75, FatEntryHeader::flag_lz4) +
                                     compressed_ptx(80, FatEntryHeader::flag_zstd) + machine_code(75)) +
                           fat_binary_of(sample_ptx("sm_60"), 60, "a.cu");
  CHECK(error_of(good) == "none");
  for (std::size_t size = 0; size < good.size(); ++size) {
    const std::string start = good.substr(0, size);
    error_of(start);
    if (size >= sizeof(FatHeader)) error_of(with(start, 0, &FatHeader::entry_bytes, size - sizeof(FatHeader)));
  }
  std::mt19937 random(5);
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = good;
    for (std::uint32_t flips = 1 + random() % 4; flips > 0; --flips) {
      char& byte = bytes[random() % bytes.size()];
      byte = static_cast<char>(byte ^ (1U << (random() % 8)));
    }
    error_of(bytes);
  }
}

TEST_CASE("fat binaries of nvcc are read") {
  const std::string cuda = "export PATH=$PATH:/usr/local/cuda/bin && ";
  if (std::system((cuda + "command -v nvcc >/dev/null && command -v fatbinary >/dev/null").c_str()) != 0) {
    WARN("skipped: no nvcc on PATH or in /usr/local/cuda/bin");
    return;
  }
  const tests::TemporaryFolder folder;
  const std::string there = "cd " + folder.path().string() + " && " + cuda;
  folder.write("a.cu", "__global__ void kernel(int* p) { p[threadIdx.x] += blockIdx.x; }\n");
  const auto run = [&](const std::string& words) { return std::system((there + words + " >log 2>&1").c_str()) == 0; };
  const auto file = [&](const std::string& name) {
    std::ifstream stream(folder.path() / name, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  REQUIRE(
      run("nvcc -lineinfo -gencode arch=compute_75,code=[compute_75,sm_75] -gencode arch=compute_80,code=compute_80 "
          "-fatbin a.cu -o a.fatbin"));
  const std::string binary = file("a.fatbin");
  const std::vector<FatEntry> entries = fat_entries(bytes_of(binary));
  REQUIRE(entries.size() == 3);
  const FatEntry* const chosen = choose_ptx(entries, 75);
  REQUIRE(chosen != nullptr);
  CHECK(chosen->architecture == 75);
  CHECK(chosen->name == "a.cu");
  CHECK_THAT(ptx_text(*chosen), Contains(".target sm_75") && Contains(".entry _Z6kernelPi"));

  folder.write("text.ptx", ptx_text(*chosen));
  const std::string create = "fatbinary -64 --image3=kind=ptx,sm=75,file=text.ptx --create=stored.fatbin ";
  for (const std::string mode : {"size", "speed", "balance", "default", "none"}) {
    INFO(mode);
    REQUIRE(run(std::string(create).append("-compress-mode=").append(mode)));
    CHECK(ptx_of(file("stored.fatbin").data(), 75, mode) == ptx_text(*chosen));
  }
  CHECK(file("stored.fatbin") == fat_binary_of(ptx_text(*chosen), 75, ""));

  REQUIRE(run("nvcc -rdc=true -arch=compute_75 -fatbin a.cu -o r.fatbin"));
  CHECK_THROWS_WITH(ptx_of(file("r.fatbin").data(), 75, "r"), Contains("-rdc=true"));
}
