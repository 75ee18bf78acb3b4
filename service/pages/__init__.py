"""The pages of `umpire serve`: what the desk says, as plain data for a template. No rule, no SQL, no second copy.

rendering   templates, what they may use, static files by the hash of their content
addresses   where each page stands
visiting    somebody at a page: which seat looks, what is done by a form, what came of it told once
lobby, table, about, …   one module a page: data for its template, and its routes
"""
