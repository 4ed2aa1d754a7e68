// SPDX-License-Identifier: Apache-2.0
#include "platforms/embedding/host_failure.hpp"

#include <fmt/format.h>

#include <exception>
#include <new>
#include <regex>

#include "models/core/host_error.hpp"
#include "platforms/embedding/kernel_source.hpp"
#include "platforms/report/output_error.hpp"

namespace reconverge::embedding {

namespace {

/// The first `FILE:LINE` of the message: that of the instruction that failed.
SourceLocation place_in(const std::string& message) {
  static const std::regex place("(^|[ (])([^ ():]+):([0-9]+)");
  std::smatch found;
  if (!std::regex_search(message, found, place)) return {};
  return {found[2].str(), static_cast<std::uint32_t>(std::stoul(found[3].str())), 0};
}

}  // namespace

HostFailure failure_of_current_exception() {
  using Kind = HostFailure::Kind;
  try {
    throw;
  } catch (const InputError& error) {
    return {Kind::input, error.what(), error.location(), error.hint()};
  } catch (const ExecutionError& error) {
    return {Kind::execution, error.what(), place_in(error.what()), {}};
  } catch (const report::OutputError& error) {
    return {Kind::output, error.what(), {}, {}};
  } catch (const ForeignFailure& failed) {
    return failed.failure();
  } catch (const Interrupted& error) {
    return {Kind::interrupted, error.what(), {}, {}};
  } catch (const std::bad_alloc&) {
    return {Kind::internal, "there is not enough memory for this; make the workload smaller", {}, {}};
  } catch (const HostError& error) {
    return {Kind::internal, error.what(), {}, {}};
  } catch (const std::exception& error) {
    return {Kind::internal, fmt::format("internal error: {}", error.what()), {}, {}};
  } catch (...) {
    return {Kind::internal, "internal error: an exception without a text", {}, {}};
  }
}

}  // namespace reconverge::embedding
