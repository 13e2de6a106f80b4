#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Reads the pages of results.py in chromium, with bounds and without.  Writes what was looked at, what
was wanted, what was seen: a line each, with tabs between.
"""

import os
import pathlib
import sys

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

EVIL = "<img src=x onerror=window.hurt=1>"
RUN = """const run = (seed, ms, more = {}) => (
    { seed, error: '', numbers: { gpu_time_ns: ms, ...more } });"""
BAD = "{ seed: 1, error: 'it', numbers: { gpu_time_ns: 1 } }"

# The arithmetic, by hand.
UNITS = {
    "sums.geometric([])": None,
    "sums.geometric([7])": 7,
    "sums.geometric([2, 8])": 4,
    "sums.mean([1, 2, 6])": 3,
    "sums.time([run(1, 4), run(2, 9)])": 6,
    f"sums.time([{BAD}, run(2, 9)])": 9,
    "sums.time([run(1, 0)])": None,
    "sums.speedup([run(1, 4), run(2, 9)], [run(2, 3)])": 3,
    "sums.speedup([run(1, 4)], [run(2, 3)])": None,
    f"sums.speedup([{BAD}], [run(1, 3)])": None,
    "sums.closed([run(1, 10)], [run(1, 4)], [run(1, 2)])": 0.75,
    "sums.closed([run(1, 10)], [run(1, 18)], [run(1, 2)])": -1,
    "sums.closed([run(1, 10)], [run(1, 4)], [run(1, 10)])": None,
    "sums.closed([run(1, 10)], [run(1, 4)], [])": None,
    "sums.closed([run(1, 10)], [{...run(1, 4), bounded: false}], [run(1, 2)])": None,
    "sums.amount([run(1, 1, { faults: 0 }), run(2, 1, { faults: 3 })], 'faults')": 1.5,
    "sums.amount([run(1, 1, { faults: null })], 'faults')": None,
    "sums.better([run(1, 1, { faults: 6 })], [run(1, 1, { faults: 3 })], 'faults')": 2,
    "sums.better([run(1, 1, { faults: 6 })], [run(1, 1, { faults: 0 })], 'faults')": None,
    "sums.wins([[[run(1, 1)], [run(1, 2)]], [[run(1, 1)], []], [[], [run(1, 3)]]]).join()": "2,1,0",
    f"sums.wins([[[{BAD}]], [[run(1, 9)]]]).join()": "0,1",
    "sums.wins([]).length": 0,
    "[0.00421, 0.0951, 12.345].map(arena.METRICS.get('speedup').write).join()": "0.0042,0.10,12.35",
}


def say(what, want, got):
    """One line."""
    print(*(str(text).replace("\t", " ").replace("\n", " ") for text in (what, want, got)),
          sep="\t")


def browser():
    """Chromium without a window, and without its sandbox, which root cannot have."""
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                 "--window-size=1400,900"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


class Page:
    """What a reader sees and does."""

    def __init__(self, driver, address):
        self.driver, self.address = driver, address

    def open(self, fragment=""):
        """Anew: a change of the fragment alone would load nothing."""
        self.driver.get("about:blank")
        self.driver.get(self.address + fragment)

    def one(self, selector):
        """An element."""
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def texts(self, selector):
        """Of all such elements."""
        return [e.text for e in self.driver.find_elements(By.CSS_SELECTOR, selector)]

    def rows(self):
        """Names, in the order in which they are shown."""
        return ", ".join(self.texts("#table tbody th"))

    def columns(self):
        """Of workloads, likewise."""
        return ", ".join(e.get_attribute("data-key").partition(":")[2] for e in
                         self.driver.find_elements(By.CSS_SELECTOR, "#table th.vertical"))

    def head(self, key):
        """Of a column."""
        return self.one(f'#table th[data-key="{key}"]')

    def sort(self, key):
        """A click on it."""
        self.head(key).find_element(By.TAG_NAME, "button").click()

    def sums(self, row):
        """The columns on the left."""
        at = self.rows().split(", ").index(row) + 1
        return " | ".join(self.texts(f"#table tbody tr:nth-child({at}) td.sum"))

    def cell(self, row, column):
        """An element."""
        return self.one(f'#table td[data-row="{row}"][data-column="{column}"]')

    def choose(self, name, text):
        """Of a list."""
        Select(self.one(f"#{name}")).select_by_visible_text(text)

    def write(self, name, text):
        """Into a filter."""
        box = self.one(f"#{name}")
        box.send_keys(Keys.CONTROL, "a")
        box.send_keys(Keys.DELETE)
        if text:
            box.send_keys(text)

    def focus(self):
        """Row and column of the cell that has it."""
        now = self.driver.switch_to.active_element
        return f"{now.get_attribute('data-row')} {now.get_attribute('data-column')}"

    def fragment(self):
        """The view in the address."""
        return self.driver.current_url.partition("#")[2]


def units(page):
    """The arithmetic where it is done."""
    for expression, want in UNITS.items():
        got = page.driver.execute_script(f"{RUN} return {expression};")
        near = isinstance(want, (int, float)) and isinstance(got, (int, float))
        say(expression, want, want if near and abs(got - want) < 1e-12 else got)


def table(page):
    """As it opens, and at the other size of memory."""
    say("the fastest first, no policies last",
        f"fast, base, {EVIL}, half, bound B2, FNU", page.rows())
    say("all workloads", "nw, triad, chase", page.columns())
    say("sums at 75 %", "2.00 | 2.00 nw | 3 |  | 45.0 | 6.0 | 150", page.sums("fast"))
    page.choose("ratio", "50 % of the footprint (200)")
    say("the other memory", f"fast, base, half, {EVIL}, bound B2, FNU", page.rows())
    say("sums at 50 %", "2.00 | 0.67 chase | 2 | -20 % (2 of 3) | 45.0 | 6.0 | 150",
        page.sums("fast"))
    say("of the baseline", "1.00 | 1.00 nw | 1 | 0 % (2 of 3) | 30.0 | 6.0 | 300",
        page.sums("base"))
    say("seeds that both have", "1.00 | 0.50 nw | 1 | -67 % (2 of 3) | 30.0 | 6.0 | 300",
        page.sums("half"))
    say("a row that lacks cells", "1.00 (1 of 3) | 1.00 nw | 0 | 0 % (1 of 3) | 10.0 (1 of 3) | "
        "2.0 (1 of 3) | 100 (1 of 3)", page.sums(EVIL))
    say("a bound wins nothing", "", page.sums("bound B2").split(" | ")[2])
    say("cells", "2.00, 6.00, 0.67", ", ".join(page.cell("fast", w).text for w in (
        "nw", "triad", "chase")))
    say("failed, not run, failed in part", "✗, , 0.50✗", ", ".join(
        page.cell(row, w).text for row, w in ((EVIL, "triad"), (EVIL, "chase"), ("half", "nw"))))
    say("better and worse", "true, true, false", ", ".join(
        "true" if colour in page.cell("fast", w).get_attribute("class") else "false"
        for w, colour in (("nw", "better"), ("chase", "worse"), ("nw", "worse"))))
    page.choose("base", "fast")
    say("another baseline", "0.50 | 0.17 triad | 1", " | ".join(page.sums("base").split(" | ")[:3]))


def sorting(page):
    """Clicks on heads."""
    say("the head says so", "descending", page.head("mean").get_attribute("aria-sort"))
    page.sort("mean")
    say("again: the other way", f"half, base, {EVIL}, fast, bound B2, FNU", page.rows())
    say("the head says that", "ascending", page.head("mean").get_attribute("aria-sort"))
    page.choose("ratio", "50 % of the footprint (200)")
    page.sort("workload:chase")
    say("by a workload, what is not there last", f"base, half, fast, {EVIL}, bound B2, FNU",
        page.rows())
    page.sort("workload:chase")
    say("and last the other way, too", f"fast, base, half, {EVIL}, bound B2, FNU", page.rows())
    page.sort("policy")
    say("as in the experiment", f"base, half, {EVIL}, fast, bound B2, FNU", page.rows())
    page.sort("faults")
    say("the least first", "fast", page.rows().split(", ")[1])
    page.choose("metric", "GPU time, ms")
    page.sort("workload:nw")
    say("by time", f"fast, base, {EVIL}, half, bound B2, FNU", page.rows())
    say("its mean over seeds", "6.00", page.cell("base", "nw").text)
    say("keys keep the head", "workload:nw", page.driver.execute_script(
        "return document.activeElement.closest('th').dataset.key"))


def filters(page):
    """Words in the boxes."""
    page.choose("ratio", "50 % of the footprint (200)")
    page.write("policies", "FAST, ba")
    say("policies", "fast, base", page.rows())
    say("what is counted", "2 of 4 policies, 3 of 3 workloads; profile gtx1080ti; in all 46 runs, "
        "3 failed.", page.one("#count").text)
    page.write("workloads", "nw,cha")
    say("workloads", "nw, chase", page.columns())
    say("sums are of those", "1.15 | 0.67 chase | 1 | -20 % | 30.0 | 4.0 | 100", page.sums("fast"))
    page.write("workloads", "group:train")
    say("a group", "nw", page.columns())
    page.write("workloads", "nosuch")
    say("none", "", page.columns())
    page.write("policies", "nosuch")
    say("nor a row", "", page.rows())
    page.write("policies", "")
    page.write("workloads", "")
    say("all again", 6, len(page.rows().split(", ")))


def panel(page):
    """A click on a cell."""
    page.choose("ratio", "50 % of the footprint (200)")
    page.cell("fast", "nw").click()
    text = " ".join(page.texts("#panel > *"))
    say("which cell", "fast, nw, 200 %", page.one("#panel h2").text)
    for words in ("speedup 2.0000 2.0000 2.0000 1", "GPU time, ms 2.00 4.50 3.00 6.00",
                  "MB in 10.0 20.0 15.0 10.0", "copy 0.500 ms 16.7 % 0.500 ms",
                  "all 0.750 ms 25.0 % 0.750 ms", "eviction_policy tbne", "workload nw --size 2M",
                  "B1, MB in at least 3.0 3.0", "B2, GPU time at least 1.000 ms 1.000 ms",
                  "bound closed 60.0 %"):
        say(f"it has {words}", True, words in text)
    commands = page.texts("#panel pre.command")
    say("a command for each seed", 2, len(commands))
    say("which repeats it", True, commands[1].startswith("qemu-tests/vm --kernel ") and
        "uvm run nw --size 2M --seed 2 --json --quiet --set eviction_seed=2 "
        "--set eviction_policy=tbne --oversubscription 200" in commands[1])
    page.one("#panel button.copy").click()
    page.driver.implicitly_wait(10)
    say("to be copied", "copied", page.one("#panel button.copy").text)
    page.driver.implicitly_wait(0)
    page.one("#close").click()
    say("it closes", False, page.one("#panel").is_displayed())
    page.cell(EVIL, "triad").click()
    say("why it failed", "Failed with seed 1: Killed "
        f"{EVIL}</script><script>window.hurt=1</script>", page.one("#panel .gap").text)
    page.driver.get(page.address + f"#ratio=200&row=fast&column=chase")
    say("a bound whose reference failed", True, "fnu: Killed" in " ".join(page.texts("#panel > *")))


def keys(page):
    """Without a mouse."""
    first = page.driver.find_elements(By.CSS_SELECTOR, '#table td.cell[tabindex="0"]')
    say("Tab reaches one cell", 1, len(first))
    first[0].send_keys(Keys.ARROW_DOWN)
    page.driver.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    say("arrows go", "base triad", page.focus())
    page.driver.switch_to.active_element.send_keys(Keys.ENTER)
    say("Enter opens", "base, triad, 133.3 %", page.one("#panel h2").text)
    say("and the cell keeps the keys", "base triad", page.focus())
    page.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
    say("Escape closes", False, page.one("#panel").is_displayed())
    say("and the cell is where one was", "base triad", page.focus())
    page.head("wins").find_element(By.TAG_NAME, "button").send_keys(Keys.ENTER)
    say("Enter on a head sorts", "descending", page.head("wins").get_attribute("aria-sort"))


def address(page):
    """A view that is sent."""
    say("the usual view needs no words", "", page.fragment())
    page.choose("ratio", "50 % of the footprint (200)")
    page.choose("metric", "faults")
    page.choose("base", EVIL)
    page.write("policies", "fast,half,&x")
    page.write("workloads", "group:train")
    page.sort("workload:nw")
    page.sort("workload:nw")
    page.cell("fast", "nw").click()
    view, sent = page.fragment(), (page.rows(), page.columns(), page.one("#panel h2").text)
    page.open("#" + view)
    say("it is the same", sent, (page.rows(), page.columns(), page.one("#panel h2").text))
    say("with what was chosen", f"1 faults {EVIL} ascending", " ".join([
        page.one("#ratio").get_attribute("value"), page.one("#metric").get_attribute("value"),
        Select(page.one("#base")).first_selected_option.text,
        {"descending": "ascending"}.get(page.head("workload:nw").get_attribute("aria-sort"), "?")]))
    say("and its address", view, page.fragment())
    page.open("#ratio=7&metric=<b>&base=x&sort=__proto__&row=%FF&column=constructor&reverse=9")
    say("one that nobody has sent", f"fast, base, {EVIL}, half, bound B2, FNU", page.rows())


def hostile(page):
    """Names that would like to be scripts."""
    say("a name is text", EVIL, page.texts("#table tbody th")[2])
    page.cell(EVIL, "nw").click()
    say("in the panel, too", f"{EVIL}, nw, 133.3 %", page.one("#panel h2").text)
    say("so is that of the experiment", "Arena: a<b>", page.one("h1").text)
    say("no element came of it", 0, page.driver.execute_script(
        "return document.querySelectorAll('img, b, script:not([id]) ~ script').length"))
    say("nothing ran", None, page.driver.execute_script("return window.hurt ?? null"))
    page.driver.execute_script(
        "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=window.hurt=2>')")
    page.driver.execute_async_script("setTimeout(arguments[0], 200)")
    say("nor would it", None, page.driver.execute_script("return window.hurt ?? null"))


def without_bounds(page):
    """The page of results that have none."""
    say("no row of them", f"fast, base, {EVIL}, half", page.rows())
    say("nor their column", "2.00 | 2.00 nw | 3 | 45.0 | 6.0 | 150", page.sums("fast"))


def main():
    """All of it, each beginning with the page as it opens."""
    driver = browser()
    try:
        page, other = (Page(driver, pathlib.Path(os.path.realpath(path)).as_uri())
                       for path in sys.argv[1:])
        other.open()
        without_bounds(other)
        for part in (units, table, sorting, filters, panel, keys, address, hostile):
            page.open()
            if part is hostile:
                driver.get_log("browser")
            part(page)
            if part is not hostile:
                say(f"{part.__name__}: no mistake was told", [],
                    [entry["message"] for entry in driver.get_log("browser")])
    finally:
        driver.quit()


if __name__ == "__main__":
    main()
