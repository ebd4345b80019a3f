"""The linear map from the rates of the drivers to the twists of all bodies, and its transpose, at given positions."""
