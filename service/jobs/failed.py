"""Jobs that failed, for operators: `python -m workers failed-jobs`. RQ keeps each with its traceback for a day."""

from collections.abc import Iterator

from redis import Redis
from rq.job import Job
from rq.registry import FailedJobRegistry
from rq.serializers import JSONSerializer

from service.jobs.queues import QUEUES


def failed_jobs(redis: Redis) -> Iterator[str]:
    """Yield a text for each failed job of one Redis: queue, id and when it failed, then its traceback."""
    for queue in QUEUES:
        registry = FailedJobRegistry(queue, connection=redis, serializer=JSONSerializer)
        ids = registry.get_job_ids(cleanup=False)
        for job in Job.fetch_many(ids, connection=redis, serializer=JSONSerializer):
            if job is None:
                continue
            result = job.latest_result()
            ended = job.ended_at.isoformat(timespec="seconds") if job.ended_at else "?"
            yield f"{queue} {job.id} {ended}\n{(result.exc_string or '') if result else ''}".rstrip()
