"""The static checks, one file per subject; `every_check.check` runs them all."""
