# SPDX-License-Identifier: Apache-2.0
"""The page of a sweep in headless Chromium: its Pareto front, means and selections are what this test computes from
the points, and it works by keyboard, at two widths, in light and dark, without a word on the console and without a network."""

import argparse
import csv
import io
import itertools
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import fixtures
from browser import Browser
from browser_test import BROKEN_WORDS, DRAWN, WIDER

PARTS = ["overview", "pareto", "parallel", "response", "points", "failures"]
SIZES = {"8 KiB": 8192, "16 KiB": 16384, "48 KiB": 49152, "128 KiB": 131072}
POLICIES = ["loose_round_robin", "gto"]

# Chooses an option of the select that has this name or label.
CHOOSE = """
const [part, name, option] = arguments;
const found = [...document.querySelectorAll(`#${part} select`)].find((each) =>
  (each.ariaLabel ?? each.closest("label").firstChild.textContent) === name);
const value = [...found.options].find((each) => each.textContent === option).value;
found.value = value;
found.dispatchEvent(new Event("change", {bubbles: true}));
"""

# Clicks the link and returns the text that it offers.
DOWNLOADED = """
const done = arguments[arguments.length - 1];
const original = URL.createObjectURL;
URL.createObjectURL = (blob) => { blob.text().then(done); return original.call(URL, blob); };
document.addEventListener("click", (event) => { if (event.target.href?.startsWith("blob:")) event.preventDefault(); });
document.querySelector("#points a.download").click();
URL.createObjectURL = original;
"""

# How many pixels of the canvas of a part are painted.
PAINTED = """
const canvas = document.querySelector(`#${arguments[0]} canvas`);
const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
return pixels.filter((value, index) => index % 4 === 3 && value > 0).length;
"""


def space():
    """72 points: some equal, some that failed, with the best figures of all, two without a figure, one without a result."""
    numbers = random.Random(7)
    points = []
    for experiment, sms, size, policy in itertools.product(["software", "shuffling"], [1, 2, 8, 32], SIZES, POLICIES):
        cycles = int(1e7 / sms**0.8 * numbers.uniform(0.7, 1.3))
        settings = [["gpu.sms", str(sms)], ["gpu.sm.l1.size", size], ["gpu.sm.scheduler.policy", policy]]
        figures = {"cycles": cycles, "simd_efficiency": round(numbers.uniform(0.3, 0.9), 3),
                   "thread_ipc": round(numbers.uniform(2, 60), 2)}
        points.append({"experiment": experiment, "settings": settings, "status": "ok", "message": "",
                       "seconds": numbers.uniform(1, 9), "figures": figures})
    for point in points[10:12]:
        point |= {"status": "check failed", "message": "hits differ: 3 of 100",
                  "figures": {"cycles": 10, "simd_efficiency": 0.99, "thread_ipc": 99}}
    for point in points[20:22]:
        del point["figures"]["simd_efficiency"]
    points[30]["figures"] = dict(points[40]["figures"])
    points[60] = {key: points[60][key] for key in ["experiment", "settings"]}
    best = min((point for point in completed(points).values() if "simd_efficiency" in point["figures"]),
               key=lambda point: point["figures"]["cycles"])
    points[5]["figures"] |= {key: best["figures"][key] for key in ["cycles", "simd_efficiency"]}  # both are on the front
    return points


def value(point, name):
    """Of a figure or a parameter; a word is itself."""
    if name in point["figures"]:
        return point["figures"][name]
    text = dict(point["settings"], experiment=point["experiment"]).get(name)
    return SIZES.get(text, int(text) if text and text.isdigit() else text)


def completed(points):
    """Points that the plots show, by their number on the page."""
    return {number: point for number, point in enumerate(points, 1) if point.get("status") == "ok"}


def front(points, x, y):
    """Numbers of points that no other one dominates. x, y: names, with a minus if smaller values are better."""
    def sign(name):
        return -1 if name[0] == "-" else 1
    known = {number: tuple(sign(name) * value(point, name.strip("-")) for name in (x, y))
             for number, point in completed(points).items()
             if all(value(point, name.strip("-")) is not None for name in (x, y))}
    def dominates(one, other):
        return all(a >= b for a, b in zip(one, other)) and one != other
    found = {}
    for number, point in known.items():
        if any(dominates(other, point) for other in found.values()):
            continue
        found = {other: there for other, there in found.items() if not dominates(point, there)} | {number: point}
    return sorted(found)


class SweepPageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory(prefix="reconverge-sweep-page-")
        cls.addClassCleanup(cls.place.cleanup)
        cls.folder = pathlib.Path(cls.place.name)
        cls.points = space()
        cls.page = cls.page_of("space", cls.points)
        cls.browser = Browser(OPTIONS.chromium, OPTIONS.driver)
        cls.addClassCleanup(cls.browser.__exit__)

    @classmethod
    def page_of(cls, name, points):
        (cls.folder / name).mkdir()
        subprocess.run([OPTIONS.store, str(cls.folder / name / "sweep.sqlite")], input=json.dumps(points), text=True, check=True)
        subprocess.run([OPTIONS.program, "report", str(cls.folder / name)], check=True, stdout=subprocess.DEVNULL)
        return cls.folder / f"{name}.html"

    def open(self, page=None, **how):
        self.browser.complaints()
        self.browser.requests()
        self.browser.open(page or self.page, **how)
        self.browser.settle()

    def tearDown(self):
        self.assertEqual(self.browser.complaints(), [])
        self.assertEqual([url for url in self.browser.requests() if not url.startswith("blob:")], [])

    def find(self, selector):
        return self.browser.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.browser.driver.find_elements(By.CSS_SELECTOR, selector)

    def choose(self, part, name, option):
        self.browser.run(CHOOSE, part, name, option)
        self.browser.settle()

    def emphasised(self):
        tips = self.browser.run("return [...document.querySelectorAll('#pareto .front-point')].map((each) => each.dataset.tip)")
        return sorted(int(tip.split("\n")[0].removeprefix("point ")) for tip in tips)

    def column(self, part, number):
        return [cell.text for cell in self.all(f"#{part} .data-table tbody tr > :nth-child({number})")]

    def selected(self):
        return int(self.find("#parallel .status").text.split()[0].replace(",", ""))

    def drag(self, axis, begin, end):
        """Along an axis of the parallel coordinates, between shares of it from the bottom."""
        handle = self.all("#parallel .handle")[axis]
        self.browser.run("arguments[0].scrollIntoView({block: 'center', inline: 'center'})", handle)
        self.browser.settle()
        length = handle.size["height"] - 16
        places = [round(length / 2 - share * length) for share in (begin, end)]
        ActionChains(self.browser.driver, duration=50).move_to_element_with_offset(handle, 0, places[0]).click_and_hold() \
            .move_by_offset(0, (places[1] - places[0]) // 2).move_to_element_with_offset(handle, 0, places[1]).release().perform()
        self.browser.settle()

    def test_the_front_is_that_of_the_oracle_for_every_choice(self):
        self.open()
        self.browser.see("pareto")
        self.assertEqual(self.emphasised(), front(self.points, "-cycles", "simd_efficiency"))
        self.assertIn(6, self.emphasised(), "one of two equal points")
        self.assertGreater(len(self.emphasised()), 2)
        fronts = set()
        for x, y in [("cycles", "simd_efficiency"), ("-cycles", "-simd_efficiency"), ("thread_ipc", "simd_efficiency"),
                     ("-thread_ipc", "cycles"), ("-gpu.sms", "-cycles"), ("-cycles", "-gpu.sm.l1.size")]:
            for label, name in [("Across", x), ("Up", y)]:
                shown = name.strip("-").replace("_", " ")
                self.choose("pareto", label, shown)
                title = {"gpu.sm.l1.size": "l1.size"}.get(shown, shown)
                self.choose("pareto", f"{title}: which is better", f"{'smaller' if name[0] == '-' else 'larger'} is better")
            expected = front(self.points, x, y)
            self.assertEqual(self.emphasised(), expected, f"{x} {y}")
            self.assertEqual(sorted(map(int, self.column("pareto", 1))), expected)
            fronts.add(tuple(expected))
        self.assertEqual(len(fronts), 6)
        self.assertTrue(self.browser.run(DRAWN, self.find("#pareto")), "the other points are not drawn")

    def test_the_front_of_one_experiment(self):
        self.open()
        self.browser.see("pareto")
        self.choose("choices", "Experiment", "shuffling")
        of_experiment = [point if point["experiment"] == "shuffling" else {} for point in self.points]
        expected = front(of_experiment, "-cycles", "simd_efficiency")
        self.assertEqual(self.emphasised(), expected)
        self.assertNotEqual(expected, front(self.points, "-cycles", "simd_efficiency"))

    def test_the_line_of_the_front_has_a_step_for_each_point(self):
        self.open()
        self.browser.see("pareto")
        path = self.browser.run("return document.querySelector('#pareto .front-line').getAttribute('d')")
        centres = [(each.get_attribute("cx"), each.get_attribute("cy")) for each in self.all("#pareto .front-point")]
        for x, y in centres:
            self.assertIn(f"H {x} V {y}", path)

    def test_points_tell_their_settings_under_the_pointer_and_by_keyboard(self):
        self.open()
        self.browser.see("pareto")
        last = self.all("#pareto .front-point")[-1]  # the first two are in one place
        tip = last.get_attribute("data-tip")
        self.assertIn("l1.size = ", tip)
        ActionChains(self.browser.driver).move_to_element(last).perform()
        self.browser.settle()
        self.assertEqual(self.browser.run("return document.getElementById('tip').textContent"), tip)
        ActionChains(self.browser.driver).move_to_element(self.find("h1")).perform()
        self.browser.run("document.querySelector('#pareto .front-point').focus()")
        first = self.browser.run("return document.activeElement.dataset.tip")
        ActionChains(self.browser.driver).send_keys(Keys.ARROW_RIGHT).perform()
        self.browser.settle()
        second = self.browser.run("return document.activeElement.dataset.tip")
        self.assertNotEqual(second, first)
        self.assertEqual(self.browser.run("return document.getElementById('tip').textContent"), second)
        self.assertEqual(len(self.all("#pareto .front-point[tabindex='0']")), 1)

    def test_colours_by_a_parameter_have_a_legend(self):
        self.open()
        self.browser.see("pareto")
        self.choose("pareto", "Colour", "gpu.sm.l1.size")
        self.assertEqual(self.find("#pareto .legend").text.split("\n"), ["l1.size", *SIZES])
        fills = {each.value_of_css_property("background-color") for each in self.all("#pareto .legend .swatch")}
        self.assertEqual(len(fills), len(SIZES))
        self.choose("pareto", "Colour", "experiment")
        self.assertEqual(self.find("#pareto .legend").text.split("\n"), ["experiment", "software", "shuffling"])

    def test_ranges_select_points(self):
        self.open()
        self.browser.see("parallel")
        total = len(completed(self.points))
        self.assertEqual(self.selected(), total)
        before = self.browser.run("return document.querySelector('#parallel canvas').toDataURL()")
        # Axes: experiment, SMs (logarithmic, 1 to 32), L1, policy, and figures. SMs from 6 on.
        self.drag(1, 0.55, 1)
        expected = sum(value(point, "gpu.sms") >= 8 for point in completed(self.points).values())
        self.assertEqual(self.selected(), expected)
        self.assertNotEqual(self.browser.run("return document.querySelector('#parallel canvas').toDataURL()"), before)
        # And the upper of two policies.
        self.drag(3, 0.6, 0.9)
        both = {number for number, point in completed(self.points).items()
                if value(point, "gpu.sms") >= 8 and value(point, "gpu.sm.scheduler.policy") == "gto"}
        self.assertEqual(self.selected(), len(both))
        self.browser.see("points")
        next(each for each in self.all("#points button") if each.text == "Selected by ranges").click()
        self.browser.settle()
        self.assertEqual({int(number) for number in self.column("points", 1)} & set(completed(self.points)), both)
        # A click clears an axis, the button all of them.
        self.browser.see("parallel")
        self.drag(3, 0.5, 0.5)
        self.assertEqual(self.selected(), expected)
        next(each for each in self.all("#parallel button") if each.text == "Clear all ranges").click()
        self.browser.settle()
        self.assertEqual(self.selected(), total)
        self.assertEqual(self.browser.run("return document.querySelector('#parallel canvas').toDataURL()"), before)

    def test_ranges_can_be_typed(self):
        self.open()
        self.browser.see("parallel")
        next(each for each in self.all("#parallel summary") if each.text == "Ranges").click()
        self.browser.settle()
        least = sorted(value(point, "cycles") for point in completed(self.points).values())[25]
        self.find("#parallel input[aria-label='cycles: from']").send_keys(str(least), Keys.TAB)
        self.browser.settle()
        slow = [point for point in completed(self.points).values() if value(point, "cycles") >= least]
        self.assertEqual(self.selected(), len(slow))
        self.choose("parallel", "l1.size: to", "16 KiB")
        self.assertEqual(self.selected(), sum(value(point, "gpu.sm.l1.size") <= 16384 for point in slow))
        self.assertEqual(len(self.all("#parallel .range")), 2)

    def test_other_figures_and_colours_are_drawn(self):
        self.open()
        self.browser.see("parallel")
        axes = len(self.all("#parallel .axis"))
        next(each for each in self.all("#parallel summary") if each.text == "Figures shown").click()
        next(each for each in self.all("#parallel label") if each.text == "host time").click()
        self.browser.settle()
        self.assertEqual(len(self.all("#parallel .axis")), axes + 1)
        self.choose("parallel", "Colour", "gpu.sm.scheduler.policy")
        self.assertEqual(self.find("#parallel .legend").text.split("\n"), ["scheduler.policy", *POLICIES])
        self.assertGreater(self.browser.run(PAINTED, "parallel"), 1000)

    def numbers(self):
        """The rows of the response plot, without their formats."""
        if not self.all("#response .numbers[open]"):
            self.find("#response .numbers summary").click()
            self.browser.settle()
        return [[cell.text for cell in row.find_elements(By.CSS_SELECTOR, "th, td")] for row in self.all("#response .numbers tbody tr")]

    def check_means(self, figure, x, lines, shown):
        groups = {}
        for point in completed(self.points).values():
            if value(point, figure) is not None:
                texts = dict(point["settings"], experiment=point["experiment"])
                groups.setdefault((texts[x], lines and texts[lines]), []).append(value(point, figure))
        rows = self.numbers()
        self.assertEqual(len(rows), len(groups))
        for row in rows:
            values = groups[row[0], row[1] if lines else None]
            expected = [shown(number) for number in (sum(values) / len(values), min(values), max(values))]
            self.assertEqual(row[-4:], [*expected, str(len(values))])
        self.assertEqual(len(self.all("#response .dot")), len(groups))

    def test_means_and_ranges_of_the_response_are_right(self):
        self.open()
        self.browser.see("response")
        whole = lambda number: f"{number + 1e-9:,.0f}"
        share = lambda number: f"{100 * number:.1f} %"
        self.choose("response", "A line for each", "gpu.sm.scheduler.policy")
        self.check_means("cycles", "gpu.sms", "gpu.sm.scheduler.policy", whole)
        self.assertEqual(len(self.all("#response .band")), 2)
        self.choose("response", "A line for each", "nothing: all points")
        self.check_means("cycles", "gpu.sms", None, whole)
        self.choose("response", "Figure", "simd efficiency")
        self.choose("response", "Over", "gpu.sm.scheduler.policy")
        self.choose("response", "A line for each", "experiment")
        self.check_means("simd_efficiency", "gpu.sm.scheduler.policy", "experiment", share)
        self.assertEqual(self.all("#response .band"), [])
        self.assertEqual(len(self.all("#response .spread")), 4)
        self.find("#response input[type=checkbox]").click()
        self.browser.settle()
        self.assertEqual(self.all("#response .spread"), [])

    def test_the_table_sorts_and_its_download_has_all_points(self):
        self.open()
        self.browser.see("points")
        self.assertEqual(len(self.column("points", 1)), 63)
        heads = [cell.text.replace("\n", "") for cell in self.all("#points thead th")]
        self.assertEqual(heads[:6], ["point", "experiment", "gpu.sms", "l1.size", "scheduler.policy", "status"])
        next(each for each in self.all("#points thead button") if each.text == "cycles").click()
        self.browser.settle()
        cycles = [int(text.replace(",", "")) for text in self.column("points", heads.index("cycles") + 1)]
        self.assertEqual(cycles, sorted(cycles, reverse=True))
        text = self.browser.driver.execute_async_script(DOWNLOADED)
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        expected = {number: point for number, point in enumerate(self.points, 1) if "status" in point}
        self.assertEqual([int(row["point"]) for row in rows], list(expected))
        for row in rows:
            point = expected[int(row["point"])]
            texts = dict(point["settings"], experiment=point["experiment"], status=point["status"])
            self.assertEqual({name: row[name] for name in texts}, texts)
            self.assertEqual(float(row["cycles"]), point["figures"]["cycles"])
            self.assertEqual(row["simd_efficiency"] == "", "simd_efficiency" not in point["figures"])

    def test_summary_and_failures(self):
        self.open()
        cards = dict(zip([each.text for each in self.all("#overview dt")], [each.text for each in self.all("#overview dd")]))
        names = ["points", "with a result", "parameters", "experiments"]
        self.assertEqual([cards[name] for name in names], ["64", "63", "3", "2"])
        self.assertEqual([chip.text for chip in self.all("#overview .place > .chips .chip")],
                         ["61 ok", "2 check failed", "1 without a result"])
        self.browser.see("failures")
        self.assertEqual(self.column("failures", 1), ["11", "12"])
        self.assertIn("hits differ: 3 of 100", self.find("#failures table").text)

    def test_nothing_runs_over_the_page_at_both_widths_in_light_and_dark(self):
        for width in [1280, 400]:
            for dark in [False, True]:
                self.open(width=width, dark=dark)
                for part in PARTS:
                    self.browser.see(part)
                    self.assertEqual(self.browser.run(WIDER), 0, f"{part} at {width}")
                self.assertEqual("\n".join(self.browser.run(BROKEN_WORDS)), "", f"at {width}")

    def test_plots_follow_the_width_of_the_window(self):
        self.open(width=1280)
        self.browser.see("pareto")
        width = lambda: self.find("#pareto svg").size["width"]
        wide = width()
        self.browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                            {"width": 700, "height": 900, "deviceScaleFactor": 1, "mobile": False})
        for _ in range(3):
            self.browser.settle()
        self.assertLess(width(), wide - 400)
        self.assertEqual(self.emphasised(), front(self.points, "-cycles", "simd_efficiency"))

    def test_controls_have_names_and_the_theme_keeps_choices(self):
        self.open(height=9000)
        self.assertEqual([each.get_attribute("id") for each in self.all("main > section")], PARTS)
        nameless = self.browser.run("""
            const parts = '[role=img], [role=group], [role=region], button, select, input, a, circle[tabindex]';
            return [...document.querySelectorAll(parts)]
                .filter((each) => !(each.ariaLabel || each.textContent.trim() || each.closest('label')))
                .map((each) => each.outerHTML.slice(0, 200));""")
        self.assertEqual(nameless, [])
        across = self.find("#pareto select")
        across.send_keys("thread")
        self.browser.settle()
        chosen = self.browser.run("return document.activeElement.selectedOptions[0].textContent")
        self.assertEqual(chosen, "thread ipc", "the select keeps the focus")
        self.find("#theme").click()
        self.browser.settle()
        self.assertEqual(self.emphasised(), front(self.points, "thread_ipc", "simd_efficiency"))

    def test_names_are_never_markup(self):
        hostile = fixtures.HOSTILE.replace("\0", "")
        points = [{"experiment": hostile + str(number % 2), "settings": [[hostile, hostile + str(number)]],
                   "status": "ok" if number else hostile, "message": hostile, "seconds": 1,
                   "figures": {hostile: number + 1, "cycles": number + 2}} for number in range(6)]
        self.open(self.page_of("hostile", points))
        for part in PARTS:
            self.browser.see(part)
            self.assertEqual(self.browser.run(WIDER), 0, part)
        self.assertIsNone(self.browser.run("return window.hacked ?? null"))
        self.assertEqual(len(self.all("script")), 2)
        self.assertIn("</script>", self.find("#failures table").text)

    def test_a_sweep_of_one_point_says_what_is_missing(self):
        point = {"experiment": "saxpy", "settings": [["gpu.sms", "1"]], "status": "ok", "message": "", "seconds": 1,
                 "figures": {"cycles": 5}}
        self.open(self.page_of("one", [point]))
        for part in PARTS:
            self.browser.see(part)
        self.assertEqual(self.emphasised(), [1])
        self.assertIn("No parameter differs", self.find("#response .note").text)
        self.open(self.page_of("none", [point | {"figures": {}, "status": "error", "message": "no such file"}]))
        for part in PARTS:
            self.browser.see(part)
        self.assertIn("No completed point", self.find("#pareto .note").text)

    def test_ten_thousand_points_are_drawn_and_selected(self):
        numbers = random.Random(3)
        points = [{"experiment": "saxpy", "status": "ok", "message": "", "seconds": 1,
                   "settings": [["gpu.sms", str(numbers.randint(1, 500))], ["gpu.sm.l1.size", numbers.choice(list(SIZES))]],
                   "figures": {"cycles": numbers.randint(1000, 100000), "simd_efficiency": numbers.random()}}
                  for _ in range(10000)]
        page = self.page_of("large", points)
        self.assertLess(page.stat().st_size, 2 * 2**20)
        self.open(page)
        for part in PARTS:
            self.browser.see(part)
        self.assertEqual(self.emphasised(), front(points, "-cycles", "simd_efficiency"))
        self.assertEqual(self.selected(), 10000)
        self.drag(1, 0.6, 1)
        self.assertEqual(self.selected(), sum(value(point, "gpu.sm.l1.size") >= 131072 for point in points))
        self.assertGreater(self.browser.run(PAINTED, "parallel"), 10000)
        self.assertEqual(len(self.column("points", 1)), 200)
        self.assertIn("groups them into 24 parts", self.find("#response .hint").text)


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--store", required=True, help="the program make_store")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--driver", default="/usr/bin/chromedriver")
    return parser.parse_known_args()


if __name__ == "__main__":
    OPTIONS, rest = parse()
    unittest.main(argv=[sys.argv[0], *rest])
