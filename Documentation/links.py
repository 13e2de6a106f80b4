#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Does every link within the built pages lead somewhere?

usage: links.py DIRECTORY

Prints each relative link whose file, or whose anchor in that file, does not exist; exits 1 if
there is any.  Nothing is read from the network.
"""

import html.parser
import os
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """Links and anchors of one page."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = [], {"", "top"}
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attrs):
        """Remember what it names and what it leads to."""
        for name, value in attrs:
            if name == "id" or (name, tag) == ("name", "a"):
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.links.append(value)


def dangling(pages, root):
    """(page, link) of the links that lead nowhere."""
    for path, page in sorted(pages.items()):
        for link in page.links:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc:
                continue
            target = path
            if url.path:
                target = os.path.normpath(os.path.join(os.path.dirname(path),
                                                       urllib.parse.unquote(url.path)))
            if not os.path.isfile(target):
                yield os.path.relpath(path, root), link
            elif target in pages and urllib.parse.unquote(url.fragment) not in \
                    pages[target].anchors:
                yield os.path.relpath(path, root), link


def main(root):
    """Check all pages below a directory."""
    pages = {}
    for folder, _, names in os.walk(os.path.abspath(root)):
        for name in names:
            if name.endswith(".html"):
                path = os.path.join(folder, name)
                pages[path] = Page(path)
    wrong = False
    for page, link in dangling(pages, root):
        print(f"{page}: {link} leads nowhere")
        wrong = True
    if not pages:
        print(f"{root}: no pages")
    return wrong or not pages


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
