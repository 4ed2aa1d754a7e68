// SPDX-License-Identifier: Apache-2.0
#include "models/block_generator/check_use.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "models/block_generator/source_scan.hpp"
#include "tests/unit/core/temporary_folder.hpp"

namespace reconverge::block_generator {

namespace {

using Names = std::set<std::string>;

Names reads(std::string_view code) { return scan_source(code).reads; }
Names writes(std::string_view code) { return scan_source(code).writes; }

}  // namespace

TEST_CASE("the check distinguishes a read of a member from assignment and call") {
  CHECK(reads("x = p.ways;") == Names{"ways"});
  CHECK(reads("f(p->ways, 3)") == Names{"ways"});
  CHECK(reads("if (a.b.ways == 3) {}") == Names{"b", "ways"});
  CHECK(reads("p.ways = 3;").empty());
  CHECK(reads("P p{.ways = 3};").empty());
  CHECK(reads("p.ways += 3;").empty());
  CHECK(reads("p.ways();").empty());
  CHECK(reads("p.size(q.ways)") == Names{"ways"});
  CHECK(reads("int ways; f(ways);").empty());
  CHECK(reads("// p.ways\n/* p.ways */ s = \"p.ways\"; c = '\\''; t = R\"x(p.ways)\" )x\";").empty());
  CHECK(reads("x = 1.5f + 2.ways;").empty());
  CHECK(reads("x = a[1'000].ways;") == Names{"ways"});
}

TEST_CASE("the check distinguishes an update of a statistic from a read") {
  CHECK(writes("++statistics_.hits;") == Names{"hits"});
  CHECK(writes("statistics_.hits++;") == Names{"hits"});
  CHECK(writes("statistics_.hits += lines;") == Names{"hits"});
  CHECK(writes("++a.statistics(1)[2].hits;") == Names{"hits"});
  CHECK(writes("++statistics_.active_lanes[count_lanes(mask)];") == Names{"active_lanes"});
  CHECK(writes("statistics_.active_lanes[i] += 2;") == Names{"active_lanes"});
  CHECK(writes("++statistics_.lost[SmLost::memory];") == Names{"lost"});
  CHECK(writes("statistics_.lost.values[i] += 1;") == Names{"lost", "values"});
  CHECK(writes("auto& counter = hit ? s.hits : s.misses; ++counter;") == Names{"hits", "misses"});
  CHECK(writes("++(hit ? s.hits : s.misses);") == Names{"hits", "misses"});
  CHECK(writes("f(&s.hits);") == Names{"hits"});
  CHECK(writes("total = s.hits + s.misses;").empty());
  CHECK(writes("if (s.hits == 0) return;").empty());
  CHECK(writes("print(s.hits, mask & s.hits);").empty());
  CHECK(writes("S s{.hits = 0, .misses = 0};").empty());
  CHECK(writes("// ++s.hits;\n").empty());
}

TEST_CASE("the check finds parameters and statistics that no code uses") {
  const tests::TemporaryFolder folder;
  folder.write("blocks/cache.yaml",
               "block: cache\nfolder: f\nsummary: s\n"
               "parameters:\n  ways: {type: count, default: 1, range: [1, 9], source: s, text: t}\n"
               "statistics:\n  hits: {unit: u, text: t}\n");
  folder.write("blocks/sm.yaml",
               "block: sm\nfolder: f\nsummary: s\n"
               "parameters:\n  ways: {type: count, default: 1, range: [1, 9], source: s, text: t}\n"
               "children: {l1: cache}\n");
  const auto blocks = read_blocks(folder.path() / "blocks");
  const auto problems = [&] { return check_use(blocks, folder.path(), {"models"}, "blocks").problems; };
  const std::string at = folder.path().string() + "/blocks/";
  const std::vector<std::string> all{
      at + "cache.yaml:5:3: no code reads the parameter ways of cache (looked in models); "
           "read it as a member, or remove it",
      at + "cache.yaml:7:3: no code moves the statistic hits of cache (looked in models); "
           "count it with ++, += or =, or remove it",
      at + "sm.yaml:5:3: no code reads the parameter ways of sm (looked in models); read it as a member, or remove it"};

  // In a file that does not include the block, the same name is another member.
  folder.write("models/other.cpp", "int f() { return p.ways; } void g() { ++s.hits; }\n");
  CHECK(problems() == all);

  // The file may include the block through another header, in its folder or relative to the top.
  folder.write("models/cache.hpp", "#include \"blocks/cache.hpp\"\n");
  folder.write("models/cache.cpp", "#include \"cache.hpp\"\nint f() { return p.ways; }\n");
  CHECK(problems() == std::vector<std::string>{all[1], all[2]});
  folder.write("models/deep/user.cpp", "#include \"models/cache.hpp\"\nvoid g() { s.hits += 2; }\n");
  CHECK(problems() == std::vector<std::string>{all[2]});

  // A block's header includes the headers of its parts.
  folder.write("models/cache.cpp", "");
  folder.write("models/sm.cpp", "#include \"blocks/sm.hpp\"\nint f() { return p.l1.ways; }\n");
  CHECK(problems().empty());
}

TEST_CASE("the check reports the paths that it examined") {
  const tests::TemporaryFolder folder;
  folder.write("blocks/cache.yaml", "block: cache\nfolder: f\nsummary: s\n");
  folder.write("models/deep/a.cpp", "");
  folder.write("models/readme.txt", "");
  const UseReport report = check_use(read_blocks(folder.path() / "blocks"), folder.path(), {"models"}, "blocks");
  CHECK(report.looked_at == std::vector<std::filesystem::path>{folder.path() / "models", folder.path() / "models/deep",
                                                               folder.path() / "models/deep/a.cpp"});
  CHECK_THROWS_AS(check_use({}, folder.path(), {"missing"}, "blocks"), InputError);
}

}  // namespace reconverge::block_generator
