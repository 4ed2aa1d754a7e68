// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/description/man_page.hpp"

#include <CLI/CLI.hpp>
#include <catch2/catch.hpp>

#include "tests/unit/platforms/cli/example_program.hpp"

using namespace reconverge::cli;
using Catch::Contains;
using Catch::StartsWith;

namespace {

std::vector<ManPage> pages_of_example() {
  const reconverge::tests::ExampleProgram program;
  return man_pages(describe(program.app), {"2026-11-30", "Sim 1.0"});
}

}  // namespace

TEST_CASE("each command has a man page, at any depth") {
  std::vector<std::string> files;
  for (const ManPage& page : pages_of_example()) files.push_back(page.file);
  CHECK(files ==
        std::vector<std::string>{"sim.1", "sim-run.1", "sim-list.1", "sim-list-scenes.1", "sim-exec.1", "sim-check.1"});
}

TEST_CASE("a man page has the sections of man-pages(7), with what help says") {
  const std::string run = pages_of_example()[1].text;
  CHECK_THAT(run, StartsWith(".TH SIM\\-RUN 1 2026-11-30 \"Sim 1.0\" \"User Commands\"\n"
                             ".SH NAME\nsim\\-run \\- run it, and write \\fBreport.json\\fR\n"
                             ".SH SYNOPSIS\n\\fBsim run\\fR [\\fIOPTIONS\\fR] \\fIFILE\\fR...\n"
                             ".SH DESCRIPTION\nRun it, and write \\fBreport.json\\fR.\n"
                             ".PP\nIt may take long.\n.PP\nCtrl\\-C stops it.\n"
                             ".SH ARGUMENTS\n.TP\n\\fIFILE\\fR\nExperiment files. Required.\n"
                             ".SH OPTIONS\n"));
  CHECK_THAT(run, Contains(".TP\n\\fB\\-O\\fR, \\fB\\-\\-optimise\\fR \\fILEVEL\\fR\n"
                           "Level. One of \\fB0\\fR, \\fB1\\fR, \\fBfast\\fR.\n"));
  CHECK_THAT(run, Contains("Runs at a time. From 1 to 256. Default: \\fB3\\fR.\n"));
  CHECK_THAT(run, Contains(".SH EXAMPLES\n.EX\nsim run a.yaml \\-\\-set \\(aqx=1\\(aq >\\(ti/log\n.EE\n"
                           ".SH EXIT STATUS\n0 success, 1 failure.\n"
                           ".SH SEE ALSO\n\\fBsim\\fR(1)\n"));
  CHECK_THAT(run, !Contains("secret"));
}

TEST_CASE("what begins with a dot is no request") {
  CLI::App app("Hide `.a` files", "hide");
  app.footer(".a files stay.\nExample:\n  .hide");
  const std::string page = man_pages(describe(app), {"2026-11-30", "Hide 1"}).front().text;
  CHECK_THAT(page, Contains("\n.PP\n\\&.a files stay.\n") && Contains("\n.EX\n\\&.hide\n.EE\n"));
}

TEST_CASE("the man page of a program lists its commands") {
  const auto pages = pages_of_example();
  CHECK_THAT(pages.front().text, Contains(".SH COMMANDS\n.TP\n\\fBsim\\-run\\fR(1)\nRun it") &&
                                     Contains("\\fBsim COMMAND \\-\\-help\\fR shows more.") && !Contains("internal"));
  CHECK_THAT(pages[3].text, Contains("Another name is \\fBsc\\fR.") &&
                                Contains(".SH SEE ALSO\n\\fBsim\\fR(1),\n\\fBsim\\-list\\fR(1)\n"));
}
