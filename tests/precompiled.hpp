#pragma once
/// What nearly all tests include, compiled once for all of them. A source names what it uses all the same: clang-tidy
/// reads it without this.

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
