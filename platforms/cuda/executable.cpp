// SPDX-License-Identifier: Apache-2.0
#include "platforms/cuda/executable.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

#include "models/core/error.hpp"
#include "platforms/cuda/fat_binary.hpp"

namespace reconverge::cuda {

namespace {

namespace fs = std::filesystem;

bool is_program(const fs::path& file) {
  std::error_code error;
  return fs::is_regular_file(file, error) && ::access(file.c_str(), X_OK) == 0;
}

/// A 64-bit ELF file, as far as it is well formed.
class Executable {
 public:
  explicit Executable(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream all;
    all << in.rdbuf();
    bytes_ = std::move(all).str();
    const auto header = at<Elf64_Ehdr>(0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
      return;
    for (unsigned i = 0; i < header->e_shnum; ++i) {
      if (const auto section = at<Elf64_Shdr>(header->e_shoff + std::uint64_t{i} * header->e_shentsize))
        sections_.push_back(*section);
    }
    names_ = header->e_shstrndx;
  }

  /// Empty if there is no such section.
  std::span<const std::byte> section(std::string_view name) const {
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_type != SHT_NOBITS && names_ < sections_.size() &&
          text(sections_[names_], section.sh_name) == name)
        return contents(section);
    }
    return {};
  }

  /// Shared libraries that the executable names.
  std::vector<std::string> libraries() const {
    std::vector<std::string> libraries;
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_type != SHT_DYNAMIC || section.sh_link >= sections_.size()) continue;
      for (std::uint64_t i = 0; i + sizeof(Elf64_Dyn) <= section.sh_size; i += sizeof(Elf64_Dyn)) {
        const auto entry = at<Elf64_Dyn>(section.sh_offset + i);
        if (entry && entry->d_tag == DT_NEEDED)
          libraries.push_back(text(sections_[section.sh_link], entry->d_un.d_val));
      }
    }
    return libraries;
  }

 private:
  template <typename T>
  std::optional<T> at(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof(T));
    return value;
  }
  std::span<const std::byte> contents(const Elf64_Shdr& section) const {
    if (section.sh_offset > bytes_.size() || section.sh_size > bytes_.size() - section.sh_offset) return {};
    return std::as_bytes(std::span(bytes_.data() + section.sh_offset, section.sh_size));
  }
  std::string text(const Elf64_Shdr& strings, std::uint64_t offset) const {
    const auto bytes = contents(strings);
    if (offset >= bytes.size()) return {};
    const auto* const begin = reinterpret_cast<const char*>(bytes.data()) + offset;
    return {begin, strnlen(begin, bytes.size() - offset)};
  }

  std::string bytes_;
  std::vector<Elf64_Shdr> sections_;
  std::size_t names_ = 0;
};

}  // namespace

fs::path find_program(const std::string& program) {
  if (program.find('/') != std::string::npos) {
    if (is_program(program)) return program;
    throw InputError({program}, "there is no such program, or it may not be executed");
  }
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (is_program(fs::path(folder) / program)) return fs::path(folder) / program;
  }
  throw InputError({program}, "there is no such program on PATH",
                   is_program(program) ? fmt::format("write ./{}", program) : "give its path");
}

void check_executable(const fs::path& program) {
  const Executable executable(program);
  const auto device_code = executable.section(".nv_fatbin");
  if (device_code.empty()) return;
  bool shared = false;
  for (const std::string& library : executable.libraries()) {
    shared |= library.starts_with("libcudart.so") || library.starts_with("libcuda.so") ||
              library.starts_with("libreconverge_cuda.so");
  }
  if (!shared) {
    throw InputError({program.string()}, "the CUDA runtime is linked statically, so nothing can replace it",
                     "link with nvcc -cudart shared -gencode arch=compute_75,code=compute_75");
  }
  const std::vector<FatEntry> entries = fat_entries(device_code);
  if (choose_ptx(entries, 75) == nullptr) throw InputError({program.string()}, no_ptx_message(entries));
}

}  // namespace reconverge::cuda
