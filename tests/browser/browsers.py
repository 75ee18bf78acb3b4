"""Start the browser of the tests and benchmarks."""

import shutil

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
"""The shell first: the same engine without the windows of a desktop, for 40 % less processor time."""
FLAGS = (
    *("--no-sandbox", "--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)
