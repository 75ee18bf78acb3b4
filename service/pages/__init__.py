"""Build the pages of `umpire serve` from the desk's plain data and templates, without rules, SQL or copies of the data.

rendering     templates, their functions, static files by the hash of their content
addresses     the address of each page
page_request  a request for a page: its seat, its form, the result shown once
renewal       a page that is read again, as its differences from the page before
lobby, table, …   a module for each page: data for its template, and its routes
"""
