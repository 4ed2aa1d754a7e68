# SPDX-License-Identifier: Apache-2.0
"""Headless Chromium, as the tests of the page and its picture use it."""

import json
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

ARGUMENTS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--hide-scrollbars",
]


class Browser:
    """One Chromium with a profile of its own; quits at the end of a `with`."""

    def __init__(self, chromium, driver):
        self.profile = tempfile.TemporaryDirectory(prefix="reconverge-page-", ignore_cleanup_errors=True)
        options = Options()
        options.binary_location = chromium
        for argument in ARGUMENTS + [f"--user-data-dir={self.profile.name}"]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(driver))
        self.driver.set_script_timeout(60)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()
        self.profile.cleanup()

    def open(self, page, width=1280, height=900, dark=False):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.theme(dark)
        self.driver.get(page.resolve().as_uri())

    def theme(self, dark):
        """What the reader's system prefers."""
        value = "dark" if dark else "light"
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                    {"features": [{"name": "prefers-color-scheme", "value": value}]})

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def settle(self):
        """Until what the last change drew has been painted."""
        self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0)));")

    def see(self, part):
        """Scrolls to a part and waits until it is drawn."""
        self.run("document.documentElement.style.scrollBehavior = 'auto';"
                 "document.getElementById(arguments[0]).scrollIntoView();", part)
        self.settle()
        self.run("document.getElementById(arguments[0]).scrollIntoView();", part)
        self.settle()

    def complaints(self):
        """What the console said since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """Addresses that were asked for since the last call, but for the page, its data: URLs, and the browser's own."""
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        urls = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
        return [url for url in urls if not url.startswith(("file:", "data:", "chrome:"))]
