// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Converts one function of a module to operations.

#include <span>
#include <vector>

#include "models/kernel/decode/call_lowering.hpp"
#include "models/kernel/decode/matcher.hpp"
#include "models/kernel/decode/operand_binder.hpp"
#include "models/kernel/decode/stack_frames.hpp"
#include "models/kernel/extension.hpp"

namespace reconverge::kernel {

/// A direct call; its target is known after all functions have been decoded.
struct CallSite {
  Pc pc = 0;
  const Function* callee = nullptr;
};

/// State that the functions of a program share during decoding.
struct DecoderState {
  const Module& module;
  const ModuleSymbols& symbols;
  std::span<const ExtensionInstruction> extensions;
  const Matcher& matcher;
  Draft& draft;
  ConstantPool& constants;
  FunctionQueue& functions;
  std::vector<CallSite>& calls;
};

/// Appends `function` to the draft. Throws InputError for unsupported PTX.
FrameSize decode_function(const Function& function, const DecoderState& shared);

}  // namespace reconverge::kernel
