"""Still pictures of mechanisms and of their structure."""
