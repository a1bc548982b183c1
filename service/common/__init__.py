"""What every process needs, whatever it does: settings, logs, traces, JSON, refusals."""
