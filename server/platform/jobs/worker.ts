import { setTimeout as wait } from 'node:timers/promises';
import { Logger, parseCronItems, run, runOnce, type Runner, type RunnerOptions, type TaskList } from 'graphile-worker';
import type pg from 'pg';
import { connect } from '#server/platform/db/connect.ts';
import type { Connection } from '#server/platform/db/pool.ts';
import type { Log } from '#server/platform/log.ts';
import type { Metrics } from '#server/platform/metrics/metrics.ts';
import { describeFailure } from './failure.ts';
import type { JobHandler } from './handlers.ts';
import { enterAsNode, type JobNode } from './nodes.ts';

/** Jobs that one node runs at the same time. */
const CONCURRENCY = 4;
/** One connection for each running job, and one that listens for new jobs. */
const CONNECTIONS = CONCURRENCY + 1;
/** A new job is announced by the database. This is how often a retry that has become due is looked for. */
const POLL_INTERVAL_MS = 2000;
const RELEASE_INTERVAL_MS = 5000;
/** How long a job waits that was cut short in its last try. It may be what ended the server. */
const CUT_SHORT_PAUSE_MS = 5 * 60_000;
const RESTART_DELAY_MS = 2000;
/** A job that runs longer when the server stops is left to another node. */
const STOP_TIMEOUT_MS = 8000;
/** How far back a scheduled job is made up for when no node was running at its time. */
const MAX_CATCH_UP_MS = 60 * 60_000;
/** A scheduled job that fails as often waits for its next time. */
const SCHEDULED_TRIES = 3;

interface Parts {
  handlers: readonly JobHandler[];
  log: Log;
  metrics?: Pick<Metrics, 'jobSeconds'>;
  /** How often to look for the jobs of killed nodes. */
  releaseIntervalMs?: number;
  /** How long a job waits that was cut short in its last try. */
  pauseMs?: number;
}

/** The messages of the library may quote the error of a job, so nobody needs them but a developer. */
const createLogger = (log: Log) => new Logger(() => (level, message) => log.debug({ level }, message));

/** Wraps the handlers so that a failure is stored and logged without the message of its error. */
function toTasks({ handlers, log, metrics }: Parts): TaskList {
  const tasks = handlers.map(({ name, run: work }): [string, TaskList[string]] => [
    name,
    async (payload, { job, abortSignal }) => {
      const startedAt = performance.now();
      const observe = (result: 'done' | 'failed') =>
        metrics?.jobSeconds.observe({ task: name, result }, (performance.now() - startedAt) / 1000);
      try {
        await work(payload, { attempt: job.attempts, signal: abortSignal });
        observe('done');
      } catch (error) {
        observe('failed');
        const failure = describeFailure(error);
        const isLast = job.attempts >= job.max_attempts;
        const entry = { job: name, id: job.id, attempt: job.attempts, ...failure };
        if (isLast) log.error(entry, 'a job failed for the last time: see npm run jobs');
        else log.warn(entry, 'a job failed and is tried again later');
        // The queue stores this message.
        throw Object.assign(new Error(JSON.stringify(failure)), { stack: undefined });
      }
    },
  ]);
  return Object.fromEntries(tasks);
}

const toCronItems = (handlers: readonly JobHandler[]) =>
  parseCronItems(
    handlers.flatMap(({ name, schedule }) =>
      schedule === undefined
        ? []
        : [
            {
              task: name,
              identifier: name,
              match: schedule,
              // With a key, a job that still fails is replaced instead of piling up.
              options: { backfillPeriod: MAX_CATCH_UP_MS, maxAttempts: SCHEDULED_TRIES, jobKey: name },
            },
          ],
    ),
  );

const getOptions = (pool: pg.Pool, log: Log): RunnerOptions => ({
  pgPool: pool,
  logger: createLogger(log),
  noHandleSignals: true,
  pollInterval: POLL_INTERVAL_MS,
});

/** Runs every job that is due, one after the other, and returns. For tests and tools. */
export async function runDueJobs(pool: pg.Pool, parts: Parts): Promise<void> {
  await runOnce(getOptions(pool, parts.log), toTasks(parts));
}

/** Runs jobs under one node number until that is lost or `signal` aborts. */
async function runAsNode(connection: Connection, parts: Parts, signal: AbortSignal): Promise<void> {
  const { log } = parts;
  const node = await enterAsNode(connection, parts.pauseMs ?? CUT_SHORT_PAUSE_MS);
  const database = connect(connection, log, { maxConnections: CONNECTIONS });
  let runner: Runner | null = null;
  try {
    runner = await run(
      {
        ...getOptions(database.pool, log),
        concurrency: CONCURRENCY,
        gracefulShutdownAbortTimeout: STOP_TIMEOUT_MS / 2,
        preset: { plugins: [signInWorkers(node)] },
        parsedCronItems: toCronItems(parts.handlers),
      },
      toTasks(parts),
    );
    const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    const ended = runner.promise.catch((error: unknown) =>
      log.warn(describeFailure(error), 'the jobs were interrupted'),
    );
    const releasing = releaseRegularly(node, parts, signal);
    if (!signal.aborted) await Promise.race([stopped, ended, node.lost, releasing]);
  } finally {
    // A job may wait for something that does not answer. Its connections end below, and another node repeats it.
    await Promise.race([runner?.stop().catch(() => undefined), wait(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    await node.leave().catch(() => undefined);
    await database.close();
  }
}

/** Releases the jobs of killed nodes again and again. Resolves when the connection of this node fails. */
async function releaseRegularly(
  node: JobNode,
  { log, releaseIntervalMs = RELEASE_INTERVAL_MS }: Parts,
  signal: AbortSignal,
): Promise<void> {
  try {
    while (!signal.aborted) {
      const gone = await node.releaseGone();
      if (gone > 0) log.warn({ nodes: gone }, 'continuing the jobs of a server that is gone');
      await wait(releaseIntervalMs, undefined, { signal, ref: false });
    }
  } catch (error) {
    if (!signal.aborted) log.warn(describeFailure(error), 'this server is no longer known to run jobs');
  }
}

const signInWorkers = (node: JobNode): GraphileConfig.Plugin => ({
  name: 'SignInWorkersPlugin',
  version: '1.0.0',
  worker: { hooks: { startWorker: (_context, { worker }) => node.signIn(worker.workerId) } },
});

/** Runs jobs in this process. Survives the loss of the database. */
export function startJobs(connection: Connection, parts: Parts): { stop: () => Promise<void> } {
  const control = new AbortController();
  const { signal } = control;
  const running = (async () => {
    while (!signal.aborted) {
      await runAsNode(connection, parts, signal).catch((error: unknown) => {
        parts.log.warn(describeFailure(error), 'background jobs cannot run and are started again');
      });
      await wait(RESTART_DELAY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  })();
  return {
    stop: () => {
      control.abort();
      return running;
    },
  };
}
