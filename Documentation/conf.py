# SPDX-License-Identifier: GPL-2.0
"""Sphinx configuration: make docs."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

project = "softuvm"
copyright = "the softuvm authors, GPL-2.0"  # pylint: disable=redefined-builtin
extensions = ["extract", "policy_pages"]
root_doc = "index"
highlight_language = "none"
nitpicky = True
html_theme = "furo"
html_title = "softuvm"
html_static_path = ["static"]
html_css_files = ["softuvm.css"]
html_show_sphinx = False
html_copy_source = False
smartquotes = False
