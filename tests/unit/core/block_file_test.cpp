// SPDX-License-Identifier: Apache-2.0
#include "models/block_generator/block_file.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>

#include "models/block_generator/emitters.hpp"
#include "models/block_generator/names.hpp"
#include "tests/unit/core/temporary_folder.hpp"

namespace reconverge::block_generator {

namespace {

const std::string head = "block: a\nfolder: models/a\nsummary: A block.\n";

/// The error for a block file `a.yaml` with `body` after its head, without the folder.
std::string refusal(const std::string& body, const std::string& text_head = head) {
  const tests::TemporaryFolder folder;
  folder.write("a.yaml", text_head + body);
  try {
    read_blocks(folder.path());
  } catch (const InputError& error) {
    return std::string(error.what()).substr(folder.path().string().size() + 1);
  }
  return "accepted";
}

std::string parameter(const std::string& keys) {
  return fmt::format("parameters:\n  p: {{{}, source: s, text: t}}\n", keys);
}

}  // namespace

TEST_CASE("a block file must name its block") {
  CHECK(refusal("") == "accepted");
  CHECK(refusal("", "folder: a\nsummary: b\n") == "a.yaml:1:1: the block file has no block; add `block:`");
  CHECK(refusal("", "block: b\nfolder: a\nsummary: b\n") ==
        "a.yaml:1:1: the block b lies in a.yaml; call the file b.yaml");
  CHECK(refusal("", "block: A\nfolder: a\nsummary: b\n") ==
        "a.yaml:1:1: the block 'A' is not snake_case; use snake_case");
  CHECK(refusal("", "block: a\nsummary: b\n") == "a.yaml:1:1: the block file has no folder; add `folder:`");
  CHECK(refusal("paramters: {}\n") ==
        "a.yaml:4:1: the block file has the unknown key paramters; did you mean parameters?");
  CHECK(refusal("parameters: 3\n") == "a.yaml:4:1: parameters is not a map");
}

TEST_CASE("a parameter that is not fully described is refused at its line") {
  CHECK(refusal(parameter("type: count, default: 1, range: [0, 2]")) == "accepted");
  CHECK(refusal(parameter("type: counts, default: [1, 2], range: [0, 2]")) == "accepted");
  CHECK(refusal(parameter("type: numbers, default: [0.5, -1], range: [-1, 2]")) == "accepted");
  CHECK(refusal(parameter("type: numbers, default: [], range: [-1, x]")).starts_with("a.yaml:5:"));
  CHECK(refusal(parameter("default: 1")) == "a.yaml:5:3: parameter p has no type; add `type:`");
  CHECK(refusal(parameter("type: cycle, default: 1, range: [0, 2]")) ==
        "a.yaml:5:13: 'cycle' is not a type; did you mean cycles?");
  CHECK(refusal(parameter("type: count, default: 1")) == "a.yaml:5:3: parameter p has no range; add `range:`");
  CHECK(refusal(parameter("type: count, range: [0, 2]")) == "a.yaml:5:3: parameter p has no default; add `default:`");
  CHECK(refusal(parameter("type: count, default: 3, range: [0, 2]")) ==
        "a.yaml:5:29: default of p: 3 is above the range; write a value from 0 to 2");
  CHECK(refusal(parameter("type: bytes, default: 3, range: [0 B, 2 KiB]"))
            .starts_with("a.yaml:5:29: default of p: '3' has no unit; "));
  CHECK(refusal(parameter("type: bytes, default: 1 KiB, range: [0, 2 KiB]"))
            .starts_with("a.yaml:5:44: range of p: '0' has no unit; "));
  CHECK(refusal(parameter("type: count, default: 3, range: [4, 2]")) ==
        "a.yaml:5:32: range of p is empty; write [least, greatest]");
  CHECK(refusal(parameter("type: count, default: 3, range: 4")) ==
        "a.yaml:5:32: range of p is not a pair; write [least, greatest]");
  CHECK(refusal(parameter("type: flag, default: true, range: [0, 1]")) ==
        "a.yaml:5:34: a flag has no range; remove it");
  CHECK(refusal(parameter("type: choice, of: [x, x], default: x")) == "a.yaml:5:29: x comes twice in of");
  CHECK(refusal(parameter("type: choice, of: [], default: x")) ==
        "a.yaml:5:21: of is not a list of names; write [first, second]");
  CHECK(refusal(parameter("type: choice, of: [x, y z], default: x")) == "a.yaml:5:29: 'y z' in of is not snake_case");
  CHECK(refusal(parameter("type: choice, of: [x, y], default: z")) ==
        "a.yaml:5:42: default of p: 'z' is not one of the choices; write x, y");
  CHECK(refusal("parameters:\n  p: {type: flag, default: true, text: t}\n") ==
        "a.yaml:5:3: parameter p has no source; add `source:`");
  CHECK(refusal("parameters:\n  p: {type: flag, default: true, source: s}\n") ==
        "a.yaml:5:3: parameter p has no text; add `text:`");
  CHECK(refusal("parameters:\n  p: 3\n") == "a.yaml:5:3: parameter p is not a map");
  CHECK(refusal("parameters:\n  class: {}\n") == "a.yaml:5:3: the parameter 'class' is a word of C++; use snake_case");
  CHECK(refusal("parameters:\n  extends: {}\n") == "a.yaml:5:3: the parameter 'extends' is taken; use snake_case");
  CHECK(refusal("parameters:\n  a__b: {}\n") == "a.yaml:5:3: the parameter 'a__b' is not snake_case; use snake_case");
  CHECK(refusal("parameters:\n  p: {}\n  p: {}\n") ==
        "a.yaml:6:3: the key p comes twice; the first is in line 5; keep one");
}

TEST_CASE("a statistic that is not fully described is refused at its line") {
  CHECK(refusal("statistics:\n  s: {unit: u, text: t, bins: 33}\n") == "accepted");
  CHECK(refusal("statistics:\n  s: {text: t}\n") == "a.yaml:5:3: statistic s has no unit; add `unit:`");
  CHECK(refusal("statistics:\n  s: {unit: u}\n") == "a.yaml:5:3: statistic s has no text; add `text:`");
  CHECK(refusal("statistics:\n  s: {unit: u, text: t, bins: 0}\n") ==
        "a.yaml:5:25: a row of 0 bins is not possible; write a number from 1 to 4096, or names");
  CHECK(refusal("statistics:\n  s: {unit: u, text: t, bins: many}\n").starts_with("a.yaml:5:25: bins: 'many' is not"));
}

TEST_CASE("blocks are checked against each other") {
  CHECK(refusal("children: {b: b}\n") == "a.yaml:4:15: there is no block b; known: a");
  CHECK(refusal("children: {b: a}\n") == "a.yaml:4:15: a block contains itself: a > a");
  CHECK(refusal(parameter("type: flag, default: true") + "children: {p: a}\n") ==
        "a.yaml:6:12: p is a parameter and a child; rename one");
  CHECK(refusal(parameter("type: names, default: x") + "children: {q: any}\n") == "accepted");
  CHECK(refusal(parameter("type: names, default: x")) ==
        "a.yaml:5:3: p names parts, and a leaves none open; add a child that can be `any`");
  CHECK(refusal("children: {p: any, q: any}\n") == "a.yaml:4:20: p and q can both be any block; keep one of them");
  const tests::TemporaryFolder folder;
  folder.write("a.yaml", head + "children: {b: b}\n");
  folder.write("b.yaml", "block: b\nfolder: f\nsummary: s\nchildren: {a: a}\n");
  CHECK_THROWS_WITH(read_blocks(folder.path()), Catch::EndsWith("b.yaml:4:15: a block contains itself: a > b > a"));
  folder.write("a.yaml", head + parameter("type: choice, of: [x], default: x") +
                             "statistics:\n  p: {unit: u, text: t, bins: [x]}\n");
  folder.write("b.yaml", "block: b\nfolder: f\nsummary: s\n");
  CHECK_THROWS_WITH(read_blocks(folder.path()),
                    Catch::EndsWith("a.yaml:7:3: a.p and a.p both make the type AP; rename one"));
  CHECK_THROWS_WITH(read_blocks(folder.path() / "none"),
                    Catch::EndsWith("there is no such folder; name the folder of the block files"));
}

TEST_CASE("names and texts are quoted for C++") {
  CHECK(camel_case("l1_cache") == "L1Cache");
  CHECK(enum_type("sm", "issue_slots") == "SmIssueSlots");
  CHECK(literal("a\"b\\c\n\xc3\xa9") == "\"a\\\"b\\\\c\\012\\303\\251\"");
  CHECK(enumerator("auto") == "auto_");
  CHECK(enumerator("oldest") == "oldest");
  CHECK_FALSE(is_snake_case("_a"));
  CHECK_FALSE(is_snake_case("a_"));
  CHECK_FALSE(is_snake_case("9a"));
  CHECK(is_snake_case("a9_b"));
}

TEST_CASE("generated code depends only on the blocks") {
  const auto blocks = read_blocks(RECONVERGE_SOURCE_DIR "/tests/unit/core/blocks");
  const auto again = read_blocks(RECONVERGE_SOURCE_DIR "/tests/unit/core/blocks");
  REQUIRE(blocks.size() == 4);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    CHECK(emit_header(blocks[i], {}) == emit_header(again[i], {}));
    CHECK(emit_source(blocks[i], {}) == emit_source(again[i], {}));
    CHECK(emit_header(blocks[i], {}).find(RECONVERGE_SOURCE_DIR) == std::string::npos);
  }
}

}  // namespace reconverge::block_generator
