import { Gauge, Registry } from 'prom-client';
import pg from 'pg';
import { LOCK } from '#server/platform/db/advisory-locks.ts';
import type { Connection } from '#server/platform/db/pool.ts';
import { describeFailure } from '#server/platform/jobs/failure.ts';
import type { Log } from '#server/platform/log.ts';

const INTERVAL_MS = 15_000;
const QUERY_TIMEOUT_MS = 10_000;

/** A job of a kind that this release does not know, for example during an upgrade. */
const OTHER_TASK = 'other';

/** Every count in one statement, so that they belong to one moment. Partial indexes keep it short. */
const COUNTS = `
  select
    (select coalesce(json_agg(found), '[]') from (
      select task_identifier as task,
        case when locked_at is not null then 'running' when attempts >= max_attempts then 'failed'
          when attempts > 0 then 'retrying' else 'waiting' end as state,
        count(*)::int as count,
        max(extract(epoch from now() - run_at))
          filter (where locked_at is null and attempts < max_attempts and run_at <= now())::float as oldest
      from graphile_worker.jobs group by 1, 2) found) as jobs,
    (select coalesce(json_agg(found), '[]') from (
      select case when last_seen_at > now() - interval '1 hour' then 'recently' else 'earlier' end as heard,
        count(*)::int as count, max(extract(epoch from now() - unsent_since))::float as oldest
      from (
        select last_seen_at, least(coalesce(oldest_at + interval '1 hour', pending_since), now()) as unsent_since
        from sessions left join devices on devices.id = device_id and heard_from = sessions.id
        where sessions.pending > 0) unsent group by 1) found) as unsent,
    (select count(*)::int from mails where state = 'queued' and last_code is not null) as waiting_mails,
    (select count(*)::int from push_subscriptions) as push_subscriptions,
    (select count(*)::int from reports where state = 'open') as open_reports`;

interface Counts {
  jobs: { task: string; state: string; count: number; oldest: number | null }[];
  unsent: { heard: 'recently' | 'earlier'; count: number; oldest: number | null }[];
  waiting_mails: number;
  push_subscriptions: number;
  open_reports: number;
}

export interface CountParts {
  connection: Connection;
  /** The names of all kinds of jobs. */
  tasks: readonly string[];
  log: Log;
}

function createGauges() {
  const registry = new Registry();
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  return {
    registry,
    jobs: gauge('callboard_jobs', 'Background jobs in the queue; failed ones are not tried again', ['task', 'state']),
    oldestJob: gauge('callboard_job_oldest_seconds', 'How long the oldest job that is due has waited', ['task']),
    unsentDevices: gauge(
      'callboard_unsent_devices',
      'Devices whose last request announced unsent changes; recently: heard within the hour',
      ['heard'],
    ),
    oldestUnsent: gauge('callboard_unsent_oldest_seconds', 'How long a device has had unsent changes, at the longest', [
      'heard',
    ]),
    pushSubscriptions: gauge('callboard_push_subscriptions', 'Devices that receive pushes'),
    mailTrouble: gauge('callboard_mail_trouble', 'Mails that wait because an attempt to send them failed'),
    openReports: gauge('callboard_reports_open', 'Reports that wait at the moderation desk'),
  };
}

/** What is counted in the database. One node counts, every 15 seconds; the others have no figures. */
export class DatabaseCounts {
  readonly #parts: CountParts;
  readonly #gauges = createGauges();
  readonly #timer: NodeJS.Timeout;
  #client: pg.Client | null = null;
  #isCounting = false;
  #running: Promise<void> = Promise.resolve();

  constructor(parts: CountParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.count(), INTERVAL_MS);
    this.#timer.unref();
    void this.count();
  }

  /** The figures in the format of Prometheus; empty on a node that does not count. */
  async print(): Promise<string> {
    return this.#isCounting ? this.#gauges.registry.metrics() : '';
  }

  /** Counts now, if no other node does. Never fails. */
  count(): Promise<void> {
    this.#running = this.#running.then(() => this.#countOnce());
    return this.#running;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
    await this.#client?.end();
  }

  async #countOnce(): Promise<void> {
    try {
      const client = (this.#client ??= await this.#open());
      if (!this.#isCounting) {
        // Held until the connection ends, however this process dies.
        const { rows } = await client.query<{ is_free: boolean }>(
          `select pg_try_advisory_lock(${LOCK.counts}) as is_free`,
        );
        if (rows[0]?.is_free !== true) return;
      }
      const { rows } = await client.query<Counts>(COUNTS);
      this.#show(rows[0]!);
      this.#isCounting = true;
    } catch (error) {
      this.#parts.log.warn(describeFailure(error), 'the figures of the database are missing from the metrics');
      this.#drop(this.#client);
    }
  }

  async #open(): Promise<pg.Client> {
    const client = new pg.Client({
      ...this.#parts.connection,
      application_name: 'callboard metrics',
      connectionTimeoutMillis: 5000,
      keepAlive: true,
      query_timeout: QUERY_TIMEOUT_MS,
      statement_timeout: QUERY_TIMEOUT_MS,
    });
    const drop = () => this.#drop(client);
    client.on('error', drop);
    client.on('end', drop);
    await client.connect();
    return client;
  }

  /** Forgets a connection that is lost, and with it the lock. */
  #drop(client: pg.Client | null): void {
    if (client === null || this.#client !== client) return;
    this.#client = null;
    this.#isCounting = false;
    void client.end().catch(() => undefined);
  }

  #show({ jobs, unsent, waiting_mails, push_subscriptions, open_reports }: Counts): void {
    const gauges = this.#gauges;
    gauges.registry.resetMetrics();
    const known = new Set(this.#parts.tasks);
    const oldestByTask = new Map<string, number>();
    for (const { task: name, state, count, oldest } of jobs) {
      const task = known.has(name) ? name : OTHER_TASK;
      gauges.jobs.inc({ task, state }, count);
      oldestByTask.set(task, Math.max(oldestByTask.get(task) ?? 0, oldest ?? 0));
    }
    for (const [task, seconds] of oldestByTask) gauges.oldestJob.set({ task }, seconds);
    for (const heard of ['recently', 'earlier'] as const) {
      const found = unsent.find((each) => each.heard === heard);
      gauges.unsentDevices.set({ heard }, found?.count ?? 0);
      gauges.oldestUnsent.set({ heard }, found?.oldest ?? 0);
    }
    gauges.mailTrouble.set(waiting_mails);
    gauges.pushSubscriptions.set(push_subscriptions);
    gauges.openReports.set(open_reports);
  }
}
