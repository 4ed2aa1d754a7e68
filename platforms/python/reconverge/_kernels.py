# SPDX-License-Identifier: Apache-2.0
"""Kernels, devices and arrays on devices."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Union

import numpy

from . import _reconverge
from ._errors import InputError
from ._settings import text_of_value

Extent = Union[int, Sequence[int]]
Settings = Mapping[str, Any]
ProgressFunction = Callable[[_reconverge.Progress], object]


def _extent(what: str, value: Extent) -> tuple[int, int, int]:
    """Three sizes from one to three."""
    given = tuple(value) if isinstance(value, (tuple, list)) else (value,)
    try:
        sizes = [size.__index__() for size in given]
    except AttributeError:
        raise InputError(f"{what} {value!r} has a part that is no int; write 4, or (4, 2)") from None
    if not 1 <= len(sizes) <= 3 or not all(0 < size < 2**32 for size in sizes):
        raise InputError(f"{what} {value!r} is not one to three numbers from 1 to 2^32 - 1; write 4, or (4, 2)")
    return tuple(sizes + [1] * (3 - len(sizes)))  # type: ignore[return-value]


class LaunchResult(Mapping[str, float]):
    """The figures of a launch, as items and as attributes: ``result["cycles"]``, ``result.cycles``.

    Their names and units are those of reports (``reconverge list figures``). ``ipc`` is ``thread_ipc``. The functional
    machine has only ``warp_instructions``, ``thread_instructions`` and ``simd_efficiency``.

    printed: what the kernel has printed
    counters: all counters of a machine with timing, by the path of their block
    """

    def __init__(self, figures: dict[str, float], counters: str, printed: str) -> None:
        self._figures = figures
        self._counters = counters
        self.printed = printed

    @property
    def counters(self) -> dict[str, Any]:
        return json.loads(self._counters)

    def __getattr__(self, name: str) -> float:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._figures["thread_ipc" if name == "ipc" else name]
        except KeyError:
            known = ", ".join(self._figures)
            raise AttributeError(f"the machine has no figure '{name}'; figures: {known}") from None

    def __getitem__(self, name: str) -> float:
        return self._figures[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._figures)

    def __len__(self) -> int:
        return len(self._figures)

    def __repr__(self) -> str:
        shown = [name for name in ("cycles", "thread_ipc", "warp_instructions", "simd_efficiency") if name in self]
        return f"LaunchResult({', '.join(f'{name}={self[name]:.6g}' for name in shown)})"


class DeviceArray:
    """An array on a device; it is freed with this object. Made by ``Device.array``, ``zeros`` and ``variable``."""

    def __init__(self, buffer: _reconverge.DeviceBuffer, shape: tuple[int, ...], dtype: numpy.dtype[Any]) -> None:
        self._buffer = buffer
        self.shape = shape
        self.dtype = dtype

    @property
    def address(self) -> int:
        """Its address on the device, which may be an argument, too."""
        return self._buffer.address

    @property
    def nbytes(self) -> int:
        return self._buffer.bytes

    def get(self) -> numpy.ndarray[Any, Any]:
        """A copy on the host."""
        values = numpy.empty(self.shape, self.dtype)
        self._buffer.read(values)
        return values

    def set(self, values: Any) -> None:
        """Copies values of the same shape to the device."""
        array = numpy.asarray(values, self.dtype, order="C")
        if array.shape != self.shape:
            raise InputError(f"the values have the shape {array.shape}, the device's array has {self.shape}")
        self._buffer.write(array)

    def __array__(self, dtype: Any = None) -> numpy.ndarray[Any, Any]:
        return self.get() if dtype is None else self.get().astype(dtype)

    def __repr__(self) -> str:
        return f"DeviceArray({self.shape}, {self.dtype}, at {self.address:#x})"


class Device:
    """A machine with a memory that stays from launch to launch, and with caches that stay warm.

    machine: ``"functional"``, which is fast and has no cycles, or ``"timed"``; others as in experiments
    platform: a YAML file with ``gpu:``, or the name of a shipped platform
    set: parameters with other values: ``{"gpu.sms": 4, "gpu.sm.scheme": "mimd"}``
    threads: of the host, for the timed machine; results do not depend on it

    A launch that fails or is stopped is the device's last one; its arrays can still be read. Raises InputError.
    """

    def __init__(self, machine: str = "functional", platform: str | os.PathLike[str] = "gtx780", *,
                 set: Settings | None = None, threads: int = 1) -> None:
        settings = [f"{path}={text_of_value(value)}" for path, value in (set or {}).items()]
        self._device = _reconverge.Device(machine, os.fspath(platform), settings, threads)

    @property
    def timed(self) -> bool:
        return self._device.timed

    def array(self, values: Any, dtype: Any = None, name: str = "array") -> DeviceArray:
        """A copy of the values on the device. ``name`` is for messages."""
        array = numpy.array(values, dtype, order="C")
        made = self.zeros(array.shape, array.dtype, name)
        made.set(array)
        return made

    def zeros(self, shape: int | tuple[int, ...], dtype: Any = numpy.float32, name: str = "array") -> DeviceArray:
        extents = (shape,) if isinstance(shape, int) else tuple(shape)
        kind = numpy.dtype(dtype)
        if kind.hasobject:
            raise InputError(f"a device has no elements of {kind}; use numbers or records")
        bytes_needed = kind.itemsize
        for extent in extents:
            bytes_needed *= extent
        return DeviceArray(self._device.allocate(name, bytes_needed), extents, kind)

    def variable(self, kernel: Kernel | Module, name: str, dtype: Any) -> DeviceArray:
        """A ``__device__`` or ``__constant__`` variable of the kernel's module, as a row of ``dtype``.

        It has the value that the module gives it, or what launches and ``set`` have written.
        """
        module = kernel.module if isinstance(kernel, Kernel) else kernel
        kind = numpy.dtype(dtype)
        buffer = self._device.variable(module, name)
        if buffer.bytes % kind.itemsize:
            raise InputError(f"variable '{name}' has {buffer.bytes} bytes, no whole number of elements of {kind}")
        return DeviceArray(buffer, (buffer.bytes // kind.itemsize,), kind)


class Module(_reconverge.Module):
    """A module of PTX, or of CUDA C++ that clang or nvcc compiles.

    text: the source
    name: of the text in messages
    language: ``"ptx"``, ``"cuda"``, or ``"automatic"``: PTX if the first directive is ``.version``
    level: optimisation of CUDA C++, 0 to 3
    include, define: folders with headers, and macros (``NAME`` or ``NAME=VALUE``)

    Raises InputError with file, line and column; its hint has all messages of the compiler.
    """

    def __init__(self, text: str, name: str = "", *, language: str = "automatic", level: int = 2,
                 include: Sequence[str | os.PathLike[str]] = (), define: Sequence[str] = ()) -> None:
        folders = [os.fspath(folder) for folder in include]
        super().__init__(text, name, language, str(level), (folders, list(define)))


class Kernel:
    """A kernel that is called like a function: ``Kernel(ptx)[grid, block](a, b, n)``.

    text: PTX or CUDA C++, or a Module
    name: the kernel; not needed if the module has only one
    machine, platform, set, threads: as for Device; each call then has a new device, with empty caches
    device: a Device on which all calls run, instead of these
    cooperative: all blocks are resident together and may wait for each other
    language, level, include, define, source: as for Module, whose name is ``source``

    Raises InputError with file, line and column.
    """

    def __init__(self, text: str | Module, name: str | None = None, *, machine: str = "functional",
                 platform: str | os.PathLike[str] = "gtx780", set: Settings | None = None, threads: int = 1,
                 device: Device | None = None, cooperative: bool = False, source: str = "", **compiling: Any) -> None:
        if isinstance(text, Module) and (source or compiling):
            raise InputError("the kernel's text is a Module, which was compiled already; give these options to it")
        self.module = text if isinstance(text, Module) else Module(text, source, **compiling)
        self.device = device
        self.cooperative = cooperative
        self._kernel = self.module.load(name or "")
        self._settings: dict[str, Any] = {"machine": machine, "platform": platform, "set": set, "threads": threads}

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], name: str | None = None, **options: Any) -> Kernel:
        """The same from a file; ``.cu`` is CUDA C++. Its folder is one of ``include``."""
        file = os.fspath(path)
        with open(file, encoding="utf-8") as opened:
            text = opened.read()
        if file.endswith(".cu"):
            options.setdefault("language", "cuda")
            options["include"] = [*options.get("include", ()), os.path.dirname(file) or "."]
        return cls(text, name, source=file, **options)

    @property
    def name(self) -> str:
        return self._kernel.name

    @property
    def parameters(self) -> list[tuple[str, str, int]]:
        """Name, PTX type and bytes of each."""
        return self._kernel.parameters

    @property
    def registers(self) -> int:
        """Of 32 bits, of a thread."""
        return self._kernel.registers

    @property
    def shared_bytes(self) -> int:
        """Static shared memory of a block."""
        return self._kernel.shared_bytes

    @property
    def warnings(self) -> list[str]:
        """What may behave differently from its author's intention, with file and line."""
        return self._kernel.warnings

    def __getitem__(self, shape: tuple[Any, ...]) -> Launch:
        """``kernel[grid, block]``, or ``kernel[grid, block, bytes of dynamic shared memory]``."""
        if not isinstance(shape, tuple) or len(shape) not in (2, 3):
            raise InputError(f"kernel '{self.name}': write kernel[grid, block], such as [4, 256] or [(4, 2), (16, 16)]")
        return Launch(self, *shape)

    def __repr__(self) -> str:
        return f"Kernel({self.name}({', '.join(f'.{kind} {name}' for name, kind, _ in self.parameters)}))"


class Launch:
    """A kernel with grid and block; calling it runs it."""

    def __init__(self, kernel: Kernel, grid: Extent, block: Extent, dynamic_shared: int = 0) -> None:
        self.kernel = kernel
        self.grid = _extent("grid", grid)
        self.block = _extent("block", block)
        self.dynamic_shared = dynamic_shared
        self._shape = _reconverge.LaunchShape(self.grid, self.block, dynamic_shared, kernel.cooperative)

    def __call__(self, *arguments: Any, progress: ProgressFunction | None = None) -> LaunchResult:
        """Runs the kernel to its end.

        arguments: one for each parameter, in order: NumPy arrays and DeviceArrays for addresses, numbers within the
            range of the parameter's PTX type, and bytes or records of NumPy for structs. NumPy arrays are copied to the
            device and, unless they are read-only, back after the launch.
        progress: called with a Progress at the begin and at most ten times a second; False stops the launch

        Raises InputError for arguments that do not fit and for launches that cannot start, ExecutionError if the kernel
        fails, Interrupted if ``progress`` returns False, and what ``progress`` raises. Arrays are then unchanged.
        Ctrl-C raises KeyboardInterrupt.
        """
        device = self.kernel.device or Device(**self.kernel._settings)
        values = tuple(value._buffer if isinstance(value, DeviceArray) else value for value in arguments)
        return LaunchResult(*device._device.launch(self.kernel._kernel, self._shape, values, progress))
