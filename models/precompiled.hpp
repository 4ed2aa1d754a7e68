// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The headers that most sources of the libraries include, precompiled. Sources still include what they use, because
/// clang-tidy reads them without this header.

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
