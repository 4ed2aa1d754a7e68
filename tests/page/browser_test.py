# SPDX-License-Identifier: Apache-2.0
"""The page of reports in headless Chromium: it opens from a file, draws, and does what its controls say, without a word on
the console and without a network. Its reports are those of the program, and copies of them with what docs/report.md says."""

import argparse
import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import fixtures
from browser import Browser

TOP = pathlib.Path(__file__).resolve().parents[2]
PARTS = ["overview", "slots", "lanes", "time", "program", "warps", "memory", "pictures", "figures", "configuration"]

# Whether a canvas has more than one colour.
DRAWN = """
const canvas = arguments[0].querySelector("canvas");
const pixels = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
return new Set(pixels).size > 4;
"""

# For every colour, given as three numbers, the columns of a canvas in which it appears.
COLUMNS_OF = """
const [canvas, colours] = arguments;
const {width, height} = canvas;
const pixels = canvas.getContext("2d").getImageData(0, 0, width, height).data;
const near = (colour, x, y) => colour.every((part, index) => Math.abs(pixels[4 * (y * width + x) + index] - part) < 30);
return colours.map((colour) => [...Array(width).keys()].filter((x) => [...Array(height).keys()].some((y) => near(colour, x, y))).length);
"""

# How many pixels the page is wider than its window.
WIDER = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"

# Texts in bars that are neither entirely inside their piece nor below it, out of sight; and how many are in sight.
CUT_TEXTS = """
const texts = [...document.querySelectorAll(".piece span")].map((text) => [text.getBoundingClientRect(), text.parentElement.getBoundingClientRect()])
    .filter(([text, piece]) => text.top < piece.bottom);
return [texts.filter(([text, piece]) => text.left < piece.left - 1 || text.right > piece.right + 1).length, texts.length];
"""

# Words of letters and digits that extend over more than one line, with their lines. Rows of code are cut, not wrapped.
BROKEN_WORDS = """
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const broken = [];
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  if (node.parentElement.closest("script, style, option, .hidden") || !node.parentElement.checkVisibility()) continue;
  for (const word of node.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
    const range = document.createRange();
    range.setStart(node, word.index);
    range.setEnd(node, word.index + word[0].length);
    if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) broken.push(`${word[0]} in ${node.data}`);
  }
}
return broken;
"""


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory(prefix="reconverge-page-")
        cls.addClassCleanup(cls.place.cleanup)
        cls.folder = pathlib.Path(cls.place.name)
        cls.simulate("saxpy.yaml", "saxpy")
        cls.simulate("conference.yaml", "room", "--set", "workload.width=16", "--set", "workload.height=12")
        cls.browser = Browser(OPTIONS.chromium, OPTIONS.driver)
        cls.addClassCleanup(cls.browser.__exit__)

    @classmethod
    def simulate(cls, experiment, name, *more):
        subprocess.run([OPTIONS.program, "run", str(TOP / "yaml/experiments" / experiment), "--out", str(cls.folder / name),
                        "--quiet", *more], check=True)

    @classmethod
    def page_of(cls, *reports):
        page = cls.folder / "page.html"
        subprocess.run([OPTIONS.program, "report", *map(str, reports), "--out", str(page)], check=True,
                       stdout=subprocess.DEVNULL)
        return page

    def copy(self, source, name, change):
        target = self.folder / self.id().split(".")[-1] / name
        return fixtures.copy(self.folder / source, target, change)

    def recorded(self):
        """Two runs of the room with everything that can be recorded, in a page."""
        first = self.copy("room", "first", fixtures.record(rows=60))
        second = self.copy("room", "second", fixtures.record(rows=30, instructions=40))
        return self.page_of(first, second)

    def open(self, page, **how):
        self.browser.complaints()
        self.browser.requests()
        self.browser.open(page, **how)
        self.browser.settle()

    def tearDown(self):
        self.assertEqual(self.browser.complaints(), [])
        self.assertEqual(self.browser.requests(), [])

    def find(self, selector):
        return self.browser.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.browser.driver.find_elements(By.CSS_SELECTOR, selector)

    def press(self, part, text):
        """The button of a part with this text."""
        button = next(each for each in self.all(f"#{part} button") if each.text == text)
        self.browser.run("arguments[0].scrollIntoView({block: 'center'})", button)
        button.click()
        self.browser.settle()

    def column(self, part, number):
        return [cell.text for cell in self.all(f"#{part} .data-table tbody tr > :nth-child({number})")]

    def assert_drawn(self, part):
        self.browser.see(part)
        self.assertTrue(self.browser.run(DRAWN, self.find(f"#{part}")), f"{part}: the canvas is blank")

    def test_every_part_is_drawn_when_it_is_seen(self):
        self.open(self.recorded(), height=500)
        self.assertEqual(self.all("#configuration table"), [], "nothing is drawn before it is seen")
        for part in PARTS:
            self.browser.see(part)
            self.assertNotEqual(self.find(f"#{part} .place").text, "", part)
        for part in ["lanes", "time", "program", "memory"]:
            self.assert_drawn(part)
        self.assertEqual(len(self.all("#pictures img")), 2)
        self.assertTrue(self.browser.run("return [...document.images].every((image) => image.complete && image.naturalWidth === 16)"))

    def test_nothing_runs_over_the_page_at_both_widths_in_light_and_dark(self):
        page = self.recorded()
        for width in [1280, 400]:
            seen = set()
            for dark in [False, True]:
                self.open(page, width=width, dark=dark)
                for part in PARTS:
                    self.browser.see(part)
                    self.assertEqual(self.browser.run(WIDER), 0, f"{part} at {width}")
                seen.add(self.browser.run("return getComputedStyle(document.querySelector('section')).backgroundColor"))
            self.assertEqual(len(seen), 2, "light and dark have colours of their own")

    def test_long_names_do_not_widen_the_page(self):
        def lengthen(report):
            fixtures.record(rows=10)(report)
            report["experiment"] = "a_name_without_end_" * 8
            for part in fixtures.parts(report):
                part["name"] = part["kernel"] = "_ZN4some6kernel" * 10

        page = self.page_of(self.copy("saxpy", "a", lengthen), self.copy("saxpy", "b", lengthen))
        for width in [1280, 400]:
            self.open(page, width=width)
            for part in PARTS:
                self.browser.see(part)
                self.assertEqual(self.browser.run(WIDER), 0, f"{part} at {width}")

    def test_labels_do_not_break_within_words(self):
        def name(run):
            def rename(report):
                fixtures.record(rows=10)(report)
                report["experiment"] = f"conference_{run}_with_dynamic_ray_shuffling.and.convergence_barriers"
                for part in fixtures.parts(report):
                    part["kernel"] = "trace_persistent_while_while_shuffled"
                    part["profile"]["program"] = "../../platforms/kernels/trace_persistent_while_while_shuffled.ptx"
            return rename

        page = self.page_of(*[self.copy("room", run, name(run)) for run in ["reconvergence_stack", "thread_block_compaction"]])
        for width in [1280, 400]:
            self.open(page, width=width)
            for part in PARTS:
                self.browser.see(part)
            self.press("slots", "Parts of conference_thread_block_compaction_with_dynamic_ray_shuffling.and.convergence_barriers")
            self.assertEqual("\n".join(self.browser.run(BROKEN_WORDS)), "", f"at {width}")

    def test_the_theme_can_be_chosen(self):
        self.open(self.recorded())
        colour = "return getComputedStyle(document.documentElement).backgroundColor"
        before = self.browser.run(colour)
        self.find("#theme").click()
        self.browser.settle()
        self.assertNotEqual(self.browser.run(colour), before)
        self.assertEqual(self.find("#theme").get_attribute("aria-pressed"), "true")
        self.assert_drawn("time")

    def test_tables_filter_and_sort(self):
        self.open(self.recorded())
        self.browser.see("figures")
        rows = len(self.column("figures", 1))
        self.find("#figures input[type=search]").send_keys("hit rate")
        self.browser.settle()
        names = self.column("figures", 1)
        self.assertTrue(0 < len(names) < rows)
        self.assertIn("l2_hit_rate", names)
        self.browser.see("program")
        sorted_by = lambda: self.find("#program th[aria-sort]")
        next(each for each in self.all("#program thead button") if each.text == "lost lanes").click()
        self.browser.settle()
        numbers = lambda: [int(text.replace(",", "")) for text in self.column("program", 7)]
        self.assertEqual(numbers(), sorted(numbers(), reverse=True))
        self.assertEqual(sorted_by().get_attribute("aria-sort"), "descending")
        sorted_by().find_element(By.TAG_NAME, "button").click()
        self.browser.settle()
        self.assertEqual(numbers(), sorted(numbers()))
        self.find("#program input[type=search]").send_keys("bra")
        self.browser.settle()
        self.assertTrue(self.column("program", 2))
        self.assertTrue(all("bra" in text for text in self.column("program", 2)))

    def test_runs_baselines_and_parts_are_switched(self):
        self.open(self.page_of(self.folder / "saxpy", self.folder / "room"))
        self.assertIn("saxpy", self.find("#overview tr:nth-child(1)").text + self.find("#overview table").text)
        part = self.browser.run("return [...document.querySelectorAll('#choices select')].pop().selectedOptions[0].text")
        self.assertEqual(part, "tracing, or total of launches")
        cycles = self.find("#overview .card dd").text.split()[0]
        traced = json.loads((self.folder / "room/report.json").read_text())["tracing"]["figures"]["cycles"]
        self.assertEqual(cycles, f"{traced:,}")
        self.browser.run("""const select = document.querySelector('#choices select');
            select.value = '0'; select.dispatchEvent(new Event('change', {bubbles: true}));""")
        self.browser.settle()
        self.assertNotEqual(self.find("#overview .card dd").text.split()[0], cycles)
        self.press("slots", "Parts of saxpy")
        self.assertIn("saxpy", [name.text for name in self.all("#slots .row-name")])
        self.assertEqual(self.all("#overview tr.chosen th button")[0].text, "saxpy")

    def test_clock_and_time_are_shown_where_clocks_differ(self):
        def slow(report):
            report["platform"]["clock_hz"] = 490000000

        heads = lambda: [cell.text for cell in self.all("#overview table.runs thead th")]
        self.open(self.page_of(self.folder / "saxpy", self.copy("saxpy", "slow", slow)))
        self.assertEqual(heads()[3:6], ["cycles", "clock", "seconds"])
        self.assertEqual([row.text for row in self.all("#overview table.runs tbody td:nth-of-type(4)")], ["980 MHz", "490 MHz"])
        self.open(self.page_of(self.folder / "saxpy", self.copy("saxpy", "same", lambda report: None)))
        self.assertNotIn("clock", heads())

    def test_texts_of_bars_are_whole_or_not_there(self):
        def crowd(report):
            report["total"]["figures"] |= {"slots_dependency": 0.14, "slots_divergence_switch": 0.14, "slots_memory": 0.07}

        page = self.page_of(self.copy("saxpy", "crowded", crowd))
        for width in [1280, 400]:
            self.open(page, width=width)
            for part in ["slots", "lanes"]:
                self.browser.see(part)
            cut, seen = self.browser.run(CUT_TEXTS)
            self.assertEqual(cut, 0, f"at {width}")
            self.assertGreater(seen, 3)

    def test_launches_of_one_kernel_add_up_and_can_be_chosen(self):
        def twice(report):
            fixtures.record(rows=10, instructions=20)(report)
            first = report["launches"][0]
            report["launches"].append(copy.deepcopy(first))
            del first["profile"]["instructions"][7]["memory"]  # it requested no line in the first
            report["launches"][1]["name"] = "saxpy (2)"
            report["launches"][1]["figures"]["cycles"] = 12345

        self.open(self.page_of(self.copy("saxpy", "twice", twice)))
        self.browser.see("program")
        self.assertIn("75 % of 400", self.find("#pc-7").text)
        self.assertEqual(self.find("#pc-6 :nth-child(5)").text, "2,120")
        self.assertIn("of warps, 10 of none", self.find("#program .hint").text)
        self.browser.run("""const select = document.querySelector('#choices select');
            select.value = 'launch:saxpy (2)'; select.dispatchEvent(new Event('change', {bubbles: true}));""")
        self.browser.see("overview")
        self.assertEqual(self.find("#overview .card dd").text, "12,345")

    def test_a_run_without_its_configuration_differs_in_nothing(self):
        runs = [self.copy("saxpy", name, lambda report: None) for name in "abc"]
        (runs[2] / "effective.yaml").unlink()
        self.open(self.page_of(*runs))
        self.browser.see("configuration")
        self.assertIn("the runs have the same configuration", self.find("#configuration .note").text)

    def test_missing_data_say_how_they_are_recorded(self):
        self.open(self.page_of(self.folder / "saxpy"))
        for part, option in [("time", "--interval"), ("program", "--profile"), ("pictures", "png")]:
            self.browser.see(part)
            self.assertIn(option, self.find(f"#{part} .note").text)
        self.browser.see("warps")
        self.assertIn("trace", self.find("#warps .note").text)

    def test_the_program_names_the_runs_without_a_profile(self):
        def named(name, change=lambda report: None):
            def rename(report):
                report["experiment"] = name
                change(report)
            return self.copy("saxpy", name, rename)

        plain, recorded = named("plain"), named("recorded", fixtures.record(rows=5, instructions=20))
        for reports in [(plain, recorded), (recorded, plain)]:
            self.open(self.page_of(*reports))
            self.browser.see("program")
            note = self.find("#program .note").text
            self.assertIn("no profile of this part of plain.", note)
            self.assertNotIn("recorded", note)
            self.assertEqual(len(self.all("#program table")), int(reports[1] == recorded))
        self.open(self.page_of(recorded))
        self.browser.see("program")
        self.assertEqual(self.all("#program .note"), [])

    def test_failed_checks_and_partial_runs_are_marked(self):
        def spoil(report):
            report["partial"] = True
            report["checks"]["expected_agree"] = False

        self.open(self.page_of(self.copy("saxpy", "spoilt", spoil)))
        self.assertEqual(self.find("#overview .chip.bad").text, "check failed: expected agree")
        self.assertIn("partial", self.find("#overview .chip.warn").text)

    def test_names_are_never_markup(self):
        def rename(report):
            fixtures.record(rows=5)(report)
            report["experiment"] = fixtures.HOSTILE
            for part in fixtures.parts(report):
                part["name"] = part["kernel"] = fixtures.HOSTILE
            report["platform"]["scheme"] = fixtures.HOSTILE

        self.open(self.page_of(self.copy("saxpy", "a", rename), self.copy("saxpy", "b", rename)))
        for part in PARTS:
            self.browser.see(part)
        self.press("program", "Source lines")
        self.assertIsNone(self.browser.run("return window.hacked ?? null"))
        self.assertEqual(len(self.all("script")), 3)
        self.assertIn("</script>", self.find("#title").text)
        self.assertIn("</script>", self.find("#program table").text)

    def test_costs_of_inlined_functions_are_shown_at_their_calls(self):
        self.open(self.recorded())
        self.browser.see("program")
        self.press("program", "Lines that call")
        places = self.column("program", 1)
        self.assertIn("trace.cu:90", places)
        self.assertNotIn("trace.cu:5", places)

    def test_warps_are_drawn_from_the_data_of_the_page(self):
        page = self.recorded()
        text = page.read_text()
        begin = text.index('<script type="application/json" id="data">') + len('<script type="application/json" id="data">')
        end = text.index("</script>", begin)
        data = json.loads(text[begin:end])
        spans = [[cycle, cycle + 9, 1 + cycle % 32, cycle % 7] for cycle in range(100, 190, 10)]
        data["runs"][1]["warps"] = {"begin": 100, "end": 200, "rows": [{"name": f"SM 0 warp {warp}", "spans": spans} for warp in range(12)]}
        page.write_text(text[:begin] + json.dumps(data).replace("<", "\\u003c") + text[end:])
        self.open(page)
        self.assert_drawn("warps")
        self.assertIn("Cycles 100 to 199", self.find("#warps").text)
        self.press("warps", "Zoom in")
        self.assertIn("Cycles 125 to 174", self.find("#warps").text)
        ticks = [tick.text for tick in self.all("#warps .cycles span")]
        self.assertIn("150", ticks)
        self.assertTrue(all(125 <= int(tick) < 175 for tick in ticks), ticks)

    def test_the_timeline_zooms_and_tells_its_numbers(self):
        self.open(self.recorded())
        self.browser.see("time")
        chart = self.find("#time .chart")
        before = self.find("#time .areas").text
        chart.send_keys(Keys.ARROW_RIGHT)
        self.browser.settle()
        self.assertIn("cycle", self.find("#time .areas-head").text)
        self.assertNotEqual(self.find("#time .areas").text, before)
        picture = self.browser.run("return document.querySelector('#time canvas').toDataURL()")
        chart.send_keys("+")
        self.browser.settle()
        self.assertNotEqual(self.browser.run("return document.querySelector('#time canvas').toDataURL()"), picture)
        chart.send_keys("0")
        self.browser.settle()
        self.press("time", "Active lanes of what issued")
        self.assertNotIn("waiting", self.find("#time .areas").text)
        self.press("time", "Outcomes of issue slots")
        self.assertIn("dependency", self.find("#time .areas").text)
        self.find("#time summary").click()
        self.browser.settle()
        self.assertGreater(len(self.all("#time .numbers tbody tr")), 10)

    def test_a_double_click_shows_all_of_both_runs(self):
        self.open(self.recorded())  # the run is half as long as its baseline
        self.browser.see("time")
        chart = self.find("#time .chart")
        pictures = lambda: self.browser.run("return [...document.querySelectorAll('#time canvas')].map((canvas) => canvas.toDataURL())")
        before = pictures()
        chart.send_keys("+")
        self.browser.settle()
        self.assertTrue(all(now != then for now, then in zip(pictures(), before)), "both zoom")
        ActionChains(self.browser.driver).move_to_element(chart).double_click().perform()
        self.browser.settle()
        self.assertEqual(pictures(), before)

    def test_means_of_what_issued_are_of_all_that_issued(self):
        def idle(report):
            fixtures.record(rows=10)(report)
            for row in report["launches"][0]["timeline"]["lanes"][:5]:
                row[:] = [sum(row)] + [0] * 9

        self.open(self.page_of(self.copy("saxpy", "idle", idle)))
        self.browser.see("time")
        self.press("time", "Active lanes of what issued")
        shares = [float(value.text.split()[0]) for value in self.all("#time .areas .value")]
        self.assertAlmostEqual(sum(shares), 100, delta=0.5)

    def test_hit_rates_are_drawn_over_just_the_intervals_that_have_one(self):
        def seldom(report):
            fixtures.record(rows=10, interval=500)(report)
            caches = report["launches"][0]["timeline"]["caches"]
            caches["l1"] = {"accesses": [10 * (row in (2, 9)) for row in range(10)], "hits": [5 * (row in (2, 9)) for row in range(10)]}
            caches["constant_cache"] = caches["texture_cache"]
            caches["l2"] = {"accesses": [10] * 10, "hits": [2] * 10}

        self.open(self.page_of(self.copy("saxpy", "seldom", seldom)))
        self.browser.see("memory")
        columns = self.browser.run(COLUMNS_OF, self.find("#memory canvas"), [(0, 114, 178), (204, 121, 167)])
        # Two of ten intervals, the last of which is half as long.
        self.assertAlmostEqual(columns[0] / columns[1], 1.5 / 9.5, delta=0.01)

    def test_a_branch_leads_to_its_target(self):
        self.open(self.recorded())
        self.browser.see("program")
        target = next(each for each in self.all("#program .targets button") if each.text.startswith("→5"))
        self.browser.run("arguments[0].click()", target)
        self.browser.settle()
        self.assertIn("found", self.find("#pc-5").get_attribute("class"))

    def test_everything_is_reached_by_the_keyboard(self):
        self.open(self.recorded())
        self.browser.run("document.documentElement.style.scrollBehavior = 'auto'")
        actions = ActionChains(self.browser.driver)
        reached, invisible = set(), []
        for _ in range(400):
            actions.send_keys(Keys.TAB).perform()
            where = self.browser.run("""const element = document.activeElement;
                if (element === document.body) return null;
                const style = getComputedStyle(element);
                return [(element.closest('section, nav, header') ?? element).id || (element.closest('nav, header') ?? element).className,
                        style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0];""")
            if where is None:
                break
            reached.add(where[0])
            if not where[1]:
                invisible.append(where[0])
            if where[0] == "program":  # hundreds of branches: continue with the next
                self.browser.run("[...document.querySelectorAll('#program button, #program [tabindex]')].pop().focus()")
        self.assertEqual(invisible, [])
        self.assertTrue(set(PARTS) - {"pictures"} - {"warps"} <= reached, reached)
        self.assertTrue({"skip", "bar", "parts"} <= reached, reached)

    def test_the_keyboard_passes_over_no_part_that_was_not_seen(self):
        self.open(self.page_of(self.folder / "saxpy"), height=400)
        self.browser.see("slots")
        self.assertEqual(self.all("#memory summary"), [])
        # Three parts without data are in between; all in one step, faster than anything is painted.
        self.browser.run("""const last = (part) => [...document.querySelectorAll(`#${part} :is(button, summary, [tabindex])`)].pop();
            last('slots').focus();
            last('lanes').focus();""")
        self.assertNotEqual(self.all("#memory summary"), [])

    def test_headings_landmarks_and_names(self):
        self.open(self.recorded(), height=9000)
        self.assertEqual(len(self.all("h1")), 1)
        self.assertEqual(len(self.all("main")), 1)
        self.assertEqual([each.get_attribute("id") for each in self.all("main > section")], PARTS)
        nameless = self.browser.run("""return [...document.querySelectorAll('[role=img], [role=region], canvas.strip, button, select, input, img')]
            .filter((each) => !(each.ariaLabel || each.alt || each.textContent.trim() || each.closest('label')))
            .map((each) => each.outerHTML.slice(0, 200));""")
        self.assertEqual(nameless, [])

    def test_a_page_of_ten_runs_is_small_and_draws_what_is_seen(self):
        page = self.page_of(*[self.copy("room", f"run{number}", fixtures.record()) for number in range(10)])
        self.assertLess(page.stat().st_size, 8 * 2**20)
        self.open(page, height=500)
        self.assertEqual(len(self.all("#overview tbody tr")), 10)
        self.assertLess(len(self.all("canvas")), 3)
        loaded = self.browser.run("return performance.getEntriesByType('navigation')[0].loadEventEnd")
        painted = self.browser.run("return performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
        print(f"10 runs, {page.stat().st_size:,} bytes: painted after {painted:.0f} ms, loaded after {loaded:.0f} ms")


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--driver", default="/usr/bin/chromedriver")
    return parser.parse_known_args()


if __name__ == "__main__":
    OPTIONS, rest = parse()
    unittest.main(argv=[sys.argv[0], *rest])
