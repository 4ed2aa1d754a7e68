// SPDX-License-Identifier: Apache-2.0
// Text that compilers write around the instructions: attributes, linkage, hints, debug sections. It does not change
// what a kernel does, and the parser reads the text after it.

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/kernel/decode/load_program.hpp"
#include "models/kernel/syntax/parser.hpp"

namespace reconverge::kernel {
namespace {

constexpr std::string_view text = R"(
.version 8.5
.target sm_90, texmode_independent, debug
.address_size 64
	.file	1 "a.cu", 1234, 5678
.extern .func  (.param .b32 func_retval0) vprintf
(
	.param .b64 vprintf_param_0,
	.param .b64 vprintf_param_1
)
;
.extern .func stop () .noreturn;
.common .global .align 4 .u32 tentative;
.visible .global .attribute(.managed) .align 4 .u32 managed = 7;
.global .attribute(.unified(19,95)) .f32 unified;
.weak .global .align 4 .u32 weak = 3;
.global .align 1 .b8 shorter[4] = {104, 105, 10};
.global .align 1 .b8 rows[2][3] = {{1, 2, 3}, {4, 5}};
.const .f32 numbers[3] = {0f3F800000, 1.5, 2.0};
.visible .entry k(
	.param .u64 .ptr .global .align 4 k_param_0,
	.param .u64 .ptr .align 1 k_param_1,
	.param .align 8 .b8 k_param_2[24]
)
.maxntid 128, 1, 1
.minnctapersm 2
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<3>;
	.loc 1 20 3
	.loc 1 10 2, function_name $L__info_string0, inlined_at 1 20 3
	.pragma "nounroll";
$L__func_begin0:
$L__BB0_0:
	ld.param.u64 %rd1, [k_param_0];
	{ // hides a name of the outer scope
	.reg .b32 %r<2>;
	mov.u32 %r1, 5;
	}
	ld.global.u32 %r1, [managed];
	st.global.u32 [%rd1], %r1;
	bra.uni $L__BB0_1;
$L__BB0_1:
	ret;
$L__tmp1:
$L__func_end0:
}
	.section	.debug_str
	{
$L__info_string0:
.b8 95
.b8 90,78,0
	}
	.section	.debug_loc { .b64 $L__tmp1-$L__func_begin0
.b32 .debug_abbrev
.b32 $L__info_string0+4
.b8 255, 255
	}
	.section	.nv_debug_info_reg_type { .b8 1 }
.global .u32 last;
)";

}  // namespace

TEST_CASE("directives that compilers write around instructions are accepted") {
  const Program program = load_program_text(text, "module.ptx", "k");
  CHECK(program.instructions.size() == 6);
  REQUIRE(program.globals.size() == 1);
  CHECK(program.globals.front().name == "managed");
  CHECK(program.globals.front().initial == std::vector<std::uint8_t>{7, 0, 0, 0});
  REQUIRE(program.parameters.size() == 3);
  CHECK(program.parameters[2].bytes == 24);

  const Module parsed = parse_module(std::string(text), "module.ptx");
  std::vector<std::string_view> names;
  for (const VariableDeclaration& variable : parsed.variables) names.push_back(variable.name);
  CHECK(names ==
        std::vector<std::string_view>{"tentative", "managed", "unified", "weak", "shorter", "rows", "numbers", "last"});
  CHECK(parsed.variables[5].elements == 6);
}

TEST_CASE("an alias is another name of a function") {
  const std::string_view functions = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .func twice(.reg .u32 x) { ret; }
.visible .func other(.reg .u32 x);
)";
  const std::string_view entry = ".entry k() { call other, (5); ret; }\n";
  const auto load = [&](std::string_view alias) {
    return load_program_text(std::string(functions) + std::string(alias) + std::string(entry), "module.ptx", "k");
  };
  const Program program = load(".alias other, twice;\n");
  REQUIRE(program.functions.size() == 2);
  CHECK(program.functions[1].name == "twice");
  CHECK_THROWS_WITH(load(".alias other, missing;\n"),
                    Catch::Contains("module.ptx:7:8") && Catch::Contains("'missing', which is no function"));
  CHECK_THROWS_WITH(load(".alias other twice;\n"), Catch::Contains("module.ptx:7:"));
}

TEST_CASE("a module is parsed once for all of its kernels") {
  // Parsing the module for each kernel would read 1.4 * 10^8 lines.
  constexpr unsigned kernels = 6000;
  std::string module_text = ".version 7.0\n.target sm_75\n.address_size 64\n";
  for (unsigned i = 0; i < kernels; ++i)
    module_text.append(".entry k").append(std::to_string(i)).append("(.param .u32 p)\n{\nret;\n}\n");
  const KernelModule module(module_text, "module.ptx");
  const std::vector<std::string> names = module.entries();
  REQUIRE(names.size() == kernels);
  std::size_t instructions = 0;
  for (const std::string& name : names) instructions += module.load(name).instructions.size();
  CHECK(instructions == kernels);
  CHECK(module.load("k17").name == "k17");
  CHECK_THROWS_WITH(module.load("k"), Catch::Contains("no kernel 'k' in the module"));
  CHECK_THROWS_WITH(module.load(""), Catch::Contains("more than one kernel"));
}

}  // namespace reconverge::kernel
