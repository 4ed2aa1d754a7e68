# SPDX-License-Identifier: Apache-2.0
"""Reports for the tests of the page, made of real ones: what docs/report.md says of profiles and timelines, with numbers
that are easy to see, and names that no kernel should have."""

import json
import pathlib
import shutil

LANE_CLASSES = ["empty", "waiting", "W0:4", "W5:8", "W9:12", "W13:16", "W17:20", "W21:24", "W25:28",
                "W29:32"]

# Text that ends an element, begins markup, is not printable, or is not ASCII.
HOSTILE = "</script><script>window.hacked = true</script><!--<b>\"'&amp;\u0000\u0001\u2028 \U0001f600"


def timeline(interval, rows):
    """`rows` intervals in which lanes are lost little by little."""
    slots = 4 * interval
    lanes = []
    for row in range(rows):
        share = row / max(1, rows - 1)
        counts = [0] * len(LANE_CLASSES)
        counts[9] = round(slots * 0.6 * (1 - share))
        counts[2] = round(slots * 0.4 * share)
        counts[5] = round(slots * 0.15)
        counts[1] = round(slots * 0.15)
        counts[0] = slots - sum(counts)
        lanes.append(counts)
    outcomes = ["issued", "pipe", "dependency", "memory", "empty"]
    issued = [sum(counts[2:]) for counts in lanes]
    return {
        "interval": interval,
        "cycles": interval * rows - interval // 2,
        "lane_classes": LANE_CLASSES,
        "lanes": lanes,
        "outcomes": outcomes,
        "slots": [[n, 0, row[1] // 2, row[1] - row[1] // 2, row[0]] for n, row in zip(issued, lanes)],
        "caches": {
            "l1": {"accesses": [100] * rows, "hits": [50 + row % 50 for row in range(rows)]},
            "texture_cache": {"accesses": [0] * rows, "hits": [0] * rows},
            "constant_cache": {"accesses": [10] * rows, "hits": [9] * rows},
            "l2": {"accesses": [50] * rows, "hits": [row % 50 for row in range(rows)]},
        },
        "dram_bytes": [128 * (row % 7) * interval for row in range(rows)],
    }


def profile(instructions):
    """A program whose middle is hot; one branch and one load, and a line of source that is markup."""
    causes = ["pipe", "dependency", "memory", "empty"]
    listed = []
    for pc in range(instructions):
        executions = 1000 + 10 * pc
        threads = executions * (32 - pc % 30)
        heat = max(0, 100 - abs(pc - instructions // 2))
        entry = {
            "pc": pc,
            "line": 20 + pc,
            "text": f"add.f32 %f{pc}, %f1, %f2;",
            "source": {"file": "kernels/trace.cu", "line": 5 + pc // 3, "text": f"x += y[{pc // 3}];"},
            "executions": executions,
            "threads": threads,
            "lost_lanes": 32 * executions - threads,
            "stalls": [pc % 3, 10 * heat, heat, 0],
        }
        if pc % 10 == 4:
            entry["text"] = f"@%p1 bra $L{pc};"
            entry["branch"] = {
                "divergent": executions // 4,
                "targets": [{"pc": pc + 1, "threads": threads // 2}, {"pc": 0, "threads": threads - threads // 2}],
            }
        if pc % 10 == 7:
            entry["text"] = f"ld.global.f32 %f{pc}, [%rd1];"
            entry["memory"] = {"space": "global", "cache": "l1", "lines": 400, "hits": 300, "misses": 80, "merges": 20}
        listed.append(entry)
    listed[2]["source"]["text"] = HOSTILE
    del listed[3]["source"]
    for entry in listed[:3]:
        entry["inlined_at"] = [{"file": "kernels/trace.cu", "line": 90, "text": "shade(ray);"}]
    return {"program": "kernels/trace.ptx", "lanes": 32, "causes": causes, "stalls_of_no_warp": [0, 0, 0, 5], "instructions": listed}


def parts(report):
    return report.get("stages") or report["launches"]


def copy(source, target, change):
    """The report in `source` as `target`, with what `change` does to its report.json."""
    source, target = pathlib.Path(source), pathlib.Path(target)
    shutil.copytree(source, target)
    report = json.loads((target / "report.json").read_text())
    change(report)
    (target / "report.json").write_text(json.dumps(report))
    return target


def record(rows=60, interval=500, instructions=80):
    """A change that adds timeline and profile to every part."""

    def change(report):
        for part in parts(report):
            part["timeline"] = timeline(interval, rows)
            part["profile"] = profile(instructions)

    return change
