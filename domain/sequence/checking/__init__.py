"""The static checks, one file a subject; `domain.sequence.checks` runs them all."""
