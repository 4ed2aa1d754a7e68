# SPDX-License-Identifier: Apache-2.0
"""Sphinx's configuration for scripts/site, which gives it the pages and the version."""

project = "Reconverge"
language = "en"
extensions = ["myst_parser"]
root_doc = "index"

# The slugs of headings are those of GitHub and of tests/documents/check_links, at every depth.
myst_heading_anchors = 6

# Fenced code without a language is a shell session, a formula or a drawing, and has no colours.
highlight_language = "none"
# Dashes and quotes stay as the documents have them, so that commands can be copied.
smartquotes = False

# Debian's furo loads styles from the root of a web server; this theme has all its files in the site.
html_theme = "sphinx_rtd_theme"
html_theme_options = {"navigation_depth": 3, "titles_only": True}
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_show_copyright = False
# Each page is a copy of Markdown that the tree has.
html_copy_source = False
html_show_sourcelink = False
# Pages open from files, where the browser refuses the requests that would bring the text around a match.
html_show_search_summary = False
