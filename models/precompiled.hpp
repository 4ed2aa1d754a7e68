#pragma once
/// What most sources of the libraries include, compiled once for all of them. A source names what it uses all the same:
/// clang-tidy reads it without this.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <systemc>
#include <variant>
#include <vector>
