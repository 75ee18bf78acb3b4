"""Configure Sphinx for the site; `python docs/site` runs it.

Sphinx was chosen because it imports the API, whose names are loaded on first use, and because Sphinx, Furo and MyST are
maintained. MkDocs had no release after August 2024.
"""

from docstrings import convert
from pygments.lexers.data import YamlLexer
from pygments.lexers.sql import PostgresLexer

project = "Umpire"
html_title = "Umpire"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["print.css"]
html_copy_source = False
html_show_sphinx = False
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"

myst_heading_anchors = 4
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
maximum_signature_line_length = 100
add_module_names = False
napoleon_numpy_docstring = False
toc_object_entries = False
suppress_warnings = ["ref.python"]  # a type such as `bytes` may also be the name of a field


def setup(app) -> None:  # type: ignore[no-untyped-def] # Sphinx need not be installed
    """Add the lexers and the converter of docstrings, which must run before napoleon."""
    app.add_lexer("jsonl", YamlLexer)  # an order file is JSON with comments in the syntax of YAML
    app.add_lexer("sql", PostgresLexer)
    app.connect("autodoc-process-docstring", convert, priority=400)
