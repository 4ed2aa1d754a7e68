// SPDX-License-Identifier: Apache-2.0
#include "models/sm/coalescer.hpp"

#include <algorithm>
#include <bit>

#include "models/execution/operations/lanewise.hpp"

namespace reconverge {

namespace {

/// Adds the distinct lines that `lanes` touch, with their sectors; lanes in `repeats` are skipped.
void add_lines(const MemoryAccess& access, LaneMask lanes, unsigned shift, LineList& list) {
  const DeviceAddress in_line = (DeviceAddress{1} << shift) - 1;
  const auto sector_of = [&](unsigned lane) {
    return static_cast<SectorMask>(1U << ((access.address[lane] & in_line) / sector_bytes));
  };
  const std::size_t first = list.size();
  if (count_lanes(lanes) <= 4) {
    for_each_lane(lanes, [&](unsigned lane) {
      const DeviceAddress line = access.address[lane] & ~in_line;
      const auto known = list.from(first);
      const auto same = std::find_if(known.begin(), known.end(), [&](const auto& one) { return one.line == line; });
      if (same != known.end()) {
        same->sectors |= sector_of(lane);
      } else {
        list.push({line, sector_of(lane)});
      }
    });
    return;
  }
  // Line numbers relative to one lane fit in 32 bits, so that a vector compares twice as many lanes.
  const DeviceAddress base = access.address[first_lane(lanes)] >> shift;
  alignas(64) std::uint32_t number[warp_size];
  alignas(64) std::uint32_t sector[warp_size];
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    number[lane] = static_cast<std::uint32_t>((access.address[lane] >> shift) - base);
    sector[lane] = 1U << ((access.address[lane] & in_line) / sector_bytes);
  }
  for (LaneMask left = lanes; left != 0;) {
    const unsigned lane = first_lane(left);
    const std::uint32_t wanted = number[lane];
    alignas(64) std::uint32_t same[warp_size];
    for (unsigned other = 0; other < warp_size; ++other) same[other] = number[other] == wanted ? ~0U : 0U;
    const LaneMask together = operations::to_mask(same) & lanes;
    std::uint32_t sectors = 0;
    for (unsigned other = 0; other < warp_size; ++other) {
      sectors |= (together >> other & 1U) != 0 ? sector[other] : 0U;
    }
    left &= ~together;
    list.push({access.address[lane] & ~in_line, static_cast<SectorMask>(sectors)});
  }
}

/// The smallest aligned power-of-two part of the line, at least one sector, that contains all of `sectors`.
SectorMask segment_of(SectorMask sectors, unsigned line_sectors) {
  unsigned begin = 0;
  for (unsigned size = line_sectors; size > 1; size /= 2) {
    const unsigned lower = ((1U << (size / 2)) - 1) << begin;
    const unsigned upper = lower << (size / 2);
    if ((sectors & upper) != 0 && (sectors & lower) != 0) return static_cast<SectorMask>(lower | upper);
    if ((sectors & upper) != 0) begin += size / 2;
  }
  return static_cast<SectorMask>(1U << begin);
}

}  // namespace

void coalesce(const MemoryAccess& access, FirstLevel cache, unsigned line_bytes, const CoalescingRule& rule,
              LineList& lines) {
  const auto shift = static_cast<unsigned>(std::countr_zero(line_bytes));
  const std::size_t first = lines.size();
  const bool segments = rule.requests == LoadStoreCoalescing::half_warp_segments;
  const unsigned together = lanes_of_part(segments ? std::max(2U, rule.parts) : rule.parts);
  for (unsigned begin = 0; begin < warp_size; begin += together) {
    const LaneMask part = access.lanes & (all_lanes >> (warp_size - std::min(together, warp_size - begin)) << begin);
    if (part != 0) add_lines(access, part, shift, lines);
  }
  const std::size_t end = lines.size();
  for (LineRequest& request : lines.from(first)) {
    request.local = access.space == kernel::Space::local;
    request.cache = cache;
    if (rule.requests == LoadStoreCoalescing::lines) {
      request.padding = static_cast<SectorMask>(all_sectors(line_bytes) & ~request.sectors);
      request.sectors = all_sectors(line_bytes);
    }
    if (segments) request.sectors = segment_of(request.sectors, line_bytes / sector_bytes);
  }
  // Local memory holds wide values in rows of words: the same lines of each row.
  for (unsigned repeat = 1; repeat < access.repeats; ++repeat) {
    for (std::size_t i = first; i < end; ++i) {
      LineRequest request = lines.lines()[i];
      request.line += repeat * row_bytes;
      lines.push(request);
    }
  }
}

namespace {

constexpr unsigned half_warp = warp_size / 2;

using Halfwords [[gnu::vector_size(2 * half_warp)]] = std::uint16_t;  // one for each lane

Halfwords larger(Halfwords one, Halfwords other) { return one > other ? one : other; }

std::uint16_t largest(Halfwords of) {
  of = larger(of, __builtin_shufflevector(of, of, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  of = larger(of, __builtin_shufflevector(of, of, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11));
  of = larger(of, __builtin_shufflevector(of, of, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13));
  return std::max(of[0], of[1]);
}

/// The largest number of words that one of `banks` banks (a power of two) must serve for `lanes` of a half-warp whose
/// addresses begin at `address`; 0: some lanes may share a word.
unsigned largest_load(const DeviceAddress* address, LaneMask lanes, std::uint64_t banks) {
  Halfwords word{};
  for (unsigned lane = 0; lane < half_warp; ++lane) word[lane] = static_cast<std::uint16_t>(address[lane] / 4);
  const Halfwords bank = word & static_cast<std::uint16_t>(banks - 1);
  Halfwords in_bank{};  // for each lane: words in its bank, and words equal to its own, counted from 0 downwards
  Halfwords equal{};
  for_each_lane(lanes, [&](unsigned lane) {
    in_bank += static_cast<Halfwords>(bank == bank[lane]);
    equal += static_cast<Halfwords>(word == word[lane]);
  });
  // The count of an inactive lane is at most the number of active words in its bank.
  constexpr Halfwords bit_of_lane{0x1,   0x2,   0x4,   0x8,   0x10,   0x20,   0x40,   0x80,
                                  0x100, 0x200, 0x400, 0x800, 0x1000, 0x2000, 0x4000, 0x8000};
  const auto active = static_cast<Halfwords>((bit_of_lane & static_cast<std::uint16_t>(lanes)) != 0);
  const bool shared = largest(active & static_cast<Halfwords>(equal + 1)) != 0;
  return shared ? 0 : largest(-in_bank);
}

/// Whether no two active lanes n and n xor `distance` have different addresses.
bool paired(const MemoryAccess& access, unsigned distance) {
  bool all = true;
  for_each_lane(access.lanes, [&](unsigned lane) {
    const unsigned other = lane ^ distance;
    all = all && ((access.lanes & lane_bit(other)) == 0 || access.address[lane] == access.address[other]);
  });
  return all;
}

}  // namespace

unsigned shared_memory_cycles(const MemoryAccess& access, const SharedBanks& memory) {
  const unsigned words = memory.wide == LoadStoreSharedWide::first_word ? 1 : std::max(1U, access.bytes / 4);
  const bool double_groups = memory.wide == LoadStoreSharedWide::pairs && words > 1 && !access.write &&
                             (paired(access, 1) || paired(access, 2));
  const unsigned together = std::max(1U, (double_groups ? 2 : 1) * memory.lanes / words);
  unsigned served = 0;
  for (unsigned begin = 0; begin < warp_size; begin += together) {
    const LaneMask lanes = access.lanes & (all_lanes >> (warp_size - std::min(together, warp_size - begin)) << begin);
    if (together == half_warp && words == 1 && std::has_single_bit(memory.banks.divisor())) {
      const unsigned load = largest_load(access.address.data() + begin, lanes >> begin, memory.banks.divisor());
      served += load;
      if (load != 0 || lanes == 0) continue;
    }
    // Words that several lanes share are broadcast. The words of a bank, whose bit is in `used`, form a chain.
    std::array<DeviceAddress, warp_size> seen;
    std::array<std::uint8_t, warp_size> before;  // of each of these: the previous word of its bank
    std::array<std::uint8_t, 64> last;           // last word of each bank
    std::array<std::uint8_t, 64> load;           // words that each bank serves
    std::uint64_t used = 0;
    std::uint8_t distinct = 0;
    std::uint8_t worst = 0;
    const auto serve = [&](DeviceAddress address) {
      const std::uint64_t bank = memory.banks.divide(address).rest;
      const std::uint64_t bit = std::uint64_t{1} << bank;
      if ((used & bit) == 0) {
        used |= bit;
        load[bank] = 0;
      } else {
        std::uint8_t word = last[bank];
        for (std::uint8_t left = load[bank]; left != 0; --left, word = before[word]) {
          if (seen[word] == address) return;
        }
      }
      before[distinct] = last[bank];
      last[bank] = distinct;
      seen[distinct++] = address;
      worst = std::max(worst, ++load[bank]);
    };
    for_each_lane(lanes, [&](unsigned lane) {
      for (unsigned word = 0; word < words; ++word) serve(access.address[lane] / 4 + word);
    });
    served += worst;
  }
  return (served + memory.ports - 1) / memory.ports;
}

unsigned most_lanes_together(const MemoryAccess& access) {
  unsigned most = 1;
  for (LaneMask left = access.lanes; left != 0;) {
    const DeviceAddress address = access.address[first_lane(left)];
    LaneMask together = 0;
    for_each_lane(left, [&](unsigned lane) { together |= access.address[lane] == address ? lane_bit(lane) : 0; });
    most = std::max(most, count_lanes(together));
    left &= ~together;
  }
  return most;
}

}  // namespace reconverge
