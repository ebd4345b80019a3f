"""The masses of bodies as the user describes them: centers, inertia tensors, solids; checks of them."""
