// SPDX-License-Identifier: Apache-2.0
// The entry of every test executable. SystemC's library refers to sc_main, which no test uses.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

extern "C" int sc_main(int /*argc*/, char** /*argv*/) { return 0; }
