# SPDX-License-Identifier: Apache-2.0
"""Tests the reader of public suites, its arithmetic, and its judgement, on programs of our own: no suite is needed."""

import collections
import contextlib
import io
import math
import pathlib
import random
import struct
import sys
import tempfile
import unittest
import unittest.mock

import floats
import ptx_conversions
import ptx_floats
import ptx_integers
import ptx_tests
import suites
import zluda
from floats import DOWN, F16, F32, F64, NEAREST, UP, ZERO
from runner import Outcome
from rust_values import NotUnderstood, array

PROGRAM = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else None
PLATFORM = pathlib.Path(__file__).resolve().parents[2] / "yaml/platforms/turing.yaml"

MOD_RS = """
macro_rules! test_ptx { ($fn_name:ident, $input:expr, $output:expr) => { test_ptx_llvm!($fn_name); }; }
// test_ptx!(switched_off, [1u64], [2u64]);
test_ptx!(twice, [21u32, 0xFFFF_FFFFu32], [42u32, 4294967294]);
test_ptx!(
    wrong, // the program gives 42
    [21u32, 1], [42u32, 3u32]
);
test_ptx!(refused, [1u32], [1u32]);
test_ptx!(compiled);
test_ptx!(strange, [f(1)], [1u32]);
test_ptx_warp!(lanes, [0u8, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
    32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63]);
"""
TWICE = """.reg .b64 %a, %b; .reg .b32 %x, %y;
ld.param.u64 %a, [input]; ld.param.u64 %b, [output];
ld.global.v2.u32 {%x, %y}, [%a]; shl.b32 %x, %x, 1; shl.b32 %y, %y, 1; st.global.v2.u32 [%b], {%x, %y};"""
LANES = """.reg .b64 %a, %b; .reg .b32 %x;
ld.param.u64 %a, [output]; mov.u32 %x, %tid.x; cvt.u64.u32 %b, %x; add.u64 %a, %a, %b; st.global.u8 [%a], %x;"""
PROGRAMS = {"twice": TWICE, "wrong": TWICE, "refused": "no.such.instruction;", "compiled": "", "lanes": LANES}
ABS = """.reg .b32 %t; .reg .b64 %o; .reg .f32 %v;
mov.u32 %t, %ctaid.x; mad.lo.u32 %t, %t, 128, %tid.x;
mul.wide.u32 %o, %t, 4; add.u64 input_addr, input_addr, %o; add.u64 output_addr, output_addr, %o;
ld.f32 %v, [input_addr]; abs<FTZ>.f32 %v, %v; st.f32 [output_addr], %v;"""


def entry(name, body):
    parameters = ".param .u64 output" if name == "lanes" else ".param .u64 input, .param .u64 output"
    return f".version 7.8\n.target sm_70\n.address_size 64\n.visible .entry {name}({parameters})\n{{\n{body}\nret;\n}}\n"


class Literals(unittest.TestCase):
    def test_types_and_values(self):
        for text, kind, numbers in [
            ("[1u64]", "u64", [1]),
            ("[-1i32, 3, 4]", "i32", [-1, 3, 4]),
            ("[0xFFFF_FFFFu32, 0b101u32, u32::MAX]", "u32", [0xFFFFFFFF, 5, 0xFFFFFFFF]),
            ("[0x1b8]", "i32", [0x1B8]),
            ("[0xABu8, ]", "u8", [0xAB]),
            ("[i32::MIN, u64::max_value() as_not]", None, None),
            ("[u64::max_value()]", "u64", [(1 << 64) - 1]),
            ("[0.40625, 12.9f32]", "f32", [0.40625, 12.9]),
            ("[1.5]", "f64", [1.5]),
            ("[f32::from_bits(0x3f800000), 1e2, -2.0f32]", "f32", [1.0, 100.0, -2.0]),
            ("[std::f32::consts::PI / 2f32]", "f32", [math.pi / 2]),
            ("[half::f16::from_f32(-0.5), half::f16::NEG_INFINITY]", "f16", [-0.5, -math.inf]),
            ("[0u16, half::f16::NAN.to_bits()]", "u16", [0, 0x7E00]),
            ("[1u32, 1i32]", None, None),
            ("[0; 4]", None, None),
            ("[1 + 1]", None, None),
        ]:
            with self.subTest(text):
                if kind is None:
                    self.assertRaises(NotUnderstood, array, text)
                else:
                    self.assertEqual(array(text), (kind, numbers))

    def test_nan_has_the_bits_of_rust(self):
        self.assertEqual(array("[f32::NAN]").packed(), bytes.fromhex("0000c07f"))

    def test_macros(self):
        tests, unread = zluda.read(MOD_RS)
        self.assertEqual([test.name for test in tests], ["twice", "wrong", "refused", "compiled", "lanes"])
        self.assertEqual([name for name, _ in unread], ["strange"])
        self.assertEqual([test.threads for test in tests], [1, 1, 1, 0, 64])
        with_32 = zluda.read("test_ptx_with_32!(add, [1u64], [2u64]);")[0]
        self.assertEqual([test.program for test in with_32], ["add.ptx", "32/add.ptx"])


class Arithmetic(unittest.TestCase):
    def test_nearest_is_what_the_host_rounds_to(self):
        generator = random.Random(1)
        operations = [(floats.add, lambda a, b: a + b), (floats.subtract, lambda a, b: a - b), (floats.multiply, lambda a, b: a * b)]
        for _ in range(2000):
            a = generator.getrandbits(32)
            b = (a + generator.randrange(-1 << 26, 1 << 26)) & 0xFFFFFFFF
            if F32.is_nan(a) or F32.is_nan(b):
                continue
            x, y = F32.to_float(a), F32.to_float(b)
            for ours, theirs in operations:
                self.assertEqual(ours(F32, a, b, NEAREST), ptx_floats.nearest(theirs(x, y)), (ours, hex(a), hex(b)))
            if y:
                self.assertEqual(floats.divide(F32, a, b, NEAREST), ptx_floats.nearest(x / y))
            if x >= 0:
                self.assertEqual(floats.square_root(F32, a, NEAREST), ptx_floats.nearest(math.sqrt(x)))

    def test_directions(self):
        third = {NEAREST: 0x3EAAAAAB, ZERO: 0x3EAAAAAA, DOWN: 0x3EAAAAAA, UP: 0x3EAAAAAB}
        for mode, bits in third.items():
            self.assertEqual(floats.divide(F32, F32.one, 0x40400000, mode), bits)
        self.assertEqual(floats.add(F32, F32.one, 1, UP), F32.one + 1)  # a double would have lost the smallest subnormal
        self.assertEqual(floats.subtract(F32, F32.one, F32.one, DOWN), F32.sign_bit)
        self.assertEqual([floats.from_integer(F16, 65535, mode) for mode in (NEAREST, ZERO)], [0x7C00, 0x7BFF])
        self.assertEqual(floats.fused(F32, 0x3F800001, 0x3F800001, 0xBF800002, NEAREST), 0x28800000)
        self.assertEqual(floats.convert(F32, F64, 0x3F800000, NEAREST), F64.one)

    def test_flushed_subnormals(self):
        lowest, below_one = 0x00800000, 0x3F7FFFFF
        self.assertEqual(floats.multiply(F32, lowest, below_one, NEAREST), lowest)
        self.assertEqual(floats.multiply(F32, lowest, below_one, NEAREST, ftz=True), 0)
        self.assertEqual(floats.multiply(F32, 0x3F000001, 0x00FFFFFE, NEAREST, ftz=True), lowest)  # with 24 bits it is normal
        self.assertEqual(floats.divide(F32, F32.one | F32.sign_bit, 0x7E800001, DOWN, ftz=True), F32.sign_bit)
        self.assertEqual(floats.divide(F32, F32.one, 0x7E800000, DOWN, ftz=True), lowest)
        self.assertEqual(floats.multiply(F32, lowest, 0x3F000000, UP, ftz=True), 0)

    def test_eight_bits(self):
        e4m3, e5m2 = ptx_conversions.EIGHT_BITS
        word = struct.Struct("<f")
        of = [(e4m3, 0.40625, 0x2D), (e4m3, 12.9, 0x55), (e4m3, 1e9, 0x7E), (e5m2, 0.375, 0x36), (e5m2, -5256.6, 0xED), (e5m2, -1e9, 0xFB)]
        for form, value, bits in of:
            self.assertEqual(form.of_f32(int.from_bytes(word.pack(value), "little")), bits)

    def test_names_are_different(self):
        names = [test.name for part in (ptx_integers, ptx_floats, ptx_conversions) for tests in part.tests().values() for test in tests]
        self.assertEqual(len(names), len(set(names)))


class Counts(unittest.TestCase):
    def test_operands_fill_whole_blocks(self):
        test = ptx_integers.tests()["add"][0]
        for count in (1, 50, 128, 130):
            rows = test.operands(count)
            self.assertEqual(len(rows), -(-count // ptx_tests.BLOCK) * ptx_tests.BLOCK)
            self.assertEqual(rows[count:], [rows[index % count] for index in range(count, len(rows))])

    def test_a_failed_run_is_not_accepted(self):
        invalid = next(test for part in (ptx_integers, ptx_floats, ptx_conversions) for tests in part.tests().values() for test in tests if not test.valid)
        statuses = {"ran": "accepted, though no PTX", "refused": "refused as it should be", "failed": "failed"}
        for status, counted in statuses.items():
            runner = unittest.mock.Mock()
            runner.run.return_value = Outcome(status)
            results = list(suites.run_ptx_test(runner, pathlib.Path("."), invalid, collections.defaultdict(str), 128))
            self.assertEqual([result.status for result in results], [counted])

    def test_only_right_results_are_a_success(self):
        codes = {
            statuses: suites.exit_code([suites.Result("ZLUDA", "timed", "add", status, "") for status in statuses])
            for statuses in [("equal",), ("equal", "refused"), ("refused", "refused as it should be"), ("equal", "different"), ("equal", "failed")]
        }
        self.assertEqual(list(codes.values()), [0, 0, 1, 1, 1])

    def test_wrong_options_are_refused(self):
        for option, value in [("--cases", "0"), ("--jobs", "-1"), ("--only", "(")]:
            with self.subTest(option), contextlib.redirect_stderr(io.StringIO()) as printed:
                self.assertRaises(SystemExit, suites.main, ["--program", "p", "--platform", "p", "--build", "b", option, value])
                self.assertIn(option, printed.getvalue())


@unittest.skipUnless(PROGRAM, "no program given")
class Runs(unittest.TestCase):
    def run_suites(self, folder, *options):
        printed = io.StringIO()
        arguments = ["--program", PROGRAM, "--platform", PLATFORM, "--build", folder / "runs", *options]
        with contextlib.redirect_stdout(printed):
            status = suites.main([str(argument) for argument in arguments])
        return status, printed.getvalue()

    def test_zluda(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            programs = folder / zluda.FOLDER
            programs.mkdir(parents=True)
            (programs / "mod.rs").write_text(MOD_RS, encoding="utf-8")
            for kernel, body in PROGRAMS.items():
                (programs / f"{kernel}.ptx").write_text(entry(kernel, body), encoding="utf-8")
            status, printed = self.run_suites(folder, "--zluda", folder)
        self.assertEqual(status, 1)
        self.assertIn("ZLUDA: strange: not read: ", printed)
        self.assertIn("| suite | machine | tests | equal | accepted | different | refused | values compared |", printed)
        self.assertIn("| ZLUDA | functional | 4 | 2 | 0 | 1 | 1 | 68 |", printed)
        self.assertIn("| ZLUDA | timed | 3 | 2 | 0 | 1 | 0 | 68 |", printed)
        self.assertIn("1 of ZLUDA (wrong): 1 of 2 values, the first at 1: 2 (0x00000002), expected 3 (0x00000003)", printed)
        self.assertRegex(printed, r"1 of ZLUDA \(refused\): .*no\.such")

    def test_ptx_tests(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            templates = folder / "src/testcase"
            templates.mkdir(parents=True)
            (templates / "mod.rs").write_text("tests.extend(abs::all_tests()); tests.extend(later::all_tests());", encoding="utf-8")
            (templates / "abs.ptx").write_text(ABS, encoding="utf-8")
            status, printed = self.run_suites(folder, "--ptx-tests", folder, "--cases", "1024")
            (templates / "abs.ptx").write_text(ABS.replace("<FTZ>", ""), encoding="utf-8")
            status_without, without = self.run_suites(folder, "--ptx-tests", folder, "--cases", "1024")
            nothing, _ = self.run_suites(folder, "--ptx-tests", folder, "--only", "^later$")
        self.assertEqual(status, 0, printed)
        self.assertIn("ptx_tests: later: not translated to tests/suites", printed)
        self.assertIn("| ptx_tests | timed | 2 | 2 | 2,048 |", printed)
        self.assertEqual(status_without, 1)
        self.assertEqual(nothing, 2)
        self.assertIn("1 of ptx_tests (abs_ftz): ", without)


if __name__ == "__main__":
    unittest.main()
