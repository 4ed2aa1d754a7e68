# SPDX-License-Identifier: Apache-2.0
"""Reconverge: kernels and experiments on simulated GPUs.

    saxpy = reconverge.Kernel(ptx)
    saxpy[4, 256](2.0, x, y, 1000)                      # x and y are NumPy arrays; y has the result
    reconverge.Kernel(ptx, machine="timed")[4, 256](2.0, x, y, 1000).cycles

    report = reconverge.Experiment("saxpy.yaml").run()

docs/python.md is the guide.
"""

from ._errors import Error, ExecutionError, InputError, Interrupted, OutputError
from ._experiments import Experiment, Report, Run
from ._frames import report_frame, sweep_frame
from ._kernels import Device, DeviceArray, Kernel, Launch, LaunchResult, Module
from ._reconverge import Progress
from ._reconverge import version as __version__
from ._settings import data_folder, load_plugin

__all__ = [
    "Device", "DeviceArray", "Error", "ExecutionError", "Experiment", "InputError", "Interrupted", "Kernel", "Launch",
    "LaunchResult", "Module", "OutputError", "Progress", "Report", "Run", "data_folder", "load_plugin", "report_frame", "sweep_frame",
    "__version__",
]
