"""The static checks, one file a subject; `domain.flow.sequence_checks.every_check` runs them all."""
