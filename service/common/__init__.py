"""Modules that every process needs: settings, logs, traces, JSON, refusals."""
