# SPDX-License-Identifier: GPL-2.0
"""Eviction policies of the HPE paper (TCAD 2020), written from its text and without a look at the
driver's.  A policy has has(page), hit(page), and fault(page), which returns the page that has to go.

The page is what a page walk goes to.  Names of parameters are the driver's; how the paper is read
where it is silent is said in Documentation/hpe.rst.
"""

import heapq
from collections import Counter, OrderedDict, deque


class LruWalk:
    """By the last walk, hit or fault."""

    def __init__(self, units):
        self.units = units
        self.pages = OrderedDict()

    def has(self, page):
        return page in self.pages

    def hit(self, page):
        self.pages.move_to_end(page)

    def fault(self, page):
        victim = None
        if len(self.pages) == self.units:
            victim, _ = self.pages.popitem(last=False)
        self.pages[page] = True
        return victim


class Lru(LruWalk):
    """By when pages came."""

    def hit(self, page):
        pass


class Min:
    """Belady's; of pages that are not used again the least recently used one goes.  A heap with
    stale entries, which are passed over."""

    def __init__(self, units, string):
        self.units = units
        self.next_use = [0] * len(string)
        later = {}
        for i in range(len(string) - 1, -1, -1):
            self.next_use[i] = later.get(string[i], 1 << 60)
            later[string[i]] = i
        self.now = -1
        self.pages = {}
        self.heap = []

    def has(self, page):
        self.now += 1
        return page in self.pages

    def hit(self, page):
        self.pages[page] = self.now
        heapq.heappush(self.heap, (-self.next_use[self.now], self.now, page))

    def fault(self, page):
        victim = None
        if len(self.pages) == self.units:
            while True:
                _, used, victim = heapq.heappop(self.heap)
                if self.pages.get(victim) == used:
                    break
            del self.pages[victim]
        self.hit(page)
        return victim


class Rrip:
    """Predictions per frame.  What all have grown by is kept apart.  Frames that came long enough ago
    are in a heap for each prediction, with stale entries."""

    def __init__(self, units, rrip_bits=2, rrip_distant=0, rrip_delay=0, rrip_frequency=1):
        self.units = units
        self.distant = (1 << rrip_bits) - 1
        self.insert = self.distant if rrip_distant else self.distant - 1
        self.delay = rrip_delay
        self.by_one = rrip_frequency
        self.grown = 0
        self.page = []          # of each frame
        self.value = {}         # its prediction, less what all have grown since
        self.frame = {}
        self.came = OrderedDict()       # of each frame, the number of its fault
        self.young = deque()
        self.grown_up = set()
        self.heaps = {}
        self.count = Counter()          # of frames, by value
        self.faults = 0

    def has(self, page):
        return page in self.frame

    def put(self, frame, prediction):
        value = self.value[frame] = prediction - self.grown
        self.count[value] += 1
        if frame in self.grown_up:
            heapq.heappush(self.heaps.setdefault(value, []), frame)

    def take(self, frame):
        value = self.value.pop(frame)
        self.count[value] -= 1
        return value + self.grown

    def hit(self, page):
        frame = self.frame[page]
        prediction = self.take(frame)
        self.put(frame, max(0, prediction - 1) if self.by_one else 0)

    def find(self):
        while self.young and self.faults - self.came[self.young[0]] >= self.delay:
            frame = self.young.popleft()
            self.grown_up.add(frame)
            self.put(frame, self.take(frame))
        while not self.count[self.distant - self.grown]:
            self.grown += 1
        heap = self.heaps.get(self.distant - self.grown, [])
        while heap and (heap[0] not in self.grown_up or
                        self.value[heap[0]] != self.distant - self.grown):
            heapq.heappop(heap)
        # If there are distant ones, all too young, whoever came first.
        return heap[0] if heap else next(iter(self.came))

    def fault(self, page):
        self.faults += 1
        victim = None
        if len(self.page) < self.units:
            frame = len(self.page)
            self.page.append(page)
        else:
            frame = self.find()
            victim = self.page[frame]
            del self.frame[victim], self.came[frame]
            self.take(frame)
            if frame in self.grown_up:
                self.grown_up.remove(frame)
            else:
                self.young.remove(frame)
        self.page[frame] = page
        self.came[frame] = self.faults
        self.young.append(frame)
        self.frame[page] = frame
        self.put(frame, self.insert)
        return victim


class Node:
    """A page of CLOCK-Pro's circle."""

    __slots__ = ("page", "hot", "test", "resident", "used", "before", "after")

    def __init__(self, page, hot):
        self.page, self.hot, self.test, self.resident, self.used = page, hot, not hot, True, False


class ClockPro:
    """A circle and three hands.  What is put into it comes just before the hot hand."""

    def __init__(self, units, clock_pro_cold=128, clock_pro_warm=1):
        self.units = units
        self.most_hot = max(1, units - clock_pro_cold)
        self.warm = clock_pro_warm
        self.nodes = {}
        self.hot = self.resident = 0
        self.hands = {"hot": None, "cold": None, "test": None}

    def has(self, page):
        return page in self.nodes and self.nodes[page].resident

    def hit(self, page):
        self.nodes[page].used = True

    def put(self, node):
        at = self.hands["hot"]
        if at is None:
            node.before = node.after = node
            self.hands = dict.fromkeys(self.hands, node)
            return
        node.before, node.after = at.before, at
        at.before.after = at.before = node

    def take(self, node):
        alone = node.after is node
        for name, at in self.hands.items():
            if at is node:
                self.hands[name] = None if alone else node.after
        node.before.after, node.after.before = node.after, node.before

    def turn(self, name):
        self.hands[name] = self.hands[name].after

    def end_test(self, node):
        """Has the node gone with it?"""
        if node.hot or not node.test:
            return False
        node.test = False
        if node.resident:
            return False
        self.take(node)
        del self.nodes[node.page]
        return True

    def run_hot(self, most):
        while self.hot > most:
            node = self.hands["hot"]
            if node.hot and not node.used:
                node.hot = False
                self.hot -= 1
            elif node.hot:
                node.used = False
            elif self.end_test(node):
                continue
            self.turn("hot")

    def run_test(self):
        while len(self.nodes) - self.resident > self.units:
            if not self.end_test(self.hands["test"]):
                self.turn("test")

    def run_cold(self):
        steps = 0
        while True:
            steps += 1
            node = self.hands["cold"]
            if node.hot or not node.resident:
                self.turn("cold")
                if steps > 3 * len(self.nodes):     # none is cold
                    self.run_hot(self.hot - 1)
                    steps = 0
            elif not node.used:
                return node
            else:
                node.used = False
                node.hot, node.test = node.test, not node.test
                self.hot += node.hot
                self.take(node)
                self.put(node)
                self.run_hot(self.most_hot)

    def evict(self):
        node = self.run_cold()
        node.resident = False
        self.resident -= 1
        if node.test:
            self.turn("cold")
            self.run_test()
        else:
            self.take(node)
            del self.nodes[node.page]
        return node.page

    def fault(self, page):
        victim = self.evict() if self.resident == self.units else None
        node = self.nodes.pop(page, None)
        if node:
            self.take(node)
        early = self.warm and victim is None and self.hot < self.most_hot
        new = self.nodes[page] = Node(page, bool(node or early))
        self.put(new)
        self.hot += new.hot
        self.resident += 1
        if node:
            self.run_hot(self.most_hot)
        return victim


class Recorder:
    """HIR: hits of pages by page set, in a cache (IV-B)."""

    def __init__(self, pages, replace, sets=128, ways=8, most=3):
        self.pages, self.replace, self.sets, self.ways, self.most = pages, replace, sets, ways, most
        self.entries = OrderedDict()
        self.by_set = {}
        self.lost = 0

    def hit(self, page):
        tag, offset = divmod(page, self.pages)
        if tag not in self.entries:
            same = self.by_set.setdefault(tag % self.sets, [])
            if len(same) == self.ways:
                self.lost += 1
                if not self.replace:
                    return
                del self.entries[same.pop(0)]
            same.append(tag)
            self.entries[tag] = [0] * self.pages
        hits = self.entries[tag]
        hits[offset] = min(self.most, hits[offset] + 1)

    def read(self):
        entries = list(self.entries.items())
        self.entries.clear()
        self.by_set.clear()
        return entries


OLD, MIDDLE, NEW = range(3)


class PageSet:
    """An entry of the chain."""

    __slots__ = ("key", "count", "bits", "divided", "resident", "part")

    def __init__(self, key):
        self.key = key
        self.count = self.bits = 0
        self.divided = False
        self.resident = set()
        self.part = NEW


class Hpe:
    """The chain is three lists of keys, by age, from least to most recently used."""

    DEFAULTS = {"hpe_set_pages": 16, "hpe_interval": 64, "hpe_transfer": 16,
                "hpe_ratio1_percent": 30, "hpe_ratio2": 2, "hpe_wrong": 0, "hpe_guard": 0,
                "hpe_jump": 16, "hpe_history": 4096, "hpe_readings": "none",
                "hpe_strategy": 0, "recorder_replace": 0}

    def __init__(self, units, **params):
        assert not set(params) - set(self.DEFAULTS)
        for name, value in {**self.DEFAULTS, **params}.items():
            setattr(self, name.removeprefix("hpe_"), value)
        readings = self.readings.split("+")
        self.jumps = int("each_jump" not in readings)
        self.longer = "in_all" in readings
        self.small = "least" in readings
        self.sticky = "anew" not in readings
        self.wrong = self.wrong or self.set_pages
        self.guard = self.guard or 4 * self.set_pages
        self.units = units
        self.pages = set()
        self.chain = [OrderedDict(), OrderedDict(), OrderedDict()]
        self.sets = {}
        self.remembered = OrderedDict()
        self.recorder = Recorder(self.set_pages, self.recorder_replace)
        self.faults = 0
        self.category = 0
        self.old_sets = 0
        self.adjusts = False
        self.now = "lru"
        self.evicted = {"lru": OrderedDict(), "mru_c": OrderedDict()}
        self.wrongs = {"lru": 0, "mru_c": 0}
        self.intervals = {"lru": 0, "mru_c": 0}
        self.lasted = {}
        self.stint = self.point = self.jumped = self.switches = 0
        self.searches = self.comparisons = self.records = self.longest = self.divisions = 0
        self.chosen = None
        self.chosen_part = None

    def has(self, page):
        return page in self.pages

    def hit(self, page):
        self.recorder.hit(page)

    # ---- the chain (IV-C)

    def key(self, page):
        tag, offset = divmod(page, self.set_pages)
        bits = self.remembered.get(tag)
        if bits is None:
            primary = self.sets.get((tag, 0))
            if primary is None or not primary.divided:
                return tag, 0
            bits = primary.bits
        return tag, 0 if bits >> offset & 1 else 1

    def to_new(self, entry):
        del self.chain[entry.part][entry.key]
        entry.part = NEW
        self.chain[NEW][entry.key] = entry

    def count(self, entry, times):
        most = 4 * self.set_pages
        if entry.part != NEW:
            self.to_new(entry)
        before, entry.count = entry.count, min(most, entry.count + times)
        tag, secondary = entry.key
        if before < most == entry.count and not secondary and tag not in self.remembered:
            if entry.bits != (1 << self.set_pages) - 1:
                entry.divided = True
                self.divisions += 1

    def arrive(self, page):
        key = self.key(page)
        entry = self.sets.get(key)
        if entry is None:
            entry = self.sets[key] = self.chain[NEW][key] = PageSet(key)
        entry.bits |= 1 << page % self.set_pages
        entry.resident.add(page)
        self.count(entry, 1)
        self.pages.add(page)

    def read_recorder(self):
        entries = self.recorder.read()
        self.records += len(entries)
        self.longest = max(self.longest, len(entries))
        for tag, hits in entries:
            for offset, times in enumerate(hits):
                if times:
                    entry = self.sets.get(self.key(tag * self.set_pages + offset))
                    if entry:
                        self.count(entry, times)

    def remove(self, entry):
        del self.chain[entry.part][entry.key]
        del self.sets[entry.key]
        tag = entry.key[0]
        if entry.divided and tag not in self.remembered:
            if len(self.remembered) == self.history:
                self.remembered.popitem(last=False)
            self.remembered[tag] = entry.bits

    def interval_ends(self):
        old, middle, new = self.chain
        for entry in middle.values():
            entry.part = OLD
        for entry in new.values():
            entry.part = MIDDLE
        old.update(middle)
        self.chain = [old, new, OrderedDict()]
        if self.category:
            self.intervals[self.now] += 1
            self.stint += 1
        self.wrongs = {"lru": 0, "mru_c": 0}

    # ---- which goes (IV-D)

    def classify(self):
        regular = irregular = small = large = 0
        for entry in self.sets.values():
            times, rest = divmod(entry.count, self.set_pages)
            regular += not rest
            irregular += rest > 0
            small += not rest and times <= 2
            large += not rest and times > 2
        if 100 * irregular > self.ratio1_percent * regular:
            self.category = 3
        elif large and large >= self.ratio2 * small:
            self.category = 2
        else:
            self.category = 1
        self.old_sets = len(self.chain[OLD])
        self.adjusts = self.category == 3 or (self.category == 1 and self.old_sets >= self.guard)
        self.now = "mru_c" if self.category == 1 else "lru"
        if self.strategy:
            self.now = ("lru", "mru_c")[self.strategy - 1]
            self.adjusts = False

    def worth(self, entry):
        """The less the rather it goes.  Sets with few touches come behind all others."""
        return (not self.small and entry.count < self.set_pages, entry.count)

    def mru_c(self):
        self.searches += 1
        entries = list(reversed(self.chain[OLD].values()))
        start = min(self.point, len(entries) - 1)
        best = None
        for i in range(len(entries)):
            entry = entries[(start + i) % len(entries)]
            self.comparisons += 1
            if entry.count == self.set_pages:
                return entry
            if best is None or self.worth(entry) < self.worth(best):
                best = entry
        return best

    def choose(self):
        if self.now == "mru_c" and self.chain[OLD]:
            return self.mru_c()
        part = next(part for part in self.chain if part)
        return next(iter(part.values()))

    def evict(self):
        entry = self.chosen
        if not self.sticky or entry is None or entry.part > self.chosen_part:
            entry = self.chosen = self.choose()
            self.chosen_part = entry.part
        page = min(entry.resident)
        entry.resident.remove(page)
        self.pages.remove(page)
        evicted = self.evicted[self.now]
        evicted[page] = True
        if len(evicted) > 2 * self.interval:
            evicted.popitem(last=False)
        if not entry.resident:
            self.remove(entry)
            self.chosen = None
        return page

    # ---- wrong evictions (IV-E)

    def other_lasts(self, other):
        if other not in self.lasted:
            return True
        if self.longer:
            return self.intervals[other] > self.intervals[self.now]
        return self.lasted[other] > self.stint

    def adjust(self):
        now, other = self.now, "lru" if self.now == "mru_c" else "mru_c"
        if not self.adjusts or self.wrongs[now] < self.wrong:
            return
        self.wrongs[now] = 0
        if self.category == 1:
            if not self.jumps or self.jumped < self.jumps:
                self.jumped += 1
                self.point += self.jump
                self.chosen = None
        elif self.other_lasts(other):
            self.lasted[now] = self.stint
            self.stint = 0
            self.now = other
            self.switches += 1
            self.chosen = None

    def fault(self, page):
        self.faults += 1
        for name, evicted in self.evicted.items():
            self.wrongs[name] += evicted.pop(page, False)
        full = len(self.pages) == self.units
        first = full and not self.category
        if first or self.faults % self.transfer == 0:
            self.read_recorder()
        if first:
            self.classify()
        victim = self.evict() if full else None
        self.arrive(page)
        self.adjust()
        if self.faults % self.interval == 0:
            self.interval_ends()
        return victim

    def numbers(self):
        return {"category": self.category, "old_sets": self.old_sets,
                "lru_intervals": self.intervals["lru"],
                "mru_c_intervals": self.intervals["mru_c"],
                "jumps": self.jumped, "switches": self.switches, "searches": self.searches,
                "comparisons": self.comparisons, "records": self.records,
                "longest_batch": self.longest, "divided_sets": self.divisions,
                "sets": len(self.sets), "lost": self.recorder.lost}


def make(policy, units, string, params):
    """A policy by the driver's name."""
    if policy == "min":
        return Min(units, string)
    classes = {"lru": Lru, "lru_walk": LruWalk, "rrip": Rrip, "clock_pro": ClockPro, "hpe": Hpe}
    return classes[policy](units, **params)


def run(policy, string):
    """The pages that were evicted, and the number of faults."""
    evicted, faults = [], 0
    for page in string:
        if policy.has(page):
            policy.hit(page)
            continue
        faults += 1
        victim = policy.fault(page)
        if victim is not None:
            evicted.append(victim)
    return evicted, faults
