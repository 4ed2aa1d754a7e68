# SPDX-License-Identifier: Apache-2.0
"""A kernel of PTX through PyCUDA: a buffer, an argument in and out, events, and an array of PyCUDA."""

import sys

import numpy
import pycuda.driver as driver
import pycuda.gpuarray as gpuarray

driver.init()
context = driver.Device(0).make_context()
try:
    twice = driver.module_from_file(sys.argv[1]).get_function("twice")
    given = numpy.random.RandomState(1).rand(1000).astype(numpy.float32)
    shape = {"block": (128, 1, 1), "grid": (8, 1)}

    memory = driver.mem_alloc(given.nbytes)
    driver.memcpy_htod(memory, given)
    start, end = driver.Event(), driver.Event()
    start.record()
    twice(memory, numpy.int32(given.size), **shape)
    end.record()
    end.synchronize()
    got = numpy.empty_like(given)
    driver.memcpy_dtoh(got, memory)
    right = (got == 2 * given).all() and start.time_till(end) > 0

    changed = given.copy()
    twice(driver.InOut(changed), numpy.int32(given.size), **shape)
    right = right and (changed == 2 * given).all()

    array = gpuarray.to_gpu(given)
    twice(array, numpy.int32(given.size), **shape)
    right = right and (array.get() == 2 * given).all()
finally:
    context.pop()
print("PASSED" if right else "FAILED")
