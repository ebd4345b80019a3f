"""Any group by Newton's method: joint variables of a tree, equations of its cuts, for many steps at once."""
