"""The read models and how they are kept."""
