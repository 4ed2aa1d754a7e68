// SPDX-License-Identifier: Apache-2.0
#include "platforms/checkpoint/checkpoint_file.hpp"

#include <fmt/format.h>

#include <boost/crc.hpp>
#include <cerrno>
#include <cstring>
#include <type_traits>

#include "models/core/error.hpp"

namespace reconverge {

namespace {

constexpr std::string_view first_line = "reconverge checkpoint 1\n";

/// Precedes the contents of a record.
struct Head {
  std::uint64_t bytes;
  std::uint32_t checksum;
  std::uint32_t kind;
};
static_assert(std::has_unique_object_representations_v<Head>);

std::uint32_t checksum_of(std::string_view contents) {
  boost::crc_32_type checksum;
  checksum.process_bytes(contents.data(), contents.size());
  return checksum.checksum();
}

Head head_at(std::istream& in, std::uint64_t place) {
  Head head{};
  in.seekg(static_cast<std::streamoff>(place));
  in.read(reinterpret_cast<char*>(&head), sizeof head);
  return head;
}

}  // namespace

CheckpointReader::CheckpointReader(std::filesystem::path file) : file_(std::move(file)), in_(file_, std::ios::binary) {
  if (!in_) throw InputError({file_.generic_string()}, fmt::format("cannot be read: {}", std::strerror(errno)));
  std::string line(first_line.size(), ' ');
  in_.read(line.data(), static_cast<std::streamsize>(line.size()));
  if (line != first_line) {
    throw InputError({file_.generic_string()}, "this is not a checkpoint, or one of another version",
                     "name a file that --checkpoint wrote");
  }
  const std::uint64_t size = std::filesystem::file_size(file_);
  for (std::uint64_t place = line.size(); size - place >= sizeof(Head);) {
    const Head head = head_at(in_, place);
    place += sizeof(Head);
    if (head.bytes > size - place) break;
    records_.push_back({static_cast<CheckpointRecord>(head.kind), place, head.bytes});
    place += head.bytes;
  }
}

std::string CheckpointReader::read(const Place& place) {
  const Head head = head_at(in_, place.begin - sizeof(Head));
  std::string contents(place.bytes, ' ');
  in_.read(contents.data(), static_cast<std::streamsize>(contents.size()));
  if (!in_ || checksum_of(contents) != head.checksum) {
    throw InputError({file_.generic_string()}, "the checkpoint is damaged", "run without --from");
  }
  return contents;
}

CheckpointWriter::CheckpointWriter(std::filesystem::path file)
    : file_(std::move(file)), out_(file_, std::ios::binary | std::ios::trunc) {
  put(first_line);
}

CheckpointWriter::CheckpointWriter(std::filesystem::path file, std::uint64_t bytes) : file_(std::move(file)) {
  std::filesystem::resize_file(file_, bytes);
  out_.open(file_, std::ios::binary | std::ios::app);
}

void CheckpointWriter::append(CheckpointRecord kind, std::string_view contents) {
  const Head head{contents.size(), checksum_of(contents), static_cast<std::uint32_t>(kind)};
  put({reinterpret_cast<const char*>(&head), sizeof head});
  put(contents);
}

void CheckpointWriter::put(std::string_view bytes) {
  out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out_.flush();
  if (!out_) throw report::OutputError(file_, std::strerror(errno));
}

}  // namespace reconverge
