// SPDX-License-Identifier: Apache-2.0
#include "models/core/input_file.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <filesystem>

#include "models/core/error.hpp"
#include "tests/unit/core/temporary_folder.hpp"

namespace reconverge {

namespace {

using tests::TemporaryFolder;

/// A socket in the file system.
class NamedSocket {
 public:
  explicit NamedSocket(const std::string& path) : handle_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    REQUIRE(path.size() < sizeof address.sun_path);
    std::copy(path.begin(), path.end(), address.sun_path);
    REQUIRE(::bind(handle_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  }
  ~NamedSocket() { ::close(handle_); }
  NamedSocket(const NamedSocket&) = delete;
  NamedSocket& operator=(const NamedSocket&) = delete;

 private:
  int handle_;
};

/// Creates a sparse file of `bytes` bytes, which takes no space on the disk.
std::string sparse_file(const TemporaryFolder& folder, const std::string& name, std::uint64_t bytes) {
  std::string file = folder.write(name, "");
  std::filesystem::resize_file(file, bytes);
  return file;
}

}  // namespace

TEST_CASE("the error for anything but a plain file names its kind, and comes at once") {
  const TemporaryFolder folder;
  const std::string pipe = (folder.path() / "pipe").string();
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const std::string place = (folder.path() / "socket").string();
  const NamedSocket socket(place);
  const std::string link = (folder.path() / "link").string();
  std::filesystem::create_symlink(pipe, link);
  CHECK_THROWS_WITH(read_input(pipe, input::ptx),
                    pipe + ": this is a pipe; name a PTX file; what comes from elsewhere must be written to one first");
  CHECK_THROWS_WITH(read_input(link, input::ptx), Catch::Contains("link: this is a pipe"));
  CHECK_THROWS_WITH(read_input(place, input::ptx), Catch::Contains("socket: this is a socket; name a PTX file"));
  CHECK_THROWS_WITH(read_input("/dev/zero", input::ptx), Catch::Contains("/dev/zero: this is a device"));
  CHECK_THROWS_WITH(read_input(folder.path(), input::ptx), Catch::EndsWith("this is a folder; name a PTX file in it"));
  CHECK_THROWS_WITH(check_input(pipe, input::rays), Catch::Contains("this is a pipe; name a ray stream file"));
}

TEST_CASE("a file above the size limit of its kind is refused before it is read") {
  const TemporaryFolder folder;
  const std::string file = sparse_file(folder, "sparse.ptx", 100'000'000'000);
  CHECK_THROWS_WITH(read_input(file, input::ptx),
                    file + ": the file has 100000000000 bytes; a PTX file has 67108864 at most");
  const InputKind tiny{"a word", 4};
  CHECK(read_input(folder.write("four", "four"), tiny) == "four");
  CHECK_THROWS_WITH(read_input(folder.write("five", "fives"), tiny), Catch::Contains("5 bytes; a word has 4 at most"));
}

TEST_CASE("the error for a file that cannot be opened has the reason") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(read_input(folder.path() / "none", input::ptx), Catch::EndsWith("no such file; check the path"));
  CHECK_THROWS_WITH(read_input(std::string(10000, 'x'), input::ptx), Catch::EndsWith("no such file; check the path"));
  const std::string circle = (folder.path() / "circle").string();
  std::filesystem::create_symlink(circle, circle);
  CHECK_THROWS_WITH(read_input(circle, input::ptx), Catch::Contains("the file cannot be read: "));
}

TEST_CASE("a file is read in pieces, up to its end") {
  const TemporaryFolder folder;
  InputFile file(folder.write("letters", "abcdefgh"), input::any);
  CHECK(file.size() == 8);
  std::array<char, 3> first{};
  CHECK(file.read(first) == 3);
  CHECK(first == std::array{'a', 'b', 'c'});
  CHECK(file.rest() == "defgh");
  CHECK(file.read(first) == 0);
  CHECK(read_input(folder.write("empty", ""), input::any).empty());
}

TEST_CASE("a system file whose size is reported as 0 is read completely") {
  CHECK(read_input("/proc/self/status", input::any).find("VmRSS") != std::string::npos);
}

TEST_CASE("reading a file that grows stops at the size limit of its kind") {
  const TemporaryFolder folder;
  const std::string name = folder.write("growing", "ab");
  InputFile file(name, {"a word", 4});
  std::filesystem::resize_file(name, 100);
  CHECK_THROWS_WITH(file.rest(), Catch::Contains("the file has no end that could be found; a word has 4 bytes"));
}

TEST_CASE("whether a file is below a folder is decided after following links") {
  const TemporaryFolder folder;
  folder.write("outside", "");
  folder.write("home/inside", "");
  const std::filesystem::path home = folder.path() / "home";
  std::filesystem::create_symlink(folder.path() / "outside", home / "out");
  std::filesystem::create_symlink("inside", home / "in");
  std::filesystem::create_symlink("circle", home / "circle");
  std::error_code error;
  CHECK(path_below(home, "inside", error) == "inside");
  CHECK(path_below(home, "in", error) == "inside");
  CHECK(path_below(home, home / "inside", error) == "inside");
  CHECK(path_below(home, "none/../inside", error) == "inside");
  for (const auto* name : {"out", "../outside", "/etc/passwd", "none/../../outside"}) {
    CHECK(path_below(home, name, error).empty());
    CHECK(!error);
  }
  CHECK(path_below(home, "circle", error).empty());
  CHECK(error);
}

}  // namespace reconverge
