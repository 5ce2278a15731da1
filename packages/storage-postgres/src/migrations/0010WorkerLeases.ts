import { MAX_WORKERS } from "@community-messaging/domain/shared-kernel/WorkerNumber"

/** The worker numbers of ids, one per row. The owner is a running process until its lease ends. */
export const workerLeases = (): ReadonlyArray<string> => [
  `CREATE TABLE worker_leases (
    worker smallint PRIMARY KEY CHECK (worker BETWEEN 0 AND ${MAX_WORKERS - 1}),
    owner uuid,
    expires_at timestamp with time zone NOT NULL
  ) WITH (fillfactor = 50)`,
  `INSERT INTO worker_leases (worker, expires_at) SELECT generate_series(0, ${MAX_WORKERS - 1}), '-infinity'`
]
