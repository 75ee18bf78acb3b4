"""The static checks, one file a subject; `domain.flow.checks` runs them all."""
