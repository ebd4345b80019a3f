"""What groups and routes cost on this machine."""
