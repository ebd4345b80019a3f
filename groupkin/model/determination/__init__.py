"""What determines a mechanism beyond counting: held spins and eased joints."""
