// SPDX-License-Identifier: Apache-2.0
// Operations of several threads: exchanges between the lanes of a warp, meetings of the block.

#include <fmt/format.h>

#include <string_view>

#include "models/core/lane_mask.hpp"
#include "testbenches/random/operations.hpp"

namespace reconverge::random_programs {

namespace {

constexpr std::string_view named_members[] = {
    "vote.sync.ballot.b32 $r, $p, MEMBERS",
    "vote.sync.any.pred $p, !$p, MEMBERS",
    "vote.sync.all.pred $p, $p, MEMBERS",
    "vote.sync.uni.pred $p, $p, MEMBERS",
    "shfl.sync.idx.b32 $r, $r, $r, 0x1f, MEMBERS",
    "shfl.sync.up.b32 $r|$p, $r, 1, 0, MEMBERS",
    "shfl.sync.down.b32 $r|$p, $r, 5, 0x1f, MEMBERS",
    "shfl.sync.bfly.b32 $r, $r, 7, 0x1f, MEMBERS",
    "shfl.sync.down.b32 $r, $r, $r, 0x181f, MEMBERS",
    "shfl.sync.idx.b32 $r|$p, $r, $r, 0x1c07, MEMBERS",
    "match.any.sync.b32 $r, $r, MEMBERS",
    "match.any.sync.b64 $r, $d, MEMBERS",
    "match.all.sync.b32 $r|$p, $r, MEMBERS",
    "redux.sync.add.s32 $r, $r, MEMBERS",
    "redux.sync.min.u32 $r, $r, MEMBERS",
    "redux.sync.max.s32 $r, $r, MEMBERS",
    "redux.sync.and.b32 $r, $r, MEMBERS",
    "redux.sync.or.b32 $r, $r, MEMBERS",
    "redux.sync.xor.b32 $r, $r, MEMBERS",
    "elect.sync $r|$p, MEMBERS",
    "bar.warp.sync MEMBERS",
};

constexpr std::string_view unnamed_members[] = {
    "vote.ballot.b32 $r, $p",        "vote.any.pred $p, $p",
    "vote.all.pred $p, !$p",         "vote.uni.pred $p, $p",
    "shfl.up.b32 $r|$p, $r, 3, 0",   "shfl.bfly.b32 $r, $r, 16, 0x1f",
    "shfl.idx.b32 $r, $r, $r, 0x1f", "shfl.down.b32 $r, $r, 9, 0x100f",
};

/// Writes a meeting of the block for one launch.
class MeetingWriter {
 public:
  MeetingWriter(const Statement& statement, const Program& program, bool counted)
      : meeting_(statement.meeting),
        number_(statement.number),
        threads_(program.block.count()),
        warps_((threads_ + warp_size - 1) / warp_size),
        counted_(counted) {}

  std::string text() const {
    using Form = Meeting::Form;
    const bool parts = counted_ && warps_ > 1;
    switch (meeting_.form) {
      case Form::tally:
        return fmt::format("  {0};\n  ld.shared.b32 %r{1}, [tally+{2}];\n  {0};\n", wait(), meeting_.to,
                           4 * (meeting_.shift % 8));
      case Form::count:
        return fmt::format("  bar.red.popc.u32 %r{}, {}, %p{};\n", meeting_.to, barrier(), meeting_.from % 4);
      case Form::all:
      case Form::any:
        return fmt::format("  bar.red.{}.pred %p{}, {}, !%p{};\n", meeting_.form == Form::all ? "and" : "or",
                           meeting_.to % 4, barrier(), meeting_.from % 4);
      case Form::hand_over:
        return parts ? hand_over() : pass_round();
      case Form::halves:
        return parts ? halves() : pass_round();
      case Form::pass_round:
        break;
    }
    return pass_round();
  }

 private:
  /// The operands that name the barrier of the whole block.
  std::string barrier() const {
    const bool says_count = counted_ && meeting_.shift % 2 == 0;
    return says_count ? fmt::format("{}, {}", meeting_.barrier, warps_ * warp_size)
                      : fmt::format("{}", meeting_.barrier);
  }
  std::string wait() const {
    return fmt::format("{} {}", meeting_.shift % 3 == 0 ? "barrier.sync" : "bar.sync", barrier());
  }
  /// %t5: the address of the thread's cell; %t6: the address of the cell whose number is in %t6.
  std::string own_cell() const {
    return "  mov.u32 %t4, cells;\n  shl.b32 %t5, %thread, 2;\n  add.u32 %t5, %t4, %t5;\n";
  }
  std::string give() const { return fmt::format("  st.shared.b32 [%t5], %r{};\n", meeting_.from); }
  std::string take() const {
    return fmt::format("  shl.b32 %t6, %t6, 2;\n  add.u32 %t6, %t4, %t6;\n  ld.shared.b32 %r{}, [%t6];\n", meeting_.to);
  }

  std::string pass_round() const {
    return own_cell() + give() + fmt::format("  {};\n", wait()) +
           fmt::format("  add.u32 %t6, %thread, {};\n  rem.u32 %t6, %t6, {};\n", 1 + meeting_.shift % threads_,
                       threads_) +
           take() + fmt::format("  {};\n", wait());
  }

  std::string hand_over() const {
    const std::uint64_t givers = 1 + meeting_.shift % (warps_ - 1);
    return own_cell() +
           fmt::format("  shr.u32 %t6, %thread, 5;\n  setp.ge.u32 %q0, %t6, {0};\n  @%q0 bra TAKE_{1};\n", givers,
                       number_) +
           give() +
           fmt::format(
               "  bar.arrive {0}, {1};\n  bra TAKEN_{2};\nTAKE_{2}:\n  bar.sync {0}, {1};\n  rem.u32 %t6, %thread, "
               "{3};\n",
               meeting_.barrier + 1, warps_ * warp_size, number_, givers * warp_size) +
           take() + fmt::format("TAKEN_{}:\n  bar.sync 0;\n", number_);
  }

  std::string halves() const {
    // 64 threads further is a thread of the same half; wraps around at the end.
    return own_cell() + give() + "  shr.u32 %t6, %thread, 5;\n  and.b32 %t6, %t6, 1;\n" +
           fmt::format("  setp.eq.u32 %q0, %t6, 0;\n  selp.u32 %t3, {}, {}, %q0;\n  add.u32 %t6, %t6, {};\n",
                       (warps_ + 1) / 2 * warp_size, warps_ / 2 * warp_size, meeting_.barrier + 1) +
           "  bar.sync %t6, %t3;\n  add.u32 %t6, %thread, 64;\n  and.b32 %t3, %thread, 63;\n" +
           fmt::format("  setp.lt.u32 %q0, %t6, {};\n  selp.u32 %t6, %t6, %t3, %q0;\n", threads_) + take() +
           "  bar.sync 0;\n";
  }

  const Meeting& meeting_;
  std::uint32_t number_;
  std::uint64_t threads_;
  std::uint64_t warps_;
  bool counted_;
};

}  // namespace

std::string exchange(Chance& chance, bool whole) {
  // Lanes disabled by a guard would be missing, so there is no guard, or one on which all lanes agree.
  const std::string guard = chance.one_in(8) ? fmt::format("@{} ", chance.common_predicate()) : "";
  const std::string_view pattern = whole ? unnamed_members[chance.below(std::size(unnamed_members))]
                                         : named_members[chance.below(std::size(named_members))];
  return fmt::format("  {}{};\n", guard, filled(chance, pattern));
}

Meeting meeting(Chance& chance) {
  using Form = Meeting::Form;
  constexpr Form forms[] = {Form::pass_round, Form::pass_round, Form::tally,     Form::tally,  Form::count,
                            Form::all,        Form::any,        Form::hand_over, Form::halves, Form::hand_over};
  Meeting result;
  result.form = forms[chance.below(std::size(forms))];
  result.from = chance.below(8);
  result.to = chance.below(8);
  result.shift = chance.below(1000);
  result.barrier = chance.below(14);
  return result;
}

std::string text_of(const Statement& meeting, const Program& program, bool counted) {
  return MeetingWriter(meeting, program, counted).text();
}

}  // namespace reconverge::random_programs
