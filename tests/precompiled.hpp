// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Headers that nearly all tests include, compiled once for all of them. A source still includes what it uses, because
/// clang-tidy reads it without this header.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <systemc>
#include <vector>
