"""What people look at: turn view, audit trail, undo points, dice. Folds of the log, droppable at any time."""
