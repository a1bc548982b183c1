"""What operators do, and who may come in: reports, suspensions, blocked networks, registration."""
