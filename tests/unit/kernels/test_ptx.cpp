#include <catch2/catch.hpp>
#include <filesystem>
#include <set>
#include <string>

#include "models/kernel/load_program.hpp"
#include "testbenches/kernels/twins.hpp"

namespace reconverge::kernels {

TEST_CASE("the front end takes every checked-in kernel, and each has a twin with the same parameters") {
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(RECONVERGE_SOURCE_DIR "/testbenches/kernels")) {
    if (entry.path().extension() != ".ptx") continue;
    for (const std::string& name : kernel::entries(entry.path())) {
      INFO(entry.path().filename() << ": " << name);
      found.insert(name);
      const kernel::Program program = kernel::load_program(entry.path(), name);
      CHECK_FALSE(program.instructions.empty());
      const auto parameters = twin(name).parameters();
      REQUIRE(program.parameters.size() == parameters.size());
      for (std::size_t i = 0; i < parameters.size(); ++i) {
        INFO("parameter " << i);
        CHECK(program.parameters[i].offset == parameters[i].offset);
        CHECK(program.parameters[i].bytes == parameters[i].bytes);
      }
    }
  }
  for (const Twin& t : twins()) CHECK(found.count(std::string(t.name())) == 1);
  CHECK(found.size() == twins().size());
}

}  // namespace reconverge::kernels
