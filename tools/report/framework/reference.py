# SPDX-License-Identifier: GPL-2.0
"""The reference string of a run: how often, how far apart and when its pages are touched."""

from array import array
from collections import Counter

# Time is cut into so many pieces, each with as many touches as the others.
PIECES = 16
# So many slots of the stack at least, before it is packed.
SLOTS = 1024


class Stack:
    """
    Pages in the order of their last touch, as LRU has them.  Each has a slot, later ones higher
    slots; a Fenwick tree counts pages by slot, so that a distance takes O(log n).
    """

    def __init__(self):
        self.slot = {}          # by page
        self.used = 0
        self.tree = [0] * (SLOTS + 1)

    def add(self, slot, count):
        """So many pages more are in this slot."""
        tree, end = self.tree, len(self.tree)
        while slot < end:
            tree[slot] += count
            slot += slot & -slot

    def pack(self):
        """No slot is left: pages move together, in the same order."""
        pages = sorted(self.slot, key=self.slot.get)
        self.slot = {page: i for i, page in enumerate(pages, 1)}
        self.used = len(pages)
        self.tree = [0] * (2 * self.used + SLOTS + 1)
        for i in range(1, len(self.tree)):
            self.tree[i] += i <= self.used
            if (above := i + (i & -i)) < len(self.tree):
                self.tree[above] += self.tree[i]

    def below(self, slot):
        """Pages up to this slot."""
        tree, found = self.tree, 0
        while slot:
            found += tree[slot]
            slot &= slot - 1
        return found

    def touch(self, page):
        """How many other pages were touched since this one last was; None the first time."""
        if self.used == len(self.tree) - 1:
            self.pack()
        last, distance = self.slot.get(page), None
        if last:
            distance = len(self.slot) - self.below(last)
            self.add(last, -1)
        self.used += 1
        self.slot[page] = self.used
        self.add(self.used, 1)
        return distance


class ReferenceString:
    """Pages in the order of their touches.  If one is touched twice in a row that is one touch."""

    def __init__(self):
        self.number = {}        # by name of a page, in the order of first touches
        self.pages = array("L")

    def touch(self, name):
        """A page was touched."""
        page = self.number.setdefault(name, len(self.number))
        if not self.pages or self.pages[-1] != page:
            self.pages.append(page)

    def times(self):
        """Shares of pages by how often they are touched: once, two or three times, more often."""
        found = [0, 0, 0]
        for count in Counter(self.pages).values():
            found[(count > 1) + (count > 3)] += 1
        return [n / len(self.number) for n in found]

    def reuse(self):
        """
        Shares of repeated touches by how many other pages there were since: less than a sixteenth
        of all, more, and three quarters or more, which is too far for LRU with memory for these.
        """
        stack, found, pages = Stack(), [0, 0, 0], len(self.number)
        distances = Counter(map(stack.touch, self.pages))
        del distances[None]
        for distance, count in distances.items():
            found[(16 * distance >= pages) + (4 * distance >= 3 * pages)] += count
        repeated = sum(found)
        return [n / repeated for n in found] if repeated else found

    def pieces(self):
        """In how many pieces of time a page is touched on average."""
        touches = len(self.pages)
        return len({(PIECES * i // touches, page)
                    for i, page in enumerate(self.pages)}) / len(self.number)

    def life(self):
        """The share of time from a page's first touch to its last, on average."""
        first, last = {}, {}
        for i, page in enumerate(self.pages):
            first.setdefault(page, i)
            last[page] = i
        return sum(last[page] - first[page] for page in last) / len(last) / len(self.pages)

    def measured(self):
        """What reports keep of it; nothing of a run without touches."""
        if not self.pages:
            return {}
        return {"pages": len(self.number), "touches": len(self.pages), "times": self.times(),
                "reuse": self.reuse(), "pieces": self.pieces(), "life": self.life()}
