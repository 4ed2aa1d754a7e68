"""Makes a picture of the first screen of a page: python3 tests/page/picture.py PAGE.html PICTURE.png"""

import pathlib
import shutil
import sys

from browser import Browser

page, picture = map(pathlib.Path, sys.argv[1:])
with Browser(shutil.which("chromium"), shutil.which("chromedriver")) as browser:
    browser.open(page, width=1280, height=1180)
    for part in ["slots", "lanes", "time"]:
        browser.see(part)
    browser.run("window.scrollTo(0, 0)")
    browser.settle()
    browser.driver.save_screenshot(str(picture))
