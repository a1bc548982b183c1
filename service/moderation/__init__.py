"""What operators do, and who may come in: reports, objections, suspensions, blocked networks, registration."""
