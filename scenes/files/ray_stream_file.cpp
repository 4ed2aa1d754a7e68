// SPDX-License-Identifier: Apache-2.0
#include "scenes/files/ray_stream_file.hpp"

#include <fmt/format.h>

#include <bit>
#include <boost/crc.hpp>
#include <fstream>
#include <system_error>
#include <type_traits>

#include "models/core/error.hpp"
#include "models/core/input_file.hpp"
#include "models/core/signals_deferred.hpp"
#include "models/core/unfinished_file.hpp"

namespace reconverge::scenes {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::array<char, 8> magic{'R', 'C', 'V', 'R', 'A', 'Y', 'S', '\n'};

// The path tracer's maximum.
constexpr std::uint32_t most_bounces = 8;
constexpr std::uint64_t most_pixels = std::uint64_t{1} << 26U;

struct Header {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t checksum;
  std::uint64_t payload;
};
static_assert(sizeof(Header) == 24);

const char* as_bytes(const void* data) { return static_cast<const char*>(data); }

class Writer {
 public:
  explicit Writer(UnfinishedFile& out) : out_(out) {}

  template <typename T>
  void put(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    out_.write({as_bytes(values.data()), values.size_bytes()});
    crc_.process_bytes(values.data(), values.size_bytes());
    written_ += values.size_bytes();
  }
  template <typename T>
  void put(const T& value) {
    put(std::span<const T>(&value, 1));
  }
  Header header() const { return {magic, ray_stream_version, crc_.checksum(), written_}; }

 private:
  UnfinishedFile& out_;
  boost::crc_32_type crc_;
  std::uint64_t written_ = 0;
};

void put_stream(Writer& writer, const RayStream& stream) {
  writer.put(std::uint64_t{stream.rays.size()});
  writer.put(std::span<const Ray>(stream.rays));
  writer.put(std::span<const PathSample>(stream.samples));
}

void write_all(const RayStreams& streams, UnfinishedFile& out) {
  const Header later{};
  out.write({as_bytes(&later), sizeof(later)});
  Writer writer(out);
  writer.put(std::uint64_t{streams.scene.size()});
  writer.put(std::span<const char>(streams.scene));
  writer.put(streams.scene_triangles);
  for (const std::uint32_t field : {streams.width, streams.height, streams.samples_per_pixel, streams.seed,
                                    static_cast<std::uint32_t>(streams.bounces())}) {
    writer.put(field);
  }
  for (std::size_t bounce = 0; bounce < streams.bounces(); ++bounce) {
    put_stream(writer, streams.extension[bounce]);
    put_stream(writer, streams.shadow[bounce]);
  }
  writer.put(std::span<const float>(streams.picture));
  const Header header = writer.header();
  out.rewind();
  out.write({as_bytes(&header), sizeof(header)});
}

class Reader {
 public:
  Reader(InputFile& in, std::uint64_t payload) : in_(in), left_(payload) {}

  /// Fills a vector or string after checking `count` against the remaining bytes of the file.
  template <typename Container>
  void get(Container& values, std::uint64_t count) {
    using T = typename Container::value_type;
    if (count > left_ / sizeof(T)) refuse();
    values.resize(count);
    read(values.data(), count * sizeof(T));
  }
  template <typename T>
  T get() {
    T value{};
    if (left_ < sizeof(T)) refuse();
    read(&value, sizeof(T));
    return value;
  }
  void finish(std::uint32_t checksum) const {
    if (left_ != 0 || crc_.checksum() != checksum) refuse();
  }
  [[noreturn]] void refuse() const {
    throw InputError({in_.name()},
                     "the ray stream file is damaged: its contents make no sense or do not match its checksum",
                     "record the rays again");
  }

 private:
  void read(void* to, std::size_t bytes) {
    if (in_.read({static_cast<char*>(to), bytes}) != bytes) refuse();
    crc_.process_bytes(to, bytes);
    left_ -= bytes;
  }

  InputFile& in_;
  boost::crc_32_type crc_;
  std::uint64_t left_;
};

RayStream get_stream(Reader& reader) {
  RayStream stream;
  const auto count = reader.get<std::uint64_t>();
  reader.get(stream.rays, count);
  reader.get(stream.samples, count);
  return stream;
}

Header read_header(InputFile& in) {
  const std::string& name = in.name();
  const std::uint64_t size = in.size();
  Header header{};
  const std::span<char> bytes(static_cast<char*>(static_cast<void*>(&header)), sizeof(header));
  if (in.read(bytes) != bytes.size() || header.magic != magic) {
    throw InputError({name}, "is not a ray stream file", "it must start with RCVRAYS");
  }
  if (header.version != ray_stream_version) {
    throw InputError(
        {name}, fmt::format("has ray stream version {}, but version {} is needed", header.version, ray_stream_version),
        "record the rays again");
  }
  if (header.payload != size - sizeof(header)) {
    throw InputError({name},
                     fmt::format("the ray stream file is cut short or too long: {} bytes of contents, {} expected",
                                 size - sizeof(header), header.payload),
                     "record the rays again");
  }
  return header;
}

}  // namespace

void check_stream_place(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored) && !std::filesystem::is_regular_file(file, ignored)) {
    throw InputError({file.string()}, "is not a plain file", "name a new file, or one that may be replaced");
  }
}

void save_streams(const RayStreams& streams, const std::filesystem::path& file) {
  check_stream_place(file);
  const SignalsDeferred deferred;  // otherwise Ctrl-C would leave the unfinished file
  UnfinishedFile unfinished(file);
  write_all(streams, unfinished);
  if (!unfinished.finish()) {
    throw InputError({file.string()}, "the ray streams cannot be written there",
                     "check that the folder exists, is writable and has room");
  }
}

RayStreams load_streams(const std::filesystem::path& file) {
  InputFile in(file, input::rays);
  const Header header = read_header(in);
  Reader reader(in, header.payload);
  RayStreams streams;
  reader.get(streams.scene, reader.get<std::uint64_t>());
  streams.scene_triangles = reader.get<std::uint64_t>();
  for (std::uint32_t* field : {&streams.width, &streams.height, &streams.samples_per_pixel, &streams.seed}) {
    *field = reader.get<std::uint32_t>();
  }
  const auto bounces = reader.get<std::uint32_t>();
  // Every bounce allocates an entry for every pixel, which the file does not contain.
  if (bounces > most_bounces || std::uint64_t{streams.width} * streams.height > most_pixels) reader.refuse();
  for (std::uint32_t bounce = 0; bounce < bounces; ++bounce) {
    streams.extension.push_back(get_stream(reader));
    streams.shadow.push_back(get_stream(reader));
  }
  reader.get(streams.picture, std::uint64_t{3} * streams.width * streams.height);
  reader.finish(header.checksum);
  for (RayStream& stream : streams.extension) index_pixels(stream, streams.pixels(), in.name());
  for (RayStream& stream : streams.shadow) index_pixels(stream, streams.pixels(), in.name());
  return streams;
}

}  // namespace reconverge::scenes
