// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The parts of the extension module `reconverge._reconverge`.

#include <pybind11/pybind11.h>

namespace reconverge::python {

/// Exceptions of the library become those of reconverge/_errors.py.
void bind_errors();
void bind_kernels(pybind11::module_& module);
void bind_experiments(pybind11::module_& module);

}  // namespace reconverge::python
