"""Groups around a hub: the pose of one body by Newton's method, and the legs that hold it in closed form."""
