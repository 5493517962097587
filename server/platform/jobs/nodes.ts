import pg, { type QueryResult, type QueryResultRow } from 'pg';
import { LOCK_PAIR } from '#server/platform/db/advisory-locks.ts';
import type { Connection } from '#server/platform/db/pool.ts';

/** Jobs of a worker that no node has signed in are released after this time. */
const UNKNOWN_WORKER_MS = 60_000;

/**
 * A process that runs jobs, as the others see it. It holds an advisory lock under its number as long as it lives: PostgreSQL releases the
 * lock when the connection ends, however the process died.
 */
export interface JobNode {
  number: number;
  /** Records that a worker belongs to this node. Must happen before it takes a job. */
  signIn: (workerId: string) => Promise<void>;
  /** Releases the jobs of nodes that are gone. @returns how many nodes were gone */
  releaseGone: () => Promise<number>;
  /** Resolves when the connection is lost: other nodes may release this node's jobs from then on. */
  lost: Promise<void>;
  /** Signs all workers of this node out, releases what they have not finished, and ends the connection. */
  leave: () => Promise<void>;
}

type Client = Pick<pg.Client, 'end'> & {
  /** How long a job waits that was cut short in its last try. */
  pauseMs: number;
  query: <Row extends QueryResultRow>(text: string, values?: unknown[]) => Promise<QueryResult<Row>>;
};

/**
 * Releases the jobs of workers, to be done again. A job counts a try when it is taken, so kills alone would use up its tries: one whose last try
 * was cut short gets another, after a pause, because the job may be what ends the server.
 */
async function release(client: Client, workers: readonly string[]): Promise<void> {
  if (workers.length === 0) return;
  const list = `array[${workers.map((id) => pg.escapeLiteral(id)).join(', ')}]::text[]`;
  await client.query(`
    do $release$
    declare cut_short bigint[];
    begin
      select array_agg(id) into cut_short from graphile_worker.jobs
        where locked_by = any(${list}) and attempts >= max_attempts;
      perform graphile_worker.force_unlock_workers(${list});
      perform graphile_worker.reschedule_jobs(
        array[id],
        run_at => now() + ${Math.round(client.pauseMs)} * interval '1 millisecond',
        attempts => max_attempts - 1
      ) from graphile_worker.jobs where id = any(cut_short);
    end $release$`);
}

/** Releases what the workers of a node have taken, and forgets them. */
async function signOut(client: Client, node: number): Promise<void> {
  const { rows } = await client.query<{ id: string }>('select worker_id as id from job_workers where node = $1', [
    node,
  ]);
  await release(
    client,
    rows.map(({ id }) => id),
  );
  await client.query('delete from job_workers where node = $1', [node]);
}

/** Releases the jobs of a node if it is gone. @returns whether it was */
async function releaseIfGone(client: Client, node: number): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1, $2) as locked', [
    LOCK_PAIR.node,
    node,
  ]);
  if (!rows[0]?.locked) return false;
  try {
    await signOut(client, node);
  } finally {
    await client.query('select pg_advisory_unlock($1, $2)', [LOCK_PAIR.node, node]);
  }
  return true;
}

/** A worker may be unknown when its node lost its connection and another node has already signed it out. */
async function releaseUnknown(client: Client): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `select distinct locked_by as id from graphile_worker.jobs
     where locked_at < now() - $1 * interval '1 millisecond'
       and not exists (select from job_workers where worker_id = locked_by)`,
    [UNKNOWN_WORKER_MS],
  );
  await release(
    client,
    rows.map(({ id }) => id),
  );
}

/** Opens a connection whose queries wait for each other. */
async function openConnection(connection: Connection, pauseMs: number): Promise<Client & { lost: Promise<void> }> {
  const client = new pg.Client({
    ...connection,
    application_name: 'callboard jobs',
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    query_timeout: 10_000,
  });
  const lost = new Promise<void>((resolve) => {
    client.once('end', resolve);
    client.on('error', () => resolve());
  });
  await client.connect();
  let last: Promise<unknown> = Promise.resolve();
  return {
    query: (text, values) => {
      const answer = last.then(() => client.query<never>(text, values));
      last = answer.catch(() => undefined);
      return answer;
    },
    end: () => client.end(),
    lost,
    pauseMs,
  };
}

/**
 * Signs this process in as a node that runs jobs.
 * @param pauseMs how long a job waits that was cut short in its last try
 */
export async function enterAsNode(connection: Connection, pauseMs: number): Promise<JobNode> {
  const client = await openConnection(connection, pauseMs);
  // A node on another machine that loses power closes no connection: the database must notice it by itself. It does not apply to a
  // local socket, where it is ignored.
  await client.query(`set tcp_keepalives_idle = 15; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3`);
  const { rows } = await client.query<{ number: number }>(`select nextval('job_nodes')::int as number`);
  const number = rows[0]?.number ?? 0;
  await client.query('select pg_advisory_lock($1, $2)', [LOCK_PAIR.node, number]);
  return {
    number,
    signIn: async (workerId) => {
      await client.query('insert into job_workers (worker_id, node) values ($1, $2)', [workerId, number]);
    },
    releaseGone: async () => {
      const others = await client.query<{ node: number }>('select distinct node from job_workers where node <> $1', [
        number,
      ]);
      let gone = 0;
      for (const { node } of others.rows) if (await releaseIfGone(client, node)) gone += 1;
      await releaseUnknown(client);
      return gone;
    },
    lost: client.lost,
    leave: async () => {
      try {
        await signOut(client, number);
      } finally {
        await client.end();
      }
    },
  };
}
