"""What is said to people, in English and Chinese."""
