"""What routes cost by a model, and the best of them."""
