// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A launch that has ended, as bytes: its results, and the pages of memory that it changed.

#include <string>

#include "platforms/checkpoint/page_digests.hpp"
#include "platforms/launch/session.hpp"

namespace reconverge {

/// `before`: of memory before the launch.
std::string record_of(launch::Session& session, const Launch& launch, launch::LaunchResult result,
                      const PageDigests& before);

/// Restores the launch instead of running it. Throws InputError if the record is of another launch.
launch::LaunchResult restore_launch(launch::Session& session, const Launch& launch, std::string record);

}  // namespace reconverge
