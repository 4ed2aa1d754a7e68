// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Small reports of each kind, in the form that `run` writes.

#include <string>

namespace reconverge::tests {

inline const std::string sample_definitions = R"("definitions": {
    "figures": {"cycles": {"unit": "cycles", "text": "from begin to end", "formula": "gpu.cycles"}},
    "counters": {"gpu.sm.scheduler": {"slots": {"unit": "issue slots", "text": "by outcome", "bins": ["issued", "empty"]}}}})";

inline const std::string sample_values = R"("figures": {"cycles": 1200, "slots_issued": 0.25, "dram_bandwidth": null},
    "counters": {"gpu": {"cycles": 1200}, "gpu.sm.scheduler": {"slots": [1200, 3600]}})";

inline const std::string sample_recorded =
    R"json("profile": {"program": "k.ptx", "lanes": 32, "causes": ["pipe", "empty"],
      "stalls_of_no_warp": [0, 6], "instructions": [{"pc": 0, "line": 12, "text": "@%p1 bra $L1;", "source": {"file": "k.cu", "line": 3, "text": "if (x)"},
        "inlined_at": [{"file": "k.cu", "line": 9, "text": "twice(x);"}], "executions": 10, "threads": 200, "lost_lanes": 120, "stalls": [4, 0],
        "branch": {"divergent": 2, "targets": [{"pc": 1, "threads": 150}, {"pc": 7, "threads": 50}]},
        "memory": {"space": "global", "cache": "l1", "lines": 4, "hits": 3, "misses": 1, "merges": 0}}]},
    "timeline": {"interval": 1000, "cycles": 1200, "begin": [0, 1000], "lane_classes": ["empty", "W29:32"],
      "lanes": [[1, 3], [2, 2]], "outcomes": ["issued", "empty"], "slots": [[3, 1], [2, 2]],
      "caches": {"l1": {"accesses": [4, 4], "hits": [1, 2]}}, "dram_bytes": [128, 0]})json";

/// A run that traces rays, with one profiled stage.
inline std::string sample_ray_report() {
  return R"({"format": "reconverge report", "schema_version": 1, "program_version": "0.1.0", "experiment": "room",
  "partial": false, "stopped_after": null, "platform": {"scheme": "mimd", "sms": 1, "clock_hz": 980000000},
  "workload": {"scene": "conference", "triangles": 12, "rays": 64, "structure": {"kind": "bvh"}},
  "checks": {"hits_agree": true, "picture_agrees": true, "issue_slots_add_up": true},
  "hits": {"checked": 64, "equal": 64, "ties": 0, "edges": 0, "mismatches": 0},
  "picture": {"file": "picture.png", "width": 2, "height": 2, "largest_difference": 0}, )" +
         sample_definitions +
         R"(, "stages": [{"name": "bounce 1", "kernel": "trace", "completed": true, "rays": 64, "rays_done": 64, )" +
         sample_values + ", " + sample_recorded + R"(}], "tracing": {"name": "tracing", )" + sample_values +
         R"(}, "total": {"name": "total", )" + sample_values + "}}";
}

inline std::string sample_launch_report() {
  return R"({"format": "reconverge launch report", "schema_version": 1, "program_version": "0.1.0", "experiment": "saxpy",
  "partial": true, "platform": {"machine": "timed", "scheme": "mimd", "sms": 1, "clock_hz": 980000000},
  "checks": {"expected_agree": false, "issue_slots_add_up": true}, "buffers": [],
  "expected": [{"buffer": "y", "against": "range", "values": 4, "differing": 1}],
  "outputs": [{"file": "y.png", "buffer": "y"}, {"file": "y.npy", "buffer": "y"}], )" +
         sample_definitions + R"(, "launches": [{"name": "saxpy", "kernel": "saxpy", "completed": true, )" +
         sample_values + R"(}], "total": {"name": "total", )" + sample_values + "}}";
}

/// The start of a PNG file of 2 by 3 pixels.
inline std::string sample_png() { return {"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\2\0\0\0\3\x8\2\0\0\0", 29}; }

}  // namespace reconverge::tests
