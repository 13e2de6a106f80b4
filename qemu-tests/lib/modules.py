# SPDX-License-Identifier: GPL-2.0
"""Where the modules lie in a running kernel uml, as /init tells it."""

import bisect
import os
import re
import subprocess


class Modules:
    """Sections by module, and the functions in them."""

    def __init__(self, directory):
        self.directory = directory      # of the .ko files with debug information
        self.sections = {}              # by module: {section: address}

    def hear(self, text):
        """ "MODULE SECTION ADDRESS" of /init."""
        module, section, address = text.split()
        self.sections.setdefault(module, {})[section] = int(address, 16)

    def file(self, module):
        """The .ko of a module."""
        return os.path.join(self.directory, f"{module}.ko")

    def code(self, module):
        """From where to where a module's code goes, or to whatever comes next."""
        start = self.sections[module][".text"]
        others = (a for sections in self.sections.values() for a in sections.values())
        return start, min((a for a in others if a > start), default=start + (1 << 20))

    def functions(self):
        """All functions, in order: (address, end of the code there, "name [module]")."""
        found = []
        for module in self.sections:
            start, end = self.code(module)
            table = subprocess.run(["objdump", "-t", self.file(module)], stdout=subprocess.PIPE,
                                   text=True, check=True).stdout
            for offset, name in re.findall(r"^(\S+) .* F \.text\t\S+ (\S+)$", table, re.M):
                found.append((start + int(offset, 16), end, f"{name} [{module}]"))
        return sorted(found)


def function_at(functions, address):
    """The name of the function that an address is in, or None."""
    i = bisect.bisect(functions, (address, 1 << 64)) - 1
    return functions[i][2] if i >= 0 and address < functions[i][1] else None
