// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "platforms/configuration/configuration.hpp"
#include "test_blocks/machine.hpp"
#include "tests/unit/core/temporary_folder.hpp"

namespace test_blocks {

using namespace reconverge;

namespace {

/// The error for a text or for overrides. Checks that no parameter was set.
std::string refusal(const std::string& text, const std::vector<std::string>& overrides = {}) {
  MachineParameters machine;
  machine.cores = 77;
  MachineParameters before = machine;
  try {
    configuration::load_text(MachineParameters::description(), &machine, {text, "a.yaml"}, overrides);
  } catch (const InputError& error) {
    CHECK(machine == before);
    return error.what();
  }
  return "accepted";
}

std::string set(const std::string& text) { return refusal("cores: 2\n", {text}); }

/// The error for a file, without the folder's name.
std::string file_refusal(const tests::TemporaryFolder& folder, const std::string& name) {
  MachineParameters machine;
  try {
    configuration::load(MachineParameters::description(), &machine, folder.path() / name);
  } catch (const InputError& error) {
    std::string text = error.what();
    const std::string prefix = folder.path().string() + "/";
    for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) {
      text.erase(at, prefix.size());
    }
    return text;
  }
  return "accepted";
}

}  // namespace

TEST_CASE("the error for an unknown key has the nearest known key") {
  CHECK(refusal("cores: 2\nclok: 1 GHz\n") == "a.yaml:2:1: there is no key clok; did you mean clock?");
  CHECK(refusal("memory:\n  ways: 2\n  capcity: 1 KiB\n") ==
        "a.yaml:3:3: there is no key memory.capcity; did you mean memory.capacity?");
  CHECK(refusal("capacity: 1 KiB\n") == "a.yaml:1:1: there is no key capacity; did you mean memory.capacity?");
  CHECK(refusal("memory: {clock: 1 MHz}\n") == "a.yaml:1:10: there is no key memory.clock; did you mean clock?");
  CHECK(refusal("memory: {x: 1}\n") == "a.yaml:1:10: there is no key memory.x; known: capacity, ways");
  CHECK(refusal("memory: {extends: b.yaml}\n") == "a.yaml:1:10: there is no key memory.extends; known: capacity, ways");
  CHECK(refusal("<<: {cores: 2}\n").starts_with("a.yaml:1:1: there is no key <<; known: name, clock"));
}

TEST_CASE("a value of the wrong kind is refused at its line and column") {
  CHECK(refusal("memory: 3\n") ==
        "a.yaml:1:1: memory is a block, not a value; write its parameters below it, indented");
  CHECK(refusal("memory:\ncores: 2\n") ==
        "a.yaml:1:1: memory is a block, not a value; write its parameters below it, indented");
  CHECK(refusal("cores:\n  - 2\n") == "a.yaml:2:3: cores is not a single value; write a value of the type count");
  CHECK(refusal("cores:\n") == "a.yaml:1:1: cores has no value; write one, or remove it");
  CHECK(refusal("cores: \"\"\n") == "a.yaml:1:8: cores: there is no value; write a whole number such as 32 or 1_000");
  CHECK(refusal("cores: many\n") ==
        "a.yaml:1:8: cores: 'many' is not a number; write a whole number such as 32 or 1_000");
  CHECK(refusal("cores: 2.5\n") ==
        "a.yaml:1:8: cores: '2.5' is not a whole number of units; write a whole number such as 32 or 1_000");
  CHECK(refusal("core:\n  bypass: yes\n") ==
        "a.yaml:2:11: core.bypass: 'yes' is neither true nor false; write true or false");
  CHECK(refusal("core:\n  policy: newest\n") ==
        "a.yaml:2:11: core.policy: 'newest' is not one of the choices; write oldest, loose_round_robin, static");
  CHECK(refusal("core: {share: much}\n") ==
        "a.yaml:1:15: core.share: 'much' is not a number; write a number such as 0.5");
  CHECK(refusal("widths: [1, [2]]\n") == "a.yaml:1:13: an item of the list is not a single value");
  CHECK(refusal("widths: [1, x]\n") ==
        "a.yaml:1:9: widths: 'x' is not a number; write a whole number such as 32 or 1_000");
}

TEST_CASE("the error for a wrong or missing unit has the accepted units") {
  const std::string sizes = "; write a size such as 48 KiB, in B, KiB, MiB, GiB, TiB, kB, MB, GB or TB";
  const std::string frequencies = "; write a frequency such as 980 MHz, in Hz, kHz, MHz or GHz";
  CHECK(refusal("memory: {capacity: 2048}\n") == "a.yaml:1:20: memory.capacity: '2048' has no unit" + sizes);
  CHECK(refusal("memory: {capacity: 2 MHz}\n") == "a.yaml:1:20: memory.capacity: '2 MHz' has the unit 'MHz'" + sizes);
  CHECK(refusal("clock: 980\n") == "a.yaml:1:8: clock: '980' has no unit" + frequencies);
  CHECK(refusal("clock: 980 MiB\n") == "a.yaml:1:8: clock: '980 MiB' has the unit 'MiB'" + frequencies);
  CHECK(refusal("core: {latency: 3 ns}\n") ==
        "a.yaml:1:17: core.latency: '3 ns' has the unit 'ns'; write a whole number of cycles such as 30 or 30 cycles");
}

TEST_CASE("the error for a value out of range has the range") {
  CHECK(refusal("cores: 0\n") == "a.yaml:1:8: cores: 0 is below the range; write a value from 1 to 1024");
  CHECK(refusal("cores: 1025\n") == "a.yaml:1:8: cores: 1025 is above the range; write a value from 1 to 1024");
  CHECK(refusal("memory: {capacity: 1 GiB}\n") ==
        "a.yaml:1:20: memory.capacity: 1 GiB is above the range; write a value from 1 KiB to 16 MiB");
  CHECK(refusal("core: {latency: 0}\n") ==
        "a.yaml:1:17: core.latency: 0 cycles is below the range; write a value from 1 cycle to 1000 cycles");
  CHECK(refusal("cores: -1\n") == "a.yaml:1:8: cores: '-1' is negative; write a whole number such as 32 or 1_000");
  CHECK(refusal("cores: 99999999999999999999\n") ==
        "a.yaml:1:8: cores: '99999999999999999999' is too large; write a whole number such as 32 or 1_000");
}

TEST_CASE("a value with a source has exactly these two parts") {
  CHECK(refusal("cores: {value: 2, source: s}\n") == "accepted");
  CHECK(refusal("cores: {source: s}\n") == "a.yaml:1:1: cores has no value; write {value: ..., source: ...}");
  CHECK(refusal("cores: {value: 2, sorce: s}\n") == "a.yaml:1:19: cores has no part sorce; did you mean source?");
  CHECK(refusal("cores: {value: 2, source: [s]}\n") == "a.yaml:1:19: source of cores is not a text");
  CHECK(refusal("cores: {value: {value: 2}}\n") ==
        "a.yaml:1:16: cores is not a single value; write a value of the type count");
}

TEST_CASE("a malformed document is refused at its line and column") {
  CHECK(refusal("") == "a.yaml:1:1: the document is empty; write at least one key");
  CHECK(refusal("- cores\n") == "a.yaml:1:1: the document is not a map; write `key: value` lines");
  CHECK(refusal("cores: 2\ncores: 3\n") == "a.yaml:2:1: the key cores comes twice; the first is in line 1; keep one");
  CHECK(refusal("memory:\n  ways: 1\n  ways: 2\n") ==
        "a.yaml:3:3: the key ways comes twice; the first is in line 2; keep one");
  CHECK(refusal("cores: {value: 2\nclock: 1 GHz\n").starts_with("a.yaml:2:6: this is not YAML: "));
  CHECK(refusal("extends: 1\nextends: 2\n").starts_with("a.yaml:2:1: the key extends comes twice"));
}

TEST_CASE("the error for an override quotes it as it was written") {
  CHECK(set("cores=3") == "accepted");
  CHECK(set("cores") == "--set cores: this is not of the form path=value; write for example gpu.sm.warp_slots=16");
  CHECK(set("cores = 3") == "--set cores = 3: there are blanks around the path; leave them out: path=value");
  CHECK(set("=3") == "--set =3: this is not of the form path=value; write for example gpu.sm.warp_slots=16");
  CHECK(set("memory.way=3") == "--set memory.way=3: there is no key memory.way; did you mean memory.ways?");
  CHECK(set("memry.ways=3") == "--set memry.ways=3: there is no key memry; did you mean memory?");
  CHECK(set("memory=3") ==
        "--set memory=3: memory is a block, not a value; name a parameter in it, as in memory.name=value");
  CHECK(set("cores.x=3") == "--set cores.x=3: cores is a parameter and has no parts; write cores=...");
  CHECK(set("memory..ways=3").starts_with("--set memory..ways=3: there is no key memory.; known: capacity, ways"));
  CHECK(set("cores=") == "--set cores=: cores: there is no value; write a whole number such as 32 or 1_000");
  CHECK(set("memory.capacity=3").starts_with("--set memory.capacity=3: memory.capacity: '3' has no unit; write a"));
  CHECK(set("extends=b.yaml").starts_with("--set extends=b.yaml: there is no key extends; known: name"));
}

TEST_CASE("a file that extends another one in an invalid way is refused at this line") {
  const tests::TemporaryFolder folder;
  folder.write("self.yaml", "cores: 2\nextends: self.yaml\n");
  folder.write("a.yaml", "extends: sub/b.yaml\n");
  folder.write("sub/b.yaml", "extends: [../ok.yaml, ../c.yaml]\n");
  folder.write("c.yaml", "extends: ./sub/../a.yaml\n");
  folder.write("ok.yaml", "cores: 2\n");
  folder.write("missing.yaml", "extends: none.yaml\n");
  folder.write("number.yaml", "extends: {a: 1}\n");
  folder.write("nothing.yaml", "extends: [ok.yaml, ~]\n");
  folder.write("folder.yaml", "extends: sub\n");
  folder.write("bad_base.yaml", "extends: bad.yaml\ncores: 3\n");
  folder.write("bad.yaml", "cores: none\n");
  CHECK(file_refusal(folder, "ok.yaml") == "accepted");
  CHECK(file_refusal(folder, "self.yaml") ==
        "self.yaml:2:10: a file extends itself: self.yaml > self.yaml; take one extends out");
  CHECK(file_refusal(folder, "a.yaml") ==
        "c.yaml:1:10: a file extends itself: a.yaml > b.yaml > c.yaml > a.yaml; take one extends out");
  CHECK(file_refusal(folder, "missing.yaml") ==
        "missing.yaml:1:10: extends: there is no file none.yaml; a path is relative to the file that names it");
  CHECK(file_refusal(folder, "number.yaml") ==
        "number.yaml:1:1: extends is not the name of a file; write a path, or a list of paths");
  CHECK(file_refusal(folder, "nothing.yaml") ==
        "nothing.yaml:1:20: extends is not the name of a file; write a path, or a list of paths");
  CHECK(file_refusal(folder, "folder.yaml") == "sub: this is a folder; name a YAML file in it");
  CHECK(file_refusal(folder, "bad_base.yaml").starts_with("bad.yaml:1:8: cores: 'none' is not a number"));
  CHECK(file_refusal(folder, "none.yaml") == "none.yaml: there is no such file; check the path");
  CHECK(refusal("extends: " + std::string(5000, 'x') + "\n").starts_with("a.yaml:1:10: extends: there is no file x"));
  // Without a limit, 2^20 files would be read.
  for (int i = 0; i < 20; ++i)
    folder.write(fmt::format("{}.yaml", i), fmt::format("extends: [{0}.yaml, {0}.yaml]\n", i + 1));
  folder.write("20.yaml", "cores: 2\n");
  CHECK(file_refusal(folder, "15.yaml") == "accepted");
  CHECK(file_refusal(folder, "0.yaml").ends_with("more than 256 files are extended in all; name each of them once"));
}

}  // namespace test_blocks
