# SPDX-License-Identifier: Apache-2.0
"""Kernels from strings with NumPy arrays, against NumPy."""

import pickle
import shutil
import tempfile
import pathlib
import unittest

import numpy as np
import reconverge
from kernels import ARGUMENTS, BLOCK_SUM, CUDA, PRINTING, SAXPY, TREE, VARIABLES, line_of

CLANG = shutil.which("clang-14")


class Results(unittest.TestCase):
    def setUp(self):
        self.random = np.random.default_rng(7)

    def test_saxpy(self):
        x = self.random.random(1000, dtype=np.float32)
        y = self.random.random(1000, dtype=np.float32)
        # The kernel fuses: one rounding, which double precision and a rounding match but for ties of two roundings.
        expected = (np.float64(2.5) * x + y).astype(np.float32)
        result = reconverge.Kernel(SAXPY)[4, 256](2.5, x, y, 1000)
        np.testing.assert_array_max_ulp(y, expected, 1)
        self.assertGreater(result.warp_instructions, 32 * 10)
        self.assertEqual(result["warp_instructions"], result.warp_instructions)
        self.assertGreater(result.simd_efficiency, 0.9)
        with self.assertRaisesRegex(AttributeError, "no figure 'cycles'.*warp_instructions"):
            result.cycles

    def test_timed_equals_functional(self):
        values = self.random.integers(0, 1000, 5000, dtype=np.uint32)
        sums = {}
        for machine in ("functional", "timed"):
            sums[machine] = np.zeros(20, np.uint32)
            result = reconverge.Kernel(BLOCK_SUM, machine=machine)[20, 256](values, sums[machine], len(values))
        expected = np.add.reduceat(values, range(0, 5000, 256))
        np.testing.assert_array_equal(sums["functional"], expected)
        np.testing.assert_array_equal(sums["timed"], expected)
        self.assertGreater(result.cycles, 100)
        self.assertGreater(result.ipc, 0)
        self.assertEqual(result.ipc, result["thread_ipc"])
        self.assertGreater(result.counters["gpu"]["cycles"], 100)

    def test_calls_in_one_process_do_not_depend_on_each_other(self):
        kernel = reconverge.Kernel(BLOCK_SUM, machine="timed", set={"gpu.sms": 2})
        values = np.arange(2000, dtype=np.uint32)
        cycles = {kernel[8, 256](values, np.zeros(8, np.uint32), 2000).cycles for _ in range(3)}
        self.assertEqual(len(cycles), 1)

    def test_settings_change_the_machine(self):
        values = np.arange(20000, dtype=np.uint32)
        cycles = {}
        for sms in (1, 8):
            kernel = reconverge.Kernel(BLOCK_SUM, machine="timed", set={"gpu.sms": sms})
            cycles[sms] = kernel[79, 256](values, np.zeros(79, np.uint32), 20000).cycles
        self.assertLess(cycles[8] * 2, cycles[1])

    def test_several_dimensions_and_read_only_arrays(self):
        x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
        x.flags.writeable = False
        y = np.ones((2, 3, 4), np.float32)
        reconverge.Kernel(SAXPY)[(1,), (8, 4)](3, x, y, 24)  # 32 threads, but tid.x is below 8
        np.testing.assert_array_equal(y.ravel()[:8], 3 * x.ravel()[:8] + 1)
        np.testing.assert_array_equal(y.ravel()[8:], 1)
        y.flags.writeable = False
        before = y.copy()
        reconverge.Kernel(SAXPY)[1, 32](3, x, y, 24)
        np.testing.assert_array_equal(y, before)
        np.testing.assert_array_equal(x.ravel(), np.arange(24))

    def test_an_array_that_is_passed_twice_is_one_buffer(self):
        x = np.arange(10, dtype=np.float32)
        reconverge.Kernel(SAXPY)[1, 32](2, x, x, 10)
        np.testing.assert_array_equal(x, 3 * np.arange(10))

    def test_every_type_of_argument(self):
        record = np.array([(-5, 0.25)], np.dtype([("a", "i4"), ("b", "f8")], align=True))
        for struct in (record[0], record[0].tobytes(), record):
            out = np.zeros(7, np.int64)
            reconverge.Kernel(ARGUMENTS)[1, 1](out, np.int8(-7), True, 2**64 - 1, np.float64(0.1), 1, struct)
            self.assertEqual(out[:3].tolist(), [-7, 1, -1])
            self.assertEqual(out[3:5].view(np.float64).tolist(), [float(np.float32(0.1)), 1.0])
            self.assertEqual((out[5], out[6:].view(np.float64)[0]), (-5, 0.25))

    @unittest.skipUnless(CLANG, "clang-14 is not installed")
    def test_cuda(self):
        values = self.random.integers(0, 256, 3000, dtype=np.uint8)
        bins = np.zeros(256, np.uint32)
        kernel = reconverge.Kernel(CUDA, define=["SCALE=2"])
        kernel[3, 128](values, bins, 3000)
        np.testing.assert_array_equal(bins, 2 * np.bincount(values, minlength=256))
        self.assertIn("histogram", kernel.module.ptx)
        self.assertEqual(kernel.name, "histogram")

    @unittest.skipUnless(CLANG, "clang-14 is not installed")
    def test_output_of_kernels(self):
        result = reconverge.Kernel(PRINTING)[1, 3](8)
        self.assertEqual(sorted(result.printed.splitlines()), [f"thread {i} of 8" for i in range(3)])

    def test_a_kernel_of_a_file(self):
        kernel = reconverge.Kernel.from_file(TREE / "platforms/kernels/saxpy.ptx")
        self.assertEqual([kind for _, kind, _ in kernel.parameters], ["f32", "u64", "u64", "u32"])
        self.assertIn("saxpy(.f32 saxpy_param_0", repr(kernel))


class Devices(unittest.TestCase):
    def test_arrays_and_variables_stay_on_a_device(self):
        device = reconverge.Device()
        kernel = reconverge.Kernel(VARIABLES, device=device)
        launches = device.variable(kernel, "launches", np.uint32)
        self.assertEqual(launches.get().tolist(), [5])
        device.variable(kernel, "step", np.uint32).set([10])
        kernel[1, 1]()
        kernel[1, 1]()
        self.assertEqual(launches.get().tolist(), [25])
        with self.assertRaisesRegex(reconverge.InputError, "launches"):
            device.variable(kernel, "lunches", np.uint32)

        saxpy = reconverge.Kernel(SAXPY, device=device)
        x = device.array(np.arange(8), np.float32)
        y = device.zeros(8)
        saxpy[1, 32](1, x, y, 8)
        saxpy[1, 32](2, x, y, 8)
        np.testing.assert_array_equal(np.asarray(y), 3.0 * np.arange(8))
        with self.assertRaisesRegex(reconverge.InputError, "another device"):
            reconverge.Kernel(SAXPY)[1, 32](1, x, y, 8)

    def test_timed_devices_in_any_order(self):
        """Several at a time, used in turns, destroyed in the order of their construction."""
        def sums(devices):
            kernels = [reconverge.Kernel(BLOCK_SUM, device=device) for device in devices]
            values = np.arange(3000, dtype=np.uint32)
            cycles = [[] for _ in kernels]
            for _ in range(2):
                for kernel, own in zip(kernels, cycles):
                    result = np.zeros(12, np.uint32)
                    own.append(kernel[12, 256](values, result, 3000).cycles)
                    np.testing.assert_array_equal(result, np.add.reduceat(values, range(0, 3000, 256)))
            return cycles

        settings = [{"gpu.sms": 1}, {"gpu.sms": 4, "gpu.sm.scheme": "mimd"}]
        together = [reconverge.Device("timed", set=each) for each in settings]
        expected = [sums([reconverge.Device("timed", set=each)])[0] for each in settings]
        self.assertEqual(sums(together), expected)
        del together[0]
        self.assertEqual(len(sums(together)), 1)

    def test_a_device_ends_with_a_failed_launch(self):
        device = reconverge.Device("timed")
        x = device.array([1.0], np.float32)
        kernel = reconverge.Kernel(SAXPY, device=device)
        with self.assertRaises(reconverge.ExecutionError):
            kernel[1, 32](1, x, x, 8)
        self.assertEqual(x.get().shape, (1,))
        with self.assertRaisesRegex(reconverge.InputError, "make a new device"):
            kernel[1, 32](1, x, x, 1)
        self.assertGreater(reconverge.Kernel(SAXPY, machine="timed")[1, 32](1, np.ones(1, "f"), np.ones(1, "f"), 1).cycles, 0)


class Errors(unittest.TestCase):
    def refused(self, pattern, *arguments, text=SAXPY, shape=(1, 32)):
        with self.assertRaisesRegex(reconverge.InputError, pattern) as caught:
            reconverge.Kernel(text)[shape](*arguments)
        return caught.exception

    def test_out_of_bounds(self):
        x = np.ones(8, np.float32)
        y = np.ones(8, np.float32)
        for machine in ("functional", "timed"):
            with self.assertRaises(reconverge.ExecutionError) as caught:
                reconverge.Kernel(SAXPY, machine=machine, source="saxpy.ptx")[1, 32](2, x, y, 9)
            self.assertEqual(caught.exception.file, "saxpy.ptx")
            self.assertEqual(caught.exception.line, line_of(SAXPY, "ld.global.f32"))
            np.testing.assert_array_equal(y, 1)
        self.assertIsInstance(caught.exception, reconverge.Error)

    def test_text_that_is_no_kernel(self):
        broken = SAXPY.replace("fma.rn.f32", "fmq.rn.f32")
        with self.assertRaises(reconverge.InputError) as caught:
            reconverge.Kernel(broken, source="broken.ptx")
        self.assertEqual((caught.exception.file, caught.exception.line), ("broken.ptx", line_of(broken, "fmq")))
        self.assertIn("broken.ptx:", str(caught.exception))
        with self.assertRaisesRegex(reconverge.InputError, "saxpy"):
            reconverge.Kernel(SAXPY, "saxpi")
        copy = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((copy.message, copy.line), (caught.exception.message, caught.exception.line))

    @unittest.skipUnless(CLANG, "clang-14 is not installed")
    def test_cuda_that_does_not_compile(self):
        with self.assertRaises(reconverge.InputError) as caught:
            reconverge.Kernel('__global__ void f(int* p) {\n  *p = q;\n}\n', source="wrong.cu")
        error = caught.exception
        self.assertEqual((error.file, error.line, error.column), ("wrong.cu", 2, 8))
        self.assertEqual(error.problem, "use of undeclared identifier 'q'")
        self.assertIn("wrong.cu:2:8: error:", error.hint)

    def test_arguments(self):
        x = np.ones(32, np.float32)
        self.refused(r"kernel 'saxpy' takes 4 arguments, 3 given.*saxpy_param_3", 1, x, x)
        self.refused(r"kernel 'saxpy', argument 4, saxpy_param_3 \(.u32.*range", 1, x, x, 2**32)
        self.refused(r"argument 4.*float", 1, x, x, 32.0)
        self.refused(r"argument 4.*an array is passed by its address", 1, x, x, x)
        self.refused(r"argument 1.*1e\+39 is out of range of f32", 1e39, x, x, 32)
        self.refused(r"argument 1.*str is neither", "1", x, x, 32)
        self.refused(r"argument 2.*not C-contiguous.*ascontiguousarray", 1, x[::2], x, 16)
        self.refused(r"argument 2.*big endian", 1, x.astype(">f4"), x, 16)
        self.refused(r"argument 2.*elements of object", 1, np.array([None]), x, 1)
        self.refused(r"argument 3.*overlaps", 1, x[:20], x[10:30], 20)
        self.refused(r"argument 7, s.*12 bytes are given.*has 16", x, 1, 1, 1, 1, 1, b"123456789012", text=ARGUMENTS)
        self.refused(r"argument 7, s.*int is no value of its 16 bytes", x, 1, 1, 1, 1, 1, 1, text=ARGUMENTS)
        self.refused(r"argument 2, i.*range", x, 2**31, 1, 1, 1, 1, b"", text=ARGUMENTS)
        np.testing.assert_array_equal(x, 1)

    def test_shapes(self):
        x = np.ones(32, np.float32)
        self.refused("block.*1 to 2", 1, x, x, 32, shape=(1, 0))
        self.refused("grid.*no int", 1, x, x, 32, shape=(1.5, 32))
        self.refused("1024", 1, x, x, 32, shape=(1, 2048))
        with self.assertRaisesRegex(reconverge.InputError, r"kernel\[grid, block\]"):
            reconverge.Kernel(SAXPY)[4]

    def test_devices(self):
        with self.assertRaisesRegex(reconverge.InputError, "gtx780"):
            reconverge.Device("timed", "gtx78")
        with self.assertRaisesRegex(reconverge.InputError, "functional"):
            reconverge.Device("functionl")
        with self.assertRaisesRegex(reconverge.InputError, "sms") as caught:
            reconverge.Device("timed", set={"gpu.smss": 3})
        self.assertNotIn("--", str(caught.exception))
        with tempfile.TemporaryDirectory() as folder:
            platform = pathlib.Path(folder) / "own.yaml"
            platform.write_text("gpu:\n  sms: many\n")
            with self.assertRaises(reconverge.InputError) as caught:
                reconverge.Device("timed", platform)
        self.assertEqual((caught.exception.file, caught.exception.line), (str(platform), 2))


if __name__ == "__main__":
    unittest.main()
