# One image for all processes; docker-compose.yml says which of them a container runs.
FROM python:3.11-slim AS build
WORKDIR /app
COPY scripts scripts
COPY requirements.txt .
RUN scripts/setup runtime

# The final image gets the installed packages without the installer and its caches.
FROM python:3.11-slim
RUN useradd --system --uid 10001 --no-create-home --home-dir /nonexistent shengji
WORKDIR /app
COPY --from=build /app/.venv .venv
COPY openapi.yaml .
COPY service service
COPY workers workers
ENV PATH=/app/.venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    HOST=0.0.0.0 \
    LOG_FORMAT=json
USER shengji
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
CMD ["python", "-m", "gunicorn", "--config", "python:service.gunicorn_conf", "service.wsgi:app"]
