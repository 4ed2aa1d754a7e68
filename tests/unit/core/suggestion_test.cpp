// SPDX-License-Identifier: Apache-2.0
#include "models/core/suggestion.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <string_view>

namespace reconverge {

TEST_CASE("edit distance counts insertions, deletions, replacements and swaps") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("wrap", "warp") == 1);
  CHECK(edit_distance("ca", "abc") == 3);
  CHECK(edit_distance("lane", "lane") == 0);
}

TEST_CASE("the suggested name is similar") {
  constexpr std::array<std::string_view, 3> names{"warp_slots", "block_slots", "scheme"};
  CHECK(nearest("wrap_slots", names) == "warp_slots");
  CHECK(nearest("schema", names) == "scheme");
  CHECK(nearest("clock", names).empty());
  CHECK(nearest("", names).empty());
  CHECK(nearest(std::string(5000, 'x'), names).empty());
  CHECK(suggest("schem", names) == "did you mean scheme?");
  CHECK(suggest("clock", names) == "known: warp_slots, block_slots, scheme");
  CHECK(suggest("clock", {}).empty());
}

}  // namespace reconverge
