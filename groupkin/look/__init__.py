"""What can be seen of a mechanism, its structure and its motion: pictures, plots, films, pages and reports."""
