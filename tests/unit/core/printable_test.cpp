// SPDX-License-Identifier: Apache-2.0
#include "models/core/printable.hpp"

#include <catch2/catch.hpp>

#include "models/core/error.hpp"

using namespace reconverge;

TEST_CASE("control characters are escaped, and other text is unchanged") {
  CHECK(printable("a\tb\nc") == "a\tb\nc");
  CHECK(printable("\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80 \xc2\xa0") ==
        "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80 \xc2\xa0");
  CHECK(printable("\x1b[31m\r\x7f\b") == "\\x1b[31m\\x0d\\x7f\\x08");
  CHECK(printable(std::string_view("a\0b", 3)) == "a\\x00b");
  CHECK(printable("\xc2\x9b"
                  "2J") ==
        "\\xc2\\x9b"
        "2J");  // C1, in UTF-8
  CHECK(printable(printable("\x1b")) == printable("\x1b"));
}

TEST_CASE("bytes that are not UTF-8 are escaped one by one") {
  // A single byte, a continuation byte, an overlong form, a surrogate, a code above the last character, and a truncated
  // character.
  for (const auto& [bytes, shown] :
       std::initializer_list<std::pair<const char*, const char*>>{{"\xff", "\\xff"},
                                                                  {"\xa4", "\\xa4"},
                                                                  {"\xc0\x80", "\\xc0\\x80"},
                                                                  {"\xe0\x80\x80", "\\xe0\\x80\\x80"},
                                                                  {"\xed\xa0\x80", "\\xed\\xa0\\x80"},
                                                                  {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
                                                                  {"\xe2\x82", "\\xe2\\x82"},
                                                                  {"\xe2\x82z", "\\xe2\\x82z"}}) {
    CHECK(printable(bytes) == shown);
  }
}

TEST_CASE("a name must be UTF-8 without control characters") {
  for (const auto* name : {"conference", "a b", "\xc3\xa4"}) CHECK(is_printable_name(name));
  for (const auto* name : {"a\nb", "a\tb", "\x1b", "\x7f", "\xc2\x85"}) {
    CHECK_FALSE(is_printable_name(name));
    CHECK(has_control_character(name));
  }
  CHECK_FALSE(is_printable_name("\xff"));
  CHECK_FALSE(has_control_character("\xff"));  // allowed in paths
  CHECK_FALSE(has_control_character("\xc2\xa0"));
}

TEST_CASE("a text is shortened between characters") {
  CHECK(shortened("abc", 3) == "abc");
  CHECK(shortened("abcd", 3) == "abc...");
  CHECK(shortened("\xc3\xa4\xc3\xa4\xc3\xa4", 2) == "\xc3\xa4\xc3\xa4...");
  CHECK(shortened("\xff\xff\xff", 2) == "\xff\xff...");
  CHECK(shortened("", 0).empty());
}

TEST_CASE("a message shortens only quotations") {
  const std::string value(1000, 'x');
  CHECK(with_short_quotes("'" + value + "' is negative") == "'" + value.substr(0, 200) + "...' is negative");
  CHECK(with_short_quotes(value + " is " + value) == value + " is " + value);
  CHECK(with_short_quotes("a file's name, 'it's " + value + "', and the files' '" + value + "' too", 5) ==
        "a file's name, 'it's ...', and the files' 'xxxxx...' too");
  CHECK(with_short_quotes("'' and 'a' 'unclosed " + value) == "'' and 'a' 'unclosed " + value);
  const InputError error({"a.yaml", 3, 4}, "k: '" + value + "' is not a number");
  CHECK(std::string(error.what()) == "a.yaml:3:4: k: '" + value.substr(0, 200) + "...' is not a number");
  CHECK(std::string(InputError({}, error.what()).what()) == error.what());
  CHECK(std::string(InputError({"--set a=" + value}, "no").what()).size() < 220);
}

TEST_CASE("a message does not end at a NUL in a quotation") {
  CHECK(std::string(InputError({"f"}, std::string("'a\0b'", 5), "leave it out").what()) ==
        "f: 'a\\x00b'; leave it out");
}
