# SPDX-License-Identifier: Apache-2.0
"""Runs public test suites of PTX on the functional and on the timed machine, and counts what is equal, different and refused.

scripts/suites fetches the suites and calls this. Exit code 1 if a result is wrong, a run fails, or no result is right.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import struct
import sys
from typing import NamedTuple

import ptx_conversions
import ptx_floats
import ptx_integers
import ptx_tests
import zluda
from runner import MACHINES, Buffer, Kernel, Runner, kind

GOOD = ("equal", "accepted", "refused as it should be")
BAD = ("different", "failed")
ORDER = (*GOOD[:2], "different", "refused", "failed", GOOD[2], "accepted, though no PTX")


class Result(NamedTuple):
    suite: str
    machine: str
    name: str
    status: str
    detail: str
    values: int = 0  # that were compared


def run_zluda(runner, folder, test, sources):
    """On each machine; one that is refused on the first is not run on the next."""
    suite = "ZLUDA"
    label = test.label
    if test.output is None:
        outcome = runner.compile(sources / test.program, test.name)
        yield Result(suite, "none, decoded", label, "accepted" if outcome.status == "ran" else outcome.status, outcome.message)
        return
    kernel = zluda_kernel(test, (sources / test.program).read_text(encoding="utf-8"))
    for machine in MACHINES:
        outcome = runner.run(kernel, machine, folder / label)
        if outcome.status != "ran":
            yield Result(suite, machine, label, outcome.status, outcome.message)
            if outcome.status == "refused":
                return
            continue
        difference = zluda.difference(test.output, outcome.output)
        yield Result(suite, machine, label, "different" if difference else "equal", difference or "", len(test.output.numbers))


def zluda_kernel(test, source):
    buffers = {"output": Buffer(test.output.size, len(test.output.numbers))}
    arguments = ["input", "output"]
    if test.input is not None:
        buffers["input"] = Buffer(test.input.size, len(test.input.numbers), test.input.packed())
    else:
        arguments = ["output"] * zluda.parameters(source, test.name)
    return Kernel(source, test.name, test.threads, 1, buffers, arguments, "output", zluda.DYNAMIC_SHARED)


def run_ptx_test(runner, folder, test, templates, cases):
    suite = "ptx_tests"
    rows = test.operands(cases if test.valid else ptx_tests.BLOCK)
    buffers = {test.output[0]: Buffer(test.output[1], len(rows))}
    for place, (name, size) in enumerate(test.inputs.items()):
        buffers[name] = Buffer(size, len(rows), b"".join(row[place].to_bytes(size, "little") for row in rows))
    arguments = [*test.inputs, test.output[0]]
    kernel = Kernel(test.source(templates), "run", ptx_tests.BLOCK, len(rows) // ptx_tests.BLOCK, buffers, arguments, test.output[0])
    for machine in MACHINES:
        outcome = runner.run(kernel, machine, folder / test.name)
        if not test.valid:
            status = {"refused": "refused as it should be", "ran": "accepted, though no PTX"}
            yield Result(suite, machine, test.name, status.get(outcome.status, outcome.status), outcome.message)
            return
        if outcome.status != "ran":
            yield Result(suite, machine, test.name, outcome.status, outcome.message)
            if outcome.status == "refused":
                return
            continue
        yield compared(suite, machine, test, rows, outcome.output)


def compared(suite, machine, test, rows, output):
    code = {1: "B", 2: "H", 4: "I", 8: "Q"}[test.output[1]]
    wrong = []
    for row, result in zip(rows, struct.unpack(f"<{len(rows)}{code}", output)):
        right = test.check(row, result)
        if right is not None:
            wrong.append((row, result, right))
    if not wrong:
        return Result(suite, machine, test.name, "equal", "", len(rows))
    row, result, right = wrong[0]
    operands = ", ".join(f"0x{value:x}" for value in row)
    detail = f"{len(wrong)} of {len(rows)} results; of {operands} it is 0x{result:x}, expected 0x{right:x}"
    return Result(suite, machine, test.name, "different", detail, len(rows))


def zluda_jobs(folder, build, runner, only):
    sources = folder / zluda.FOLDER
    tests, unread = zluda.read((sources / "mod.rs").read_text(encoding="utf-8"))
    for name, reason in unread:
        print(f"ZLUDA: {name}: not read: {reason}")
    for test in tests:
        if only.search(test.label):
            yield lambda test=test: list(run_zluda(runner, build / "zluda", test, sources))


def ptx_jobs(folder, build, runner, only, cases):
    sources = folder / ptx_tests.FOLDER
    templates = {path.stem: path.read_text(encoding="utf-8") for path in sources.glob("*.ptx")}
    modules = {}
    for part in (ptx_integers, ptx_floats, ptx_conversions):
        modules.update(part.tests())
    listed = re.findall(r"(\w+)::all_tests\(\)", (sources / "mod.rs").read_text(encoding="utf-8"))
    for name in listed:
        if name not in modules:
            print(f"ptx_tests: {name}: not translated to tests/suites")
    for name in listed:
        for test in modules.get(name, []):
            if only.search(test.name):
                yield lambda test=test: list(run_ptx_test(runner, build / "ptx_tests", test, templates, cases))


def table(results):
    """Markdown: a line for each suite and machine."""
    used = [status for status in ORDER if any(result.status == status for result in results)]
    lines = ["| suite | machine | tests | " + " | ".join(used) + " | values compared |", "|---" * (len(used) + 4) + "|"]
    groups = collections.defaultdict(list)
    for result in results:
        groups[result.suite, result.machine].append(result)
    for (suite, machine), group in sorted(groups.items()):
        counts = collections.Counter(result.status for result in group)
        cells = [suite, machine, len(group), *(counts[status] for status in used), f"{sum(result.values for result in group):,}"]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def reasons(results, status):
    """Messages of one status, most frequent first, each with the number of tests, some of their names, and the machine if it is one only."""
    groups = collections.defaultdict(dict)
    for result in results:
        if result.status == status:
            groups[result.suite, kind(result.detail)].setdefault(result.name, []).append(result.machine)
    for (suite, message), tests in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        names = list(tests)
        shown = ", ".join(names[:4]) + (", ..." if len(names) > 4 else "")
        machines = {machine for group in tests.values() for machine in group}
        only = f", {machines.pop()} machine" if status in BAD and len(machines) == 1 else ""
        yield f"  {len(names)} of {suite} ({shown}{only}): {message}"


def report(results):
    print(table(results))
    for status, title in [("different", "Wrong results"), ("failed", "Failed runs"), ("refused", "Refusals"), (ORDER[-1], "No PTX, but accepted")]:
        lines = list(reasons(results, status))
        if lines:
            print(f"\n{title}:")
            print("\n".join(lines))


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return number


def pattern(text):
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text} is no regular expression: {error}") from error


def exit_code(results):
    """0 if some result is right and none is wrong: where all programs are refused, the platform is to blame."""
    statuses = {result.status for result in results}
    return int(not statuses.intersection(GOOD[:2]) or bool(statuses.intersection(BAD)))


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=pathlib.Path, required=True, help="reconverge")
    parser.add_argument("--platform", type=pathlib.Path, required=True, help="platform of the runs")
    parser.add_argument("--build", type=pathlib.Path, required=True, help="folder for launch files and reports; replaced")
    parser.add_argument("--zluda", type=pathlib.Path, help="folder of ZLUDA")
    parser.add_argument("--ptx-tests", type=pathlib.Path, help="folder of ptx_tests")
    parser.add_argument("--cases", type=positive, default=4096, help="results to compare of each test of ptx_tests; 65536 are all of 16-bit operands")
    parser.add_argument("--only", type=pattern, default=re.compile(""), help="regular expression: tests whose name has it")
    parser.add_argument("--jobs", type=positive, default=os.cpu_count(), help="runs at a time")
    options = parser.parse_args(arguments)
    runner = Runner(options.program.resolve(), options.platform.resolve())
    build = options.build.resolve()
    shutil.rmtree(build, ignore_errors=True)
    jobs = []
    if options.zluda:
        jobs += zluda_jobs(options.zluda, build, runner, options.only)
    if options.ptx_tests:
        jobs += ptx_jobs(options.ptx_tests, build, runner, options.only, options.cases)
    if not jobs:
        print("no test has such a name")
        return 2
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = [result for group in pool.map(lambda job: job(), jobs) for result in group]
    report(results)
    return exit_code(results)


if __name__ == "__main__":
    sys.exit(main())
