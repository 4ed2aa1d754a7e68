// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/decode/instruction_table.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "models/kernel/decode/video.hpp"

namespace reconverge::kernel {

namespace {

using O = Opcode;
using C = OperationClass;

// The modifiers of most operations of Opcode::video.
constexpr std::string_view video_modifiers = "u32|s32 bits:0=u32|s32 bits:1=u32|s32 {sat} {bits:2=add|min|max}";
constexpr std::string_view video_parts = "u32|s32 bits:0=u32|s32 bits:1=u32|s32 {sat} {bits:2=add}";
constexpr std::string_view video_parts_set = "bits:0=u32|s32 bits:1=u32|s32 @cmp {bits:2=add}";
constexpr std::string_view video_shift =
    "u32|s32 bits:0=u32|s32 skip=u32 {sat} bits:13=clamp|wrap {bits:2=add|min|max}";

constexpr auto sets = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"int", "u16|u32|u64|s16|s32|s64"},
    {"signed", "s16|s32|s64"},
    {"unsigned", "u16|u32|u64"},
    {"bits", "b16|b32|b64"},
    {"any", "b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64"},
    {"integer", "u8|u16|u32|u64|s8|s16|s32|s64"},
    {"memory", "b8|b16|b32|b64|u8|u16|u32|u64|s8|s16|s32|s64|f16|f32|f64"},
    {"round", "rn|rz|rm|rp"},
    {"rounds", "rn|rz|rm|rp|rni|rzi|rmi|rpi"},
    {"cmp", "eq|ne|lt|le|gt|ge"},
    {"cmpu", "eq|ne|lt|le|gt|ge|lo|ls|hi|hs"},
    {"cmpf", "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan"},
    {"flag", "u32|s32|f32|f16|bf16"},
    {"logic", "bool=and|or|xor"},
    {"space", "global|shared|local|const|param|shared::cta|shared::cluster|param::entry"},
    {"window", "global|shared|local|const|param|shared::cta|shared::cluster|param::entry"},
    {"target", "global|shared|local|param|shared::cta|shared::cluster"},
    {"strong", "global|shared|shared::cta|shared::cluster"},
    {"block", "shared|shared::cta|shared::cluster"},
    {"layout", "skip=row|col"},
    {"tile", "skip=m16n16k16|m32n8k16|m8n32k16"},
    {"bytes", "skip=u8|s8"},
    {"nibbles", "skip=u4|s4"},
    {"fp8", "skip=e4m3|e5m2"},
    {"chain", "u32|s32|u64|s64"},
    {"halves", "mode:1=u16x2|s16x2"},
    {"scope", "skip=cta|cluster|gpu|sys"},
    {"order", "skip=relaxed|acquire|release|acq_rel"},
    {"weaker", "skip=relaxed|release"},
    {"evict", "skip=L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate"},
    {"proxy", "skip=alias|async.global|async.shared::cta|async.shared::cluster|async"},
    {"hint", "skip=L2::cache_hint"},
    {"priority", "skip=L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged"},
    {"prefetch", "skip=L2::64B|L2::128B|L2::256B"},
});

constexpr auto rules = std::to_array<InstructionRule>({
    // data movement
    {"mov", "pred|@any", "=t t", O::mov, C::alu},
    {"selp", "@any", "=t t t p", O::selp, C::alu},
    {"slct", "{ftz} @any s32|f32", "=t t t s", O::slct, C::alu},
    {"cvta", "@window u32|u64", "=t t", O::cvta, C::alu},
    {"cvta", "mode:1=to @window u32|u64", "=t t", O::cvta, C::alu},
    {"ld", "{skip=weak} {@space} {cache=ca|cg|cs|lu|cv} {@hint} {@prefetch} {v2|v4} @memory", "=v mem policy?", O::ld,
     C::load},
    {"ld", "{skip=weak} {@space} @evict {@hint} {@prefetch} {v2|v4} @memory", "=v mem policy?", O::ld, C::load},
    {"ld", "cache=volatile {@strong} {@prefetch} {v2|v4} @memory", "=v mem", O::ld, C::load},
    {"ld", "cache=relaxed|acquire @scope {@strong} {@evict} {@hint} {@prefetch} {v2|v4} @memory", "=v mem policy?",
     O::ld, C::load},
    {"ld", "cache=mmio skip=relaxed skip=sys {global} @memory", "=v mem", O::ld, C::load},
    {"ld", "global {cache=ca|cg|cs} cache=nc {@hint} {@prefetch} {v2|v4} @memory", "=v mem policy?", O::ld, C::load},
    {"ld", "global cache=nc @evict {@hint} {@prefetch} {v2|v4} @memory", "=v mem policy?", O::ld, C::load},
    {"ldu", "{global} {v2|v4} @memory", "=v mem", O::ld, C::load},
    {"st", "{skip=weak} {@target} {cache=wb|cg|cs|wt} {@hint} {v2|v4} @memory", "mem v policy?", O::st, C::store},
    {"st", "{skip=weak} {@target} @evict {@hint} {v2|v4} @memory", "mem v policy?", O::st, C::store},
    {"st", "cache=volatile {@strong} {v2|v4} @memory", "mem v", O::st, C::store},
    {"st", "skip=relaxed|release @scope {@strong} {@evict} {@hint} {v2|v4} @memory", "mem v policy?", O::st, C::store},
    {"st", "skip=mmio skip=relaxed skip=sys {global} @memory", "mem v", O::st, C::store},
    {"isspacep", "@window", "=p b64", O::isspacep, C::alu},

    // asynchronous copies, executed synchronously: a load and a store
    {"cp", "skip=async cache=ca|cg skip=shared|shared::cta|shared::cluster skip=global {@hint} {@prefetch}",
     "mem mem # #? policy?", O::st, C::store},
    {"cp", "skip=async skip=commit_group|wait_all", "", O::nop, C::alu},
    {"cp", "skip=async skip=wait_group", "#", O::nop, C::alu},

    {"cp", "skip=async skip=mbarrier mode:2=arrive skip=noinc {@block} b64", "mem", O::mbarrier, C::atomic},
    {"cp", "skip=async skip=mbarrier skip=arrive {@block} b64", "mem", O::nop, C::alu},

    // bulk copies, executed synchronously: bulk_copy, and the operation that reports the bytes to an mbarrier
    {"cp",
     "skip=async skip=bulk skip=shared::cluster|shared::cta skip=global skip=mbarrier::complete_tx::bytes {@hint}",
     "mem mem u32 mem policy?", O::bulk_copy, C::load},
    {"cp", "skip=async skip=bulk skip=global skip=shared::cta skip=bulk_group {@hint}", "mem mem u32 policy?",
     O::bulk_copy, C::store, 1},
    {"cp", "skip=async skip=bulk skip=prefetch skip=L2 skip=global {@hint}", "mem ~u32 policy?", O::nop, C::alu},
    {"cp", "skip=async skip=bulk skip=commit_group", "", O::nop, C::alu},
    {"cp", "skip=async skip=bulk skip=wait_group {skip=read}", "#", O::nop, C::alu},

    // hints to caches and to the launch
    {"prefetch", "{global|local} skip=L1|L2|L2::evict_last|L2::evict_normal", "mem", O::nop, C::alu},
    {"prefetchu", "skip=L1", "mem", O::nop, C::alu},
    {"discard", "{global} skip=L2", "mem ~u32", O::nop, C::alu},
    {"applypriority", "{global} skip=L2::evict_normal", "mem ~u32", O::nop, C::alu},
    {"createpolicy", "skip=fractional @priority {skip=L2::evict_first|L2::evict_unchanged} b64", "=t ~f32?", O::nop,
     C::alu},
    {"createpolicy", "skip=range {global} @priority {skip=L2::evict_first|L2::evict_unchanged} b64", "=t mem ~u32 ~u32",
     O::nop, C::alu},
    {"createpolicy", "skip=cvt skip=L2 b64", "=t ~b64", O::nop, C::alu},
    {"nanosleep", "skip=u32", "~u32", O::nop, C::alu},
    {"pmevent", "{skip=mask}", "#", O::nop, C::alu},
    {"griddepcontrol", "skip=wait|launch_dependents", "", O::nop, C::alu},

    // integer arithmetic
    {"add", "{sat} s32", "=t t t", O::add, C::alu},
    {"add", "@int", "=t t t", O::add, C::alu},
    {"sub", "{sat} s32", "=t t t", O::sub, C::alu},
    {"sub", "@int", "=t t t", O::sub, C::alu},
    {"add", "@halves", "=b32 b32 b32", O::add, C::alu},
    {"add", "skip=cc @chain", "=t =cc t t", O::add, C::alu},
    {"addc", "@chain", "=t t t cc", O::add, C::alu},
    {"addc", "skip=cc @chain", "=t =cc t t cc", O::add, C::alu},
    {"sub", "skip=cc @chain", "=t =cc t t", O::sub, C::alu},
    {"subc", "@chain", "=t t t cc", O::sub, C::alu},
    {"subc", "skip=cc @chain", "=t =cc t t cc", O::sub, C::alu},
    {"mul", "half=lo|hi @int", "=t t t", O::mul, C::multiply},
    {"mul", "half=wide u16|u32|s16|s32", "=w t t", O::mul, C::multiply},
    {"mad", "half=lo|hi @int", "=t t t t", O::mad, C::multiply},
    {"mad", "half=hi sat s32", "=t t t t", O::mad, C::multiply},
    {"mad", "half=lo|hi skip=cc @chain", "=t =cc t t t", O::mad, C::multiply},
    {"madc", "half=lo|hi @chain", "=t t t t cc", O::mad, C::multiply},
    {"madc", "half=lo|hi skip=cc @chain", "=t =cc t t t cc", O::mad, C::multiply},
    {"mad", "half=wide u16|u32|s16|s32", "=w t t w", O::mad, C::multiply},
    {"mul24", "half=lo|hi u32|s32", "=t t t", O::mul24, C::multiply},
    {"mad24", "half=lo|hi u32|s32", "=t t t t", O::mad24, C::multiply},
    {"mad24", "half=hi sat s32", "=t t t t", O::mad24, C::multiply},
    {"dp4a", "u32|s32 u32|s32", "=b32 b32 b32 b32", O::dp4a, C::multiply},
    {"dp2a", "half=lo|hi u32|s32 u32|s32", "=b32 b32 b32 b32", O::dp2a, C::multiply},
    {"div", "@int", "=t t t", O::div, C::special},
    {"rem", "@int", "=t t t", O::rem, C::special},
    {"abs", "@signed", "=t t", O::abs, C::alu},
    {"neg", "@signed", "=t t", O::neg, C::alu},
    {"min", "@int", "=t t t", O::min, C::alu},
    {"max", "@int", "=t t t", O::max, C::alu},
    {"min", "@halves", "=b32 b32 b32", O::min, C::alu},
    {"max", "@halves", "=b32 b32 b32", O::max, C::alu},
    {"min", "mode:3=relu.s16x2", "=b32 b32 b32", O::min, C::alu},
    {"max", "mode:3=relu.s16x2", "=b32 b32 b32", O::max, C::alu},
    {"min", "mode:4=relu s32", "=t t t", O::min, C::alu},
    {"max", "mode:4=relu s32", "=t t t", O::max, C::alu},
    {"sad", "@int", "=t t t t", O::sad, C::alu},

    // logic and bits
    {"and", "pred|@bits", "=t t t", O::and_, C::alu},
    {"or", "pred|@bits", "=t t t", O::or_, C::alu},
    {"xor", "pred|@bits", "=t t t", O::xor_, C::alu},
    {"not", "pred|@bits", "=t t", O::not_, C::alu},
    {"cnot", "@bits", "=t t", O::cnot, C::alu},
    {"lop3", "b32", "=t t t t #", O::lop3, C::alu},
    {"lop3", "bool=or|and b32", "=t|p t t t # p", O::lop3, C::alu},
    {"shl", "@bits", "=t t u32", O::shl, C::multiply},
    {"shr", "b16|b32|b64|@int", "=t t u32", O::shr, C::multiply},
    {"shf", "mode=l.clamp|l.wrap|r.clamp|r.wrap b32", "=t t t u32", O::shf, C::multiply},
    {"popc", "b32|b64", "=u32 t", O::popc, C::multiply},
    {"clz", "b32|b64", "=u32 t", O::clz, C::multiply},
    {"brev", "b32|b64", "=t t", O::brev, C::multiply},
    {"bfe", "u32|u64|s32|s64", "=t t u32 u32", O::bfe, C::multiply},
    {"bfi", "b32|b64", "=t t t u32 u32", O::bfi, C::multiply},
    {"bfind", "{mode:1=shiftamt} u32|u64|s32|s64", "=u32 t", O::bfind, C::multiply},
    {"prmt", "b32 {mode:1=f4e|b4e|rc8|ecl|ecr|rc16}", "=t t t t", O::prmt, C::multiply},
    {"bmsk", "mode=clamp|wrap b32", "=t t t", O::bmsk, C::multiply},
    {"szext", "mode=clamp|wrap u32|s32", "=t t u32", O::szext, C::multiply},
    {"fns", "b32", "=t t t t", O::fns, C::multiply},

    // scalar video
    {"vadd", video_modifiers, "=part part part b32?", O::video, C::multiply, video(VideoOperation::add)},
    {"vsub", video_modifiers, "=part part part b32?", O::video, C::multiply, video(VideoOperation::sub)},
    {"vabsdiff", video_modifiers, "=part part part b32?", O::video, C::multiply, video(VideoOperation::absdiff)},
    {"vmin", video_modifiers, "=part part part b32?", O::video, C::multiply, video(VideoOperation::min)},
    {"vmax", video_modifiers, "=part part part b32?", O::video, C::multiply, video(VideoOperation::max)},
    {"vset", "bits:0=u32|s32 bits:1=u32|s32 @cmp {bits:2=add|min|max}", "=part part part b32?", O::video, C::multiply,
     video(VideoOperation::set)},
    {"vshl", video_shift, "=part part part b32?", O::video, C::multiply, video(VideoOperation::shl)},
    {"vshr", video_shift, "=part part part b32?", O::video, C::multiply, video(VideoOperation::shr)},
    {"vmad", "u32|s32 bits:0=u32|s32 bits:1=u32|s32 {bits:16=po} {sat} {bits:14=shr7|shr15}", "=b32 part part part",
     O::video, C::multiply, video(VideoOperation::mad)},
    // video on halves and bytes
    {"vadd2", video_parts, "=b32 b32 b32 b32", O::video, C::multiply, video(VideoOperation::add, 2)},
    {"vsub2", video_parts, "=b32 b32 b32 b32", O::video, C::multiply, video(VideoOperation::sub, 2)},
    {"vabsdiff2", video_parts, "=b32 b32 b32 b32", O::video, C::multiply, video(VideoOperation::absdiff, 2)},
    {"vmin2", video_parts, "=b32 b32 b32 b32", O::video, C::multiply, video(VideoOperation::min, 2)},
    {"vmax2", video_parts, "=b32 b32 b32 b32", O::video, C::multiply, video(VideoOperation::max, 2)},
    {"vavrg2", video_parts, "=b32 b32 b32 b32", O::video, C::multiply, video(VideoOperation::average, 2)},
    {"vset2", video_parts_set, "=b32 b32 b32 b32", O::video, C::multiply, video(VideoOperation::set, 2)},
    {"vadd4", video_parts, "=b32 b32 b32 b32", O::video, C::multiply, video(VideoOperation::add, 4)},
    {"vsub4", video_parts, "=b32 b32 b32 b32", O::video, C::multiply, video(VideoOperation::sub, 4)},
    {"vabsdiff4", video_parts, "=b32 b32 b32 b32", O::video, C::multiply, video(VideoOperation::absdiff, 4)},
    {"vmin4", video_parts, "=b32 b32 b32 b32", O::video, C::multiply, video(VideoOperation::min, 4)},
    {"vmax4", video_parts, "=b32 b32 b32 b32", O::video, C::multiply, video(VideoOperation::max, 4)},
    {"vavrg4", video_parts, "=b32 b32 b32 b32", O::video, C::multiply, video(VideoOperation::average, 4)},
    {"vset4", video_parts_set, "=b32 b32 b32 b32", O::video, C::multiply, video(VideoOperation::set, 4)},

    // float
    {"add", "{@round} {ftz} {sat} f32", "=t t t", O::add, C::alu},
    {"add", "{@round} {ftz} f32x2", "=t t t", O::add, C::alu},
    {"add", "{@round} f64", "=t t t", O::add, C::fp64},
    {"add", "{rn} {ftz} {sat} f16|f16x2", "=t t t", O::add, C::alu},
    {"add", "{rn} bf16|bf16x2", "=t t t", O::add, C::alu},
    {"add", "{@round} {sat} f32 f16|bf16", "=t s t", O::add, C::alu},
    {"sub", "{@round} {ftz} {sat} f32", "=t t t", O::sub, C::alu},
    {"sub", "{@round} {ftz} f32x2", "=t t t", O::sub, C::alu},
    {"sub", "{@round} f64", "=t t t", O::sub, C::fp64},
    {"sub", "{rn} {ftz} {sat} f16|f16x2", "=t t t", O::sub, C::alu},
    {"sub", "{rn} bf16|bf16x2", "=t t t", O::sub, C::alu},
    {"sub", "{@round} {sat} f32 f16|bf16", "=t s t", O::sub, C::alu},
    {"mul", "{@round} {ftz} {sat} f32", "=t t t", O::mul, C::alu},
    {"mul", "{@round} {ftz} f32x2", "=t t t", O::mul, C::alu},
    {"mul", "{@round} f64", "=t t t", O::mul, C::fp64},
    {"mul", "{rn} {ftz} {sat} f16|f16x2", "=t t t", O::mul, C::alu},
    {"mul", "{rn} bf16|bf16x2", "=t t t", O::mul, C::alu},
    {"fma", "@round {ftz} {sat} f32", "=t t t t", O::fma, C::alu},
    {"fma", "@round {ftz} f32x2", "=t t t t", O::fma, C::alu},
    {"fma", "@round f64", "=t t t t", O::fma, C::fp64},
    {"fma", "rn {ftz} {sat|relu} f16|f16x2", "=t t t t", O::fma, C::alu},
    {"fma", "rn {relu} bf16|bf16x2", "=t t t t", O::fma, C::alu},
    {"fma", "@round {sat} f32 f16|bf16", "=t s s t", O::fma, C::alu},
    {"mad", "@round {ftz} {sat} f32", "=t t t t", O::fma, C::alu},
    {"mad", "@round f64", "=t t t t", O::fma, C::fp64},
    {"abs", "{ftz} f32|f16|f16x2", "=t t", O::abs, C::alu},
    {"abs", "bf16|bf16x2", "=t t", O::abs, C::alu},
    {"abs", "f64", "=t t", O::abs, C::fp64},
    {"neg", "{ftz} f32|f16|f16x2", "=t t", O::neg, C::alu},
    {"neg", "bf16|bf16x2", "=t t", O::neg, C::alu},
    {"neg", "f64", "=t t", O::neg, C::fp64},
    {"min", "{ftz} {NaN} f32", "=t t t t?", O::min, C::alu},
    {"min", "{ftz} {NaN} abs f32", "=t t t t", O::min, C::alu},
    {"min", "{ftz} {NaN} xorsign.abs f32", "=t t t", O::min, C::alu},
    {"min", "{ftz} {NaN} {xorsign.abs} f16|f16x2", "=t t t", O::min, C::alu},
    {"min", "{NaN} {xorsign.abs} bf16|bf16x2", "=t t t", O::min, C::alu},
    {"min", "f64", "=t t t", O::min, C::fp64},
    {"max", "{ftz} {NaN} f32", "=t t t t?", O::max, C::alu},
    {"max", "{ftz} {NaN} abs f32", "=t t t t", O::max, C::alu},
    {"max", "{ftz} {NaN} xorsign.abs f32", "=t t t", O::max, C::alu},
    {"max", "{ftz} {NaN} {xorsign.abs} f16|f16x2", "=t t t", O::max, C::alu},
    {"max", "{NaN} {xorsign.abs} bf16|bf16x2", "=t t t", O::max, C::alu},
    {"max", "f64", "=t t t", O::max, C::fp64},
    {"copysign", "f32", "=t t t", O::copysign, C::alu},
    {"copysign", "f64", "=t t t", O::copysign, C::fp64},
    {"testp", "mode=finite|infinite|number|notanumber|normal|subnormal f32|f64", "=p t", O::testp, C::alu},
    {"div", "approx|full {ftz} f32", "=t t t", O::div, C::special},
    {"div", "@round {ftz} f32", "=t t t", O::div, C::special},
    {"div", "@round f64", "=t t t", O::div, C::fp64},
    {"rcp", "approx {ftz} f32", "=t t", O::rcp, C::special},
    {"rcp", "@round {ftz} f32", "=t t", O::rcp, C::special},
    {"rcp", "@round f64", "=t t", O::rcp, C::fp64},
    {"rcp", "approx ftz f64", "=t t", O::rcp, C::special},
    {"sqrt", "approx {ftz} f32", "=t t", O::sqrt, C::special},
    {"sqrt", "@round {ftz} f32", "=t t", O::sqrt, C::special},
    {"sqrt", "@round f64", "=t t", O::sqrt, C::fp64},
    {"rsqrt", "approx {ftz} f32", "=t t", O::rsqrt, C::special},
    {"rsqrt", "approx {ftz} f64", "=t t", O::rsqrt, C::fp64},
    {"sin", "approx {ftz} f32", "=t t", O::sin, C::special},
    {"cos", "approx {ftz} f32", "=t t", O::cos, C::special},
    {"lg2", "approx {ftz} f32", "=t t", O::lg2, C::special},
    {"ex2", "approx {ftz} f32", "=t t", O::ex2, C::special},
    {"ex2", "approx f16|f16x2", "=t t", O::ex2, C::special},
    {"ex2", "approx ftz bf16|bf16x2", "=t t", O::ex2, C::special},
    {"tanh", "approx f32|f16|f16x2|bf16|bf16x2", "=t t", O::tanh, C::special},

    // conversion; the roundings that a pair of types needs are checked after the match
    {"cvt", "skip=pack sat mode=u16|s16 skip=s32", "=b32 s32 s32", O::cvt_pack, C::multiply},
    {"cvt", "skip=pack sat mode:2=u8|s8|u4|s4|u2|s2 skip=s32 skip=b32", "=b32 s32 s32 b32", O::cvt_pack, C::multiply},
    {"cvt", "skip=rn skip=satfinite {bits:0=relu} mode=e4m3x2.f32|e5m2x2.f32", "=b16 f32 f32", O::cvt_fp8, C::multiply},
    {"cvt", "skip=rn skip=satfinite {bits:0=relu} mode:2=e4m3x2.f16x2|e5m2x2.f16x2", "=b16 b32", O::cvt_fp8,
     C::multiply},
    {"cvt", "skip=rn {bits:0=relu} mode:4=f16x2.e4m3x2|f16x2.e5m2x2", "=b32 b16", O::cvt_fp8, C::multiply},
    {"cvt", "{@rounds} {sat} @integer @integer", "=t s", O::cvt, C::multiply},
    {"cvt", "{@rounds} {ftz} {sat} @integer f32", "=t s", O::cvt, C::multiply},
    {"cvt", "{@rounds} {sat} @integer f16|f64", "=t s", O::cvt, C::multiply},
    {"cvt", "{@rounds} @int bf16", "=t s", O::cvt, C::multiply},
    {"cvt", "{@rounds} {ftz} {sat} f32 @integer|f16|f32|f64", "=t s", O::cvt, C::multiply},
    {"cvt", "{@rounds} {ftz} {sat} f16|f64 f32", "=t s", O::cvt, C::multiply},
    {"cvt", "{@rounds} {sat} f16|f64 @integer|f16|f64", "=t s", O::cvt, C::multiply},
    {"cvt", "{@rounds} {ftz} bf16 f32", "=t s", O::cvt, C::multiply},
    {"cvt", "{@rounds} {ftz} f32 bf16", "=t s", O::cvt, C::multiply},
    {"cvt", "{@rounds} bf16 @int|f16|bf16|f64", "=t s", O::cvt, C::multiply},
    {"cvt", "{@rounds} f16|f64 bf16", "=t s", O::cvt, C::multiply},
    {"cvt", "rn|rz {relu} {satfinite} f16|bf16 f32", "=t s", O::cvt, C::multiply},
    {"cvt", "rn|rz {relu} {satfinite} f16x2|bf16x2 f32", "=t s s", O::cvt, C::multiply},
    {"cvt", "rn|rz {satfinite} {relu} tf32 f32", "=b32 t", O::cvt, C::multiply},
    {"cvt", "rna {satfinite} tf32 f32", "=b32 t", O::cvt, C::multiply},

    // comparison
    {"setp", "eq|ne {@logic} @bits", "=p|p? t t p?", O::setp, C::alu},
    {"setp", "@cmp {@logic} @signed", "=p|p? t t p?", O::setp, C::alu},
    {"setp", "@cmpu {@logic} @unsigned", "=p|p? t t p?", O::setp, C::alu},
    {"setp", "@cmpf {@logic} {ftz} f32|f16x2", "=p|p? t t p?", O::setp, C::alu},
    {"setp", "@cmpf {@logic} f64|bf16x2", "=p|p? t t p?", O::setp, C::alu},
    {"setp", "@cmpf {@logic} {ftz} f16", "=p t t p?", O::setp, C::alu},
    {"setp", "@cmpf {@logic} bf16", "=p t t p?", O::setp, C::alu},
    {"set", "eq|ne {@logic} @flag @bits", "=t s s p?", O::set, C::alu},
    {"set", "@cmp {@logic} @flag @signed", "=t s s p?", O::set, C::alu},
    {"set", "@cmpu {@logic} @flag @unsigned", "=t s s p?", O::set, C::alu},
    {"set", "@cmpf {@logic} {ftz} u32|s32|f32|f16 f32", "=t s s p?", O::set, C::alu},
    {"set", "@cmpf {@logic} bf16 f32", "=t s s p?", O::set, C::alu},
    {"set", "@cmpf {@logic} @flag f64", "=t s s p?", O::set, C::alu},
    {"set", "@cmpf {@logic} {ftz} u16|s16|u32|s32|f16 f16", "=t s s p?", O::set, C::alu},
    {"set", "@cmpf {@logic} bf16 f16", "=t s s p?", O::set, C::alu},
    {"set", "@cmpf {@logic} u16|s16|u32|s32|bf16 bf16", "=t s s p?", O::set, C::alu},
    {"set", "@cmpf {@logic} {ftz} u32|s32|f16x2 f16x2", "=t s s p?", O::set, C::alu},
    {"set", "@cmpf {@logic} u32|s32|bf16x2 bf16x2", "=t s s p?", O::set, C::alu},

    // atomics and fences
    {"atom", "{@order} {@scope} {@strong} atom=add {@hint} u32|s32|u64|f32|f64", "=t mem t policy?", O::atom,
     C::atomic},
    {"atom", "{@order} {@scope} {@strong} atom=add skip=noftz {@hint} f16|f16x2|bf16|bf16x2", "=t mem t policy?",
     O::atom, C::atomic},
    {"atom", "{@order} {@scope} {@strong} atom=min|max {@hint} u32|s32|u64|s64", "=t mem t policy?", O::atom,
     C::atomic},
    {"atom", "{@order} {@scope} {@strong} atom=and|or|xor|exch {@hint} b32|b64", "=t mem t policy?", O::atom,
     C::atomic},
    {"atom", "{@order} {@scope} {@strong} atom=inc|dec {@hint} u32", "=t mem t policy?", O::atom, C::atomic},
    {"atom", "{@order} {@scope} {@strong} atom=cas {@hint} b32|b64", "=t mem t t policy?", O::atom, C::atomic},
    {"atom", "{@order} {@scope} {@strong} atom=cas b16", "=t mem t t", O::atom, C::atomic},
    {"atom", "{@order} {@scope} {@strong} atom=exch {@hint} b128", "=v mem v policy?", O::atom, C::atomic},
    {"atom", "{@order} {@scope} {@strong} atom=cas {@hint} b128", "=v mem v v policy?", O::atom, C::atomic},
    {"atom", "{@order} {@scope} {global} atom=add {@hint} v2|v4 f32", "=v mem v policy?", O::atom, C::atomic},
    {"red", "{@weaker} {@scope} {@strong} atom=add {@hint} u32|s32|u64|f32|f64", "mem t policy?", O::red, C::atomic},
    {"red", "{@weaker} {@scope} {@strong} atom=add skip=noftz {@hint} f16|f16x2|bf16|bf16x2", "mem t policy?", O::red,
     C::atomic},
    {"red", "{@weaker} {@scope} {@strong} atom=min|max {@hint} u32|s32|u64|s64", "mem t policy?", O::red, C::atomic},
    {"red", "{@weaker} {@scope} {@strong} atom=and|or|xor {@hint} b32|b64", "mem t policy?", O::red, C::atomic},
    {"red", "{@weaker} {@scope} {@strong} atom=inc|dec {@hint} u32", "mem t policy?", O::red, C::atomic},
    {"red", "{@weaker} {@scope} {global} atom=add {@hint} v2|v4 f32", "mem v policy?", O::red, C::atomic},
    {"mbarrier", "mode=init {@block} b64", "mem u32", O::mbarrier, C::atomic},
    {"mbarrier", "mode:1=inval {@block} b64", "mem", O::mbarrier, C::atomic},
    {"mbarrier", "mode:2=arrive|arrive_drop {@order} {@scope} {@block} b64", "=t mem u32?", O::mbarrier, C::atomic},
    {"mbarrier", "mode:2=arrive.noComplete|arrive_drop.noComplete {@order} {@scope} {@block} b64", "=t mem u32",
     O::mbarrier, C::atomic},
    {"mbarrier", "mode:4=arrive.expect_tx|arrive_drop.expect_tx {@order} {@scope} {@block} b64", "=t mem u32",
     O::mbarrier, C::atomic},
    {"mbarrier", "mode:6=expect_tx|complete_tx {@order} {@scope} {@block} b64", "mem u32", O::mbarrier, C::atomic},
    {"mbarrier", "mode:8=test_wait {@order} {@scope} {@block} b64", "=p mem t", O::mbarrier, C::atomic},
    {"mbarrier", "mode:8=try_wait {@order} {@scope} {@block} b64", "=p mem t ~u32?", O::mbarrier, C::atomic},
    {"mbarrier", "mode:9=test_wait.parity {@order} {@scope} {@block} b64", "=p mem u32", O::mbarrier, C::atomic},
    {"mbarrier", "mode:9=try_wait.parity {@order} {@scope} {@block} b64", "=p mem u32 ~u32?", O::mbarrier, C::atomic},
    {"mbarrier", "mode:10=pending_count b64", "=u32 t", O::mbarrier, C::alu},
    {"membar", "mode=cta|gl|sys", "", O::membar, C::barrier},
    {"membar", "skip=proxy @proxy", "", O::membar, C::barrier},
    {"fence", "{skip=sc|acq_rel|acquire|release} mode=cta|gpu|sys", "", O::membar, C::barrier},
    {"fence", "{skip=sc|acq_rel|acquire|release} mode:1=cluster", "", O::membar, C::barrier},
    {"fence", "skip=proxy @proxy", "", O::membar, C::barrier},
    {"fence", "skip=proxy skip=tensormap::generic skip=release @scope", "", O::membar, C::barrier},
    {"fence", "skip=proxy skip=tensormap::generic skip=acquire @scope", "mem ~u32", O::membar, C::barrier},
    {"fence", "skip=mbarrier_init skip=release skip=cluster", "", O::membar, C::barrier},

    // textures
    {"tex", "mode=1d|2d|3d v4 f32|s32|u32 s32|f32", "=v tex", O::tex, C::load},

    // block and warp
    {"bar", "{skip=cta} mode=sync", "bar u32?", O::bar, C::barrier},
    {"bar", "{skip=cta} mode:1=arrive", "bar u32", O::bar, C::barrier},
    {"bar", "{skip=cta} mode:2=red.popc.u32", "=u32 bar u32? p", O::bar, C::barrier},
    {"bar", "{skip=cta} mode:3=red.and.pred|red.or.pred", "=p bar u32? p", O::bar, C::barrier},
    {"bar", "mode:5=warp.sync", "b32", O::bar, C::barrier},
    {"barrier", "{skip=cta} mode=sync {aligned}", "bar u32?", O::bar, C::barrier},
    {"barrier", "{skip=cta} mode:1=arrive {aligned}", "bar u32", O::bar, C::barrier},
    {"vote", "mode=sync.all.pred|sync.any.pred|sync.uni.pred", "=p p b32", O::vote, C::warp},
    {"vote", "mode:3=sync.ballot.b32", "=b32 p b32", O::vote, C::warp},
    {"vote", "mode=all.pred|any.pred|uni.pred", "=p p", O::vote, C::warp},
    {"vote", "mode:3=ballot.b32", "=b32 p", O::vote, C::warp},
    {"shfl", "mode=sync.up|sync.down|sync.bfly|sync.idx b32", "=t|p? t b32 b32 b32", O::shfl, C::warp},
    {"shfl", "mode=up|down|bfly|idx b32", "=t|p? t b32 b32", O::shfl, C::warp},
    {"activemask", "b32", "=t", O::activemask, C::warp},
    {"match", "mode=any.sync b32|b64", "=b32 t b32", O::match, C::warp},
    {"match", "mode:1=all.sync b32|b64", "=b32|p? t b32", O::match, C::warp},
    {"redux", "skip=sync atom=add|min|max u32|s32", "=t t b32", O::redux, C::warp},
    {"elect", "skip=sync", "=b32|p b32", O::elect, C::warp},
    {"redux", "skip=sync atom=and|or|xor b32", "=t t b32", O::redux, C::warp},

    // matrices: steps of mma (matrix_forms.hpp), and loads and stores of their fragments
    {"mma", "skip=sync skip=aligned skip=m16n8k8|m16n8k16 skip=row skip=col skip=f16.f16.f16.f16|f32.f16.f16.f32",
     "=frag frag frag frag", O::mma, C::matrix},
    {"mma", "skip=sync skip=aligned skip=m16n8k8|m16n8k16 skip=row skip=col skip=f32.bf16.bf16.f32",
     "=frag frag frag frag", O::mma, C::matrix},
    {"mma", "skip=sync skip=aligned skip=m16n8k4|m16n8k8 skip=row skip=col skip=f32.tf32.tf32.f32",
     "=frag frag frag frag", O::mma, C::matrix},
    {"mma", "skip=sync skip=aligned skip=m16n8k16|m16n8k32 skip=row skip=col skip=f32 @fp8 @fp8 skip=f32",
     "=frag frag frag frag", O::mma, C::matrix},
    {"mma", "skip=sync skip=aligned skip=m8n8k4|m16n8k4|m16n8k8|m16n8k16 skip=row skip=col skip=f64.f64.f64.f64",
     "=frag frag frag frag", O::mma, C::matrix},
    {"mma",
     "skip=sync skip=aligned skip=m8n8k16|m16n8k16|m16n8k32 skip=row skip=col {skip=satfinite} skip=s32 @bytes @bytes "
     "skip=s32",
     "=frag frag frag frag", O::mma, C::matrix},
    {"mma",
     "skip=sync skip=aligned skip=m8n8k32|m16n8k32|m16n8k64 skip=row skip=col {skip=satfinite} skip=s32 @nibbles "
     "@nibbles skip=s32",
     "=frag frag frag frag", O::mma, C::matrix},
    {"mma",
     "skip=sync skip=aligned skip=m8n8k128|m16n8k128|m16n8k256 skip=row skip=col skip=s32.b1.b1.s32 skip=xor|and "
     "skip=popc",
     "=frag frag frag frag", O::mma, C::matrix},
    {"wmma", "skip=mma skip=sync {skip=aligned} @layout @layout @tile skip=f16|f32 skip=f16|f32",
     "=frag frag frag frag", O::mma, C::matrix},
    {"wmma", "skip=mma skip=sync {skip=aligned} @layout @layout @tile skip=f32.bf16.bf16.f32", "=frag frag frag frag",
     O::mma, C::matrix},
    {"wmma", "skip=mma skip=sync {skip=aligned} @layout @layout skip=m16n16k8 skip=f32.tf32.tf32.f32",
     "=frag frag frag frag", O::mma, C::matrix},
    {"wmma", "skip=mma skip=sync {skip=aligned} @layout @layout skip=m8n8k4 {skip=rn} skip=f64.f64.f64.f64",
     "=frag frag frag frag", O::mma, C::matrix},
    {"wmma",
     "skip=mma skip=sync {skip=aligned} @layout @layout @tile skip=s32.u8.u8.s32|s32.s8.s8.s32 {skip=satfinite}",
     "=frag frag frag frag", O::mma, C::matrix},
    {"wmma",
     "skip=mma skip=sync {skip=aligned} skip=row skip=col skip=m8n8k32 skip=s32.u4.u4.s32|s32.s4.s4.s32 "
     "{skip=satfinite}",
     "=frag frag frag frag", O::mma, C::matrix},
    {"wmma",
     "skip=mma skip=xor|and skip=popc skip=sync {skip=aligned} skip=row skip=col skip=m8n8k128 skip=s32.b1.b1.s32",
     "=frag frag frag frag", O::mma, C::matrix},
    {"wmma", "skip=load skip=a|b skip=sync {skip=aligned} @layout @tile {@strong} skip=f16|bf16|u8|s8",
     "=frag mem u32?", O::mma, C::matrix},
    {"wmma", "skip=load skip=a|b skip=sync {skip=aligned} @layout skip=m16n16k8 {@strong} skip=tf32", "=frag mem u32?",
     O::mma, C::matrix},
    {"wmma", "skip=load skip=a|b skip=sync {skip=aligned} @layout skip=m8n8k4 {@strong} skip=f64", "=frag mem u32?",
     O::mma, C::matrix},
    {"wmma", "skip=load skip=a skip=sync {skip=aligned} skip=row skip=m8n8k32 {@strong} @nibbles", "=frag mem u32?",
     O::mma, C::matrix},
    {"wmma", "skip=load skip=b skip=sync {skip=aligned} skip=col skip=m8n8k32 {@strong} @nibbles", "=frag mem u32?",
     O::mma, C::matrix},
    {"wmma", "skip=load skip=a skip=sync {skip=aligned} skip=row skip=m8n8k128 {@strong} skip=b1", "=frag mem u32?",
     O::mma, C::matrix},
    {"wmma", "skip=load skip=b skip=sync {skip=aligned} skip=col skip=m8n8k128 {@strong} skip=b1", "=frag mem u32?",
     O::mma, C::matrix},
    {"wmma", "skip=load skip=c skip=sync {skip=aligned} @layout @tile {@strong} skip=f16|f32|s32", "=frag mem u32?",
     O::mma, C::matrix},
    {"wmma", "skip=load skip=c skip=sync {skip=aligned} @layout skip=m16n16k8 {@strong} skip=f32", "=frag mem u32?",
     O::mma, C::matrix},
    {"wmma", "skip=load skip=c skip=sync {skip=aligned} @layout skip=m8n8k4 {@strong} skip=f64", "=frag mem u32?",
     O::mma, C::matrix},
    {"wmma", "skip=load skip=c skip=sync {skip=aligned} @layout skip=m8n8k32|m8n8k128 {@strong} skip=s32",
     "=frag mem u32?", O::mma, C::matrix},
    {"wmma", "skip=store skip=d skip=sync {skip=aligned} @layout @tile {@strong} skip=f16|f32|s32", "mem frag u32?",
     O::mma, C::matrix},
    {"wmma", "skip=store skip=d skip=sync {skip=aligned} @layout skip=m16n16k8 {@strong} skip=f32", "mem frag u32?",
     O::mma, C::matrix},
    {"wmma", "skip=store skip=d skip=sync {skip=aligned} @layout skip=m8n8k4 {@strong} skip=f64", "mem frag u32?",
     O::mma, C::matrix},
    {"wmma", "skip=store skip=d skip=sync {skip=aligned} @layout skip=m8n8k32|m8n8k128 {@strong} skip=s32",
     "mem frag u32?", O::mma, C::matrix},
    {"ldmatrix", "skip=sync skip=aligned skip=m8n8 skip=x1 {mode:1=trans} {@block} b16", "=v mem", O::ldmatrix,
     C::load},
    {"ldmatrix", "skip=sync skip=aligned skip=m8n8 x2|x4 {mode:1=trans} {@block} b16", "=v mem", O::ldmatrix, C::load},
    {"stmatrix", "skip=sync skip=aligned skip=m8n8 skip=x1 {mode:1=trans} {@block} b16", "mem v", O::stmatrix,
     C::store},
    {"stmatrix", "skip=sync skip=aligned skip=m8n8 x2|x4 {mode:1=trans} {@block} b16", "mem v", O::stmatrix, C::store},
    {"movmatrix", "skip=sync skip=aligned skip=m8n8 skip=trans b16", "=b32 b32", O::movmatrix, C::warp},

    // control
    {"bra", "{uni}", "label", O::bra, C::control},
    {"brx", "skip=idx {uni}", "u32 table", O::brx, C::control},
    {"ret", "{uni}", "", O::ret, C::control},
    {"exit", "", "", O::exit, C::control},
    {"trap", "", "", O::trap, C::control},
    {"brkpt", "", "", O::trap, C::control},
});

// Names of operands as in the PTX manual: destinations d, sources a, b, c ...
std::string describe_operand(std::string_view word, char& next_source) {
  const bool optional = word.ends_with('?');
  if (optional) word.remove_suffix(1);
  if (word == "=frag") return "{d...}";
  if (word.starts_with('=')) {
    const char* const name = word.starts_with("=p") ? "p" : "d";
    const bool pair = word.find('|') != std::string_view::npos;
    return fmt::format("{}{}", name, !pair ? "" : optional ? "{|q}" : "|q");
  }
  std::string text;
  if (word.starts_with('~')) word.remove_prefix(1);
  if (word == "mem")
    text.append("[a]");
  else if (word == "frag")
    text.append("{").append(1, next_source++).append("...}");
  else if (word == "tex")
    text.append("[a, {b...}]");
  else if (word == "#")
    text.append("number");
  else if (word == "policy")
    text.append("policy");
  else if (word == "bar")
    text.append("barrier");
  else if (word == "label" || word == "table")
    text.append(word);
  else
    text.push_back(next_source++);
  if (next_source == 'd') ++next_source;  // d is the destination
  return optional ? fmt::format("{{{}}}", text) : text;
}

template <typename Visit>
void for_each_word(std::string_view text, char separator, Visit&& visit) {
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    if (end != 0) visit(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

// The words of a group, with sets expanded; text before `=` is only for the decoder.
std::string join_choices(std::string_view group) {
  std::string text;
  for_each_word(group.substr(group.find('=') + 1), '|', [&](std::string_view word) {
    if (!text.empty()) text.append("|");
    if (word.starts_with('@')) {
      text.append(join_choices(modifier_set(word.substr(1))));
    } else {
      text.append(word);
    }
  });
  return text;
}

}  // namespace

std::span<const InstructionRule> instruction_rules() { return rules; }

std::string_view modifier_set(std::string_view name) {
  for (const auto& [set, words] : sets) {
    if (set == name) return words;
  }
  return {};
}

std::string describe(const InstructionRule& rule) {
  std::string text(rule.mnemonic);
  for_each_word(rule.modifiers, ' ', [&](std::string_view group) {
    const bool optional = group.starts_with('{');
    if (optional) group = group.substr(1, group.size() - 2);
    const std::string words = join_choices(group);
    const bool one_choice = words.find('|') == std::string::npos;
    const std::string choice = one_choice ? fmt::format(".{}", words) : fmt::format(".({})", words);
    text += optional ? fmt::format("{{{}}}", choice) : choice;
  });
  char next_source = 'a';
  const char* separator = " ";
  for_each_word(rule.operands, ' ', [&](std::string_view word) {
    if (word == "cc" || word == "=cc") return;  // not written
    text.append(separator).append(describe_operand(word, next_source));
    separator = ", ";
  });
  return text;
}

}  // namespace reconverge::kernel
