"""What a sweep is: what varies from sample to sample, how, and what is kept; as Python data and as files."""
