// SPDX-License-Identifier: Apache-2.0
// A library whose plugin symbol is something else.

extern "C" const int reconverge_plugin;
const int reconverge_plugin = 7;
