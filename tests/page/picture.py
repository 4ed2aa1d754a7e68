# SPDX-License-Identifier: Apache-2.0
"""Makes a picture of a page, lanes over time and the program under heat: python3 tests/page/picture.py PAGE.html PICTURE.png"""

import pathlib
import shutil
import sys

from browser import Browser

page, picture = map(pathlib.Path, sys.argv[1:])
with Browser(shutil.which("chromium"), shutil.which("chromedriver")) as browser:
    browser.open(page, width=1280, height=1240)
    press = "[...document.querySelectorAll(arguments[0])].find((button) => button.textContent === arguments[1]).click()"
    for part in ["lanes", "time", "program", "time"]:
        browser.see(part)
    browser.run(press, "#time button", "Active lanes of what issued")
    browser.run(press, "#program thead button", "lost slots")
    browser.see("time")
    browser.settle()
    browser.driver.save_screenshot(str(picture))
