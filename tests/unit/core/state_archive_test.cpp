// SPDX-License-Identifier: Apache-2.0
#include "models/core/state_archive.hpp"

#include <array>
#include <catch2/catch.hpp>

namespace reconverge {

namespace {

struct Tags {
  std::vector<std::uint64_t> lines;
  std::uint32_t next = 0;

  void archive(StateArchive& state) { state(lines, next); }
};

struct Block {
  std::string name;
  std::map<int, std::uint16_t> parts;
  std::array<int, 3> row{};
  std::vector<std::unique_ptr<Tags>> banks;

  void archive(StateArchive& state) { state(name, parts, row, banks); }
};

Block with_banks(std::size_t banks) {
  Block block;
  for (std::size_t i = 0; i < banks; ++i) block.banks.push_back(std::make_unique<Tags>());
  return block;
}

std::string stored() {
  Block block = with_banks(2);
  block.name = "l2";
  block.parts = {{-1, 5}, {7, 65535}};
  block.row = {3, 2, 1};
  block.banks[1]->lines = {10, 20, 30};
  block.banks[1]->next = 4;
  StateArchive state;
  state(block);
  return state.bytes();
}

}  // namespace

TEST_CASE("a restored block equals the stored block") {
  StateArchive state(stored());
  Block block = with_banks(2);
  block.parts = {{99, 1}};
  block.banks[0]->lines = {1};
  state(block);
  CHECK(state.at_end());
  CHECK(block.name == "l2");
  CHECK(block.parts == std::map<int, std::uint16_t>{{-1, 5}, {7, 65535}});
  CHECK(block.row == std::array{3, 2, 1});
  CHECK(block.banks[0]->lines.empty());
  CHECK(block.banks[1]->lines == std::vector<std::uint64_t>{10, 20, 30});
  CHECK(block.banks[1]->next == 4);
}

TEST_CASE("a truncated state and a state of other parameters are refused") {
  const std::string bytes = stored();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    StateArchive state(bytes.substr(0, size));
    Block block = with_banks(2);
    CHECK_THROWS_WITH(state(block), "the stored state ends too early");
  }
  StateArchive state(bytes);
  Block block = with_banks(3);
  CHECK_THROWS_WITH(state(block), "the stored state is of other parameters");
}

}  // namespace reconverge
