// SPDX-License-Identifier: Apache-2.0
// Profiles are written as JSON, read back, and printed as a table.

#include <boost/json/value.hpp>
#include <catch2/catch.hpp>
#include <fstream>

#include "models/core/error.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "platforms/cli/commands/profile_table.hpp"
#include "platforms/configuration/json_text.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "platforms/profile/profile_reader.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge;
using namespace reconverge::report;
using Catch::Contains;
namespace json = boost::json;

namespace {

constexpr const char* ptx =
    ".version 5.0\n.target sm_60\n.address_size 64\n.file 1 \"/of/somebody/else/paper.cu\"\n"
    ".visible .entry k(.param .u64 k_param_0)\n{\n.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<4>;\n"
    "ld.param.u64 %rd1, [k_param_0];\n"                               // 8
    ".loc 1 2 7\n"                                                    // 9
    "ld.global.u32 %r1, [%rd1];\n"                                    // 10
    "setp.eq.s32 %p1, %r1,\n  0;\n"                                   // 11
    ".loc 1 3 3, function_name $L__info_string0, inlined_at 1 2 7\n"  // 13
    "@%p1 bra $skip;\n"                                               // 14
    "st.global.u32 [%rd1], %r1;\n"                                    // 15
    "$skip:\nret;\n}\n";

std::size_t pc_of_line(const Profile& profile, std::uint32_t line) {
  for (std::size_t pc = 0; pc < profile.instructions.size(); ++pc) {
    if (profile.instructions[pc].line == line) return pc;
  }
  FAIL("no instruction in line " << line);
  return 0;
}

/// A program with its source, and a profile with numbers that can be checked by hand.
class Sample {
 public:
  Sample() : counters_(gpu_statistics()) {
    std::ofstream(folder_.path() / "paper.ptx") << ptx;
    std::ofstream(folder_.path() / "paper.cu") << "// line 1\n\tint x = *p;\n  if (x) {  \n";
    const kernel::Program program = kernel::load_program(folder_.path() / "paper.ptx", "k");
    InstructionProfile counted = empty_profile(program);
    const auto at = [&](std::uint32_t line) -> ProfiledInstruction& {
      for (std::size_t pc = 0; pc < counted.listing.size(); ++pc) {
        if (counted.listing[pc].line == line) return counted.instructions[pc];
      }
      FAIL("no instruction in line " << line);
      return counted.instructions.front();
    };
    at(10).executions = 100;
    at(10).threads = 2000;
    at(10).lines = {FirstLevel::data, 400, 300, 80, 20};
    at(11).lost[WarpSchedulerSlots::memory] = 900;
    at(11).lost[WarpSchedulerSlots::pipe] = 100;
    at(11).executions = 100;
    at(11).threads = 3200;
    ProfiledInstruction& branch = at(14);
    branch.executions = 100;
    branch.threads = 3200;
    branch.divergent = 17;
    const auto pc = static_cast<kernel::Pc>(&branch - counted.instructions.data());
    branch.targets = {{pc + 2, 1445}, {pc + 1, 1755}};
    counted.elsewhere[WarpSchedulerSlots::empty] = 50;
    SourceLines sources;
    profile = profile_of(counted, &counters_, {"paper.ptx", folder_.path()}, sources);
  }

  std::string report() const {
    return configuration::pretty({{"format", "reconverge launch report"},
                                  {"schema_version", 1},
                                  {"launches",
                                   {{{"name", "a"}, {"kernel", "k"}, {"profile", profile_json(profile)}},
                                    {{"name", "not profiled"}, {"kernel", "k"}}}}});
  }
  const std::filesystem::path& folder() const { return folder_.path(); }

  Profile profile;

 private:
  tests::TemporaryFolder folder_;
  Statistics counters_;
};

}  // namespace

TEST_CASE("a profile as JSON has the values that the report page shows") {
  const Sample sample;
  const json::object profile = profile_json(sample.profile);
  CHECK(profile.at("lanes") == 32);
  const json::array& causes = profile.at("causes").as_array();
  CHECK(causes.front() == "pipe");
  CHECK(causes.back() == "empty");
  for (const json::value& cause : causes) CHECK((cause != "issued" && cause != "dual_issue"));
  CHECK(profile.at("stalls_of_no_warp").as_array().back() == 50);

  const json::array& rows = profile.at("instructions").as_array();
  const json::value& load = rows[pc_of_line(sample.profile, 10)];
  CHECK(load.at("text") == "ld.global.u32 %r1, [%rd1]");
  CHECK(load.at("source") == json::value{{"file", "paper.cu"}, {"line", 2}, {"text", "int x = *p;"}});
  CHECK(load.at("lost_lanes") == 1200);
  CHECK(
      load.at("memory") ==
      json::value{{"space", "global"}, {"cache", "l1"}, {"lines", 400}, {"hits", 300}, {"misses", 80}, {"merges", 20}});
  const json::value& compare = rows[pc_of_line(sample.profile, 11)];
  CHECK(compare.at("text") == "setp.eq.s32 %p1, %r1, 0");
  CHECK(compare.at("stalls").as_array().size() == causes.size());
  CHECK(compare.at("stalls").at(0) == 100);
  CHECK(!compare.as_object().contains("memory"));
  const json::value& branch = rows[pc_of_line(sample.profile, 14)];
  CHECK(branch.at("source").at("line") == 3);
  CHECK(branch.at("inlined_at") == json::value{{{"file", "paper.cu"}, {"line", 2}, {"text", "int x = *p;"}}});
  CHECK(!load.as_object().contains("inlined_at"));
  CHECK(branch.at("branch").at("divergent") == 17);
  // Targets are in program order.
  CHECK(branch.at("branch").at("targets").at(0).at("threads") == 1755);
  CHECK(branch.at("branch").at("targets").at(1).at("threads") == 1445);
  CHECK(!rows[pc_of_line(sample.profile, 8)].as_object().contains("source"));
}

TEST_CASE("the text of a source line is empty without the file, and is always UTF-8") {
  const tests::TemporaryFolder place;
  place.write("latin.cu",
              "int gr\xf6\xdf"
              "e;\n");
  place.write("wide.cu", std::string(10'000, 'x') + "\n");
  SourceLines sources;
  CHECK(sources.at(place.path(), "/nowhere/latin.cu", 1).text == "int gr\\xf6\\xdfe;");
  CHECK(sources.at(place.path(), "/nowhere/latin.cu", 2).text.empty());
  CHECK(sources.at(place.path(), "wide.cu", 1).text == std::string(400, 'x') + "...");
  CHECK(sources.warnings().empty());
  CHECK(sources.at(place.path(), "/nowhere/other.cu", 1).text.empty());
  CHECK(sources.at(place.path(), "/nowhere/third.cu", 1).text.empty());
  REQUIRE(sources.warnings().size() == 1);
  CHECK_THAT(sources.warnings().front(), Contains("'/nowhere/other.cu' is not below the folder of the PTX file") &&
                                             Contains("2 source files") && Contains("--source-root"));
}

TEST_CASE("a profile quotes only source files below the program's folder and the roots") {
  namespace fs = std::filesystem;
  const tests::TemporaryFolder place;
  const std::string secret = place.write("home/secret.txt", "secret\n");
  const fs::path kernels = place.path() / "kernels";
  place.write("kernels/include/a.h", "in a\n");
  place.write("home/src/b.cu", "in b\n");
  fs::create_symlink(secret, kernels / "link.cu");
  fs::create_directory_symlink(place.path() / "home", kernels / "sub");
  SourceLines sources;
  const auto quoted = [&](const std::string& file) {
    const ProfileSource source = sources.at(kernels, file, 1);
    return source.file + "|" + source.text;
  };
  CHECK(quoted(secret) == "secret.txt|");
  CHECK(quoted("../home/secret.txt") == "secret.txt|");
  CHECK(quoted("include/../../home/secret.txt") == "secret.txt|");
  CHECK(quoted("link.cu") == "link.cu|");
  CHECK(quoted("sub/secret.txt") == "secret.txt|");
  CHECK(quoted("/etc/passwd") == "passwd|");
  CHECK(quoted("include") == "include|");
  CHECK(quoted("") == "|");
  CHECK(quoted("include/a.h") == "include/a.h|in a");
  CHECK(quoted((kernels / "include" / "a.h").string()) == "include/a.h|in a");
  CHECK(quoted((place.path() / "home/src/b.cu").string()) == "b.cu|");

  SourceLines rooted({place.path() / "other", place.path() / "home" / "src"});
  CHECK(rooted.at(kernels, (place.path() / "home/src/b.cu").string(), 1).text == "in b");
  CHECK(rooted.at(kernels, "/build/machine/b.cu", 1).text == "in b");
  CHECK(rooted.warnings().empty());
  CHECK(rooted.at(kernels, secret, 1).text.empty());
}

TEST_CASE("the profiles of a report are read as they were written") {
  const Sample sample;
  const std::string text = sample.report();
  const std::vector<ProfiledLaunch> read = parse_profiles(text, "report.json");
  REQUIRE(read.size() == 1);
  CHECK(read[0].name == "a");
  CHECK(read[0].kernel == "k");
  CHECK(profile_json(read[0].profile) == profile_json(sample.profile));

  std::ofstream(sample.folder() / "report.json") << text;
  CHECK(read_profiles(sample.folder()).size() == 1);
}

TEST_CASE("the table shows where inlined functions are called") {
  const Sample sample;
  const std::string text = cli::profile_text({"a", "k", sample.profile}, {});
  CHECK_THAT(text, Contains("paper.cu:3 < paper.cu:2 ") && Contains("paper.cu:2 "));
}

TEST_CASE("a file that is not a report with a profile is refused with line and column") {
  const auto complaint = [](const std::string& text) -> std::string {
    try {
      parse_profiles(text, "out/report.json");
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  };
  CHECK_THAT(complaint("{\n  \"format\": nothing\n}"), Contains("out/report.json:2:1") && Contains("not JSON"));
  CHECK_THAT(complaint(""), Contains("not JSON"));
  CHECK_THAT(complaint("{} {}"), Contains("not JSON"));
  CHECK_THAT(complaint("[]"), Contains("out/report.json: the document is no object"));
  CHECK_THAT(complaint("{\"format\": \"reconverge manifest\"}"),
             Contains("format is 'reconverge manifest', which is no report of a run"));

  const std::string good = Sample().report();
  CHECK(complaint(good).empty());
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t place = text.find(from);
    REQUIRE(place != std::string::npos);
    return complaint(text.replace(place, from.size(), to));
  };
  CHECK_THAT(changed("\"schema_version\": 1", "\"schema_version\": 2"),
             Contains("schema_version is 2, and this program reads 1"));
  CHECK_THAT(changed("\"executions\": 0", "\"executions\": -1"),
             Contains("launches[0].profile.instructions[0].executions is no whole number from 0 on"));
  CHECK_THAT(changed("\"threads\"", "\"thread\""), Contains("instructions[0].threads is missing"));
  CHECK_THAT(changed("\"lanes\": 32", "\"lanes\": 0"), Contains("profile.lanes is 0"));
  CHECK_THAT(changed("\"lanes\": 32", "\"lanes\": 4294967296"), Contains("profile.lanes is too large"));
  CHECK_THAT(changed("\"causes\": [", "\"causes\": [\"one more\", "), Contains("values, and") && Contains("expected"));
  for (std::size_t size = 0; size < good.size() - 1; size += 97) CHECK(!complaint(good.substr(0, size)).empty());

  const tests::TemporaryFolder place;
  CHECK_THROWS_WITH(read_profiles(place.path()), Contains("report.json") && Contains("there is no such file"));
  std::ofstream(place.path() / "report.json")
      << R"({"format": "reconverge report", "schema_version": 1, "stages": [{"name": "a"}]})";
  CHECK_THROWS_WITH(read_profiles(place.path()), Contains("the report has no profile") && Contains("--profile"));
}

TEST_CASE("the table is sorted by cost or in program order") {
  const Sample sample;
  const ProfiledLaunch launch{"a", "k", sample.profile};
  const std::string text = cli::profile_text(launch, {});
  CHECK_THAT(text, Contains("a: kernel k of ") && Contains("300 executions of 28.0 of 32 lanes") &&
                       Contains("issue slots lost: 1,000 of warps (memory 90 %, pipe 10 %), 50 of none"));
  // 1000 lost slots of 32 lanes precede 1200 lost lanes.
  const std::size_t compare = text.find("setp.eq");
  const std::size_t load = text.find("ld.global");
  const std::size_t branch = text.find("@%p1 bra");
  CHECK(compare < load);
  CHECK(load < branch);
  CHECK(branch != std::string::npos);
  CHECK_THAT(text, Contains("paper.cu:2") && Contains("75.0 %") && Contains("memory 90 %, pipe 10 %") &&
                       Contains("17 diverged; line 15: 1,755, line 17: 1,445"));
  // An instruction that was never executed has no line.
  CHECK(text.find("st.global") == std::string::npos);
  CHECK(text.find("int x = *p;") == std::string::npos);

  const std::string listing = cli::profile_text(launch, {cli::ProfileOrder::line, 0, true});
  CHECK(listing.find("ld.global") < listing.find("setp.eq"));
  CHECK_THAT(listing, Contains("int x = *p;"));
  const std::string first = cli::profile_text(launch, {cli::ProfileOrder::stalls, 1, false});
  CHECK(first.find("setp.eq") != std::string::npos);
  CHECK(first.find("ld.global") == std::string::npos);
}

TEST_CASE("long texts are truncated between characters") {
  ProfileRow row;
  row.executions = 1;
  row.text = "mov.u32 %r1, a_name_of_forty_character\u00e9\u00e9\u00e9\u00e9";
  const std::string text = cli::profile_text({"a", "k", {"k.ptx", 32, {}, {}, {row}}}, {});
  CHECK_THAT(text, Contains(" mov.u32 %r1, a_name_of_forty_character\u00e9..."));
}
