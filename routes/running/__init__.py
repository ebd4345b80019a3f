"""Routes carried out: schedules of groups on the workers of a backend."""
