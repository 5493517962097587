import type { JobKind } from './kinds.ts';

/** What a running job is given beside its payload. */
export interface JobRun {
  /** 1 on the first try. */
  attempt: number;
  /** Aborted when the server stops. Long work should end then; the job is repeated later. */
  signal: AbortSignal | undefined;
}

/** Does the jobs of one kind. */
export interface JobHandler {
  name: string;
  /** When the job runs by itself: a cron expression in UTC. */
  schedule?: string;
  run: (payload: unknown, run: JobRun) => Promise<unknown>;
}

/** The work for one kind of job. It must bear repeating: a job whose process is killed runs again. */
export const handleJob = <Payload>(
  { name, payload: schema }: JobKind<Payload>,
  work: (payload: Payload, run: JobRun) => Promise<unknown>,
): JobHandler => ({ name, run: async (payload, run) => work(schema.parse(payload), run) });

/** Work that runs every five minutes on one of the nodes. */
export const everyFiveMinutes = (name: string, work: (run: JobRun) => Promise<unknown>): JobHandler => ({
  name,
  schedule: '*/5 * * * *',
  run: (_payload, run) => work(run),
});

/** Work that runs once an hour on one of the nodes. @param minute spreads the jobs over the hour */
export const everyHour = (name: string, minute: number, work: (run: JobRun) => Promise<unknown>): JobHandler => ({
  name,
  schedule: `${minute} * * * *`,
  run: (_payload, run) => work(run),
});
