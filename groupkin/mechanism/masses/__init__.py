"""The masses of bodies as the user describes them: centers, inertia tensors, solids, surfaces; checks of them."""
