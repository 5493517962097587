import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Upper bounds of the buckets, in seconds. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const WAIT_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];
const JOB_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120];

/** What is read at the moment of the scrape. The parts that know it set these. */
interface Readers {
  sockets: () => number;
  pool: () => { totalCount: number; idleCount: number; waitingCount: number };
}

/**
 * What this process counts about itself (decision 031). A label holds only words of the code, such as the pattern of a route or the name of a
 * job: never an id, an address or anything else that a client sends.
 */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const readers: Readers = { sockets: () => 0, pool: () => ({ totalCount: 0, idleCount: 0, waitingCount: 0 }) };
  new Gauge({
    name: 'callboard_sockets',
    help: 'Live sockets that this process holds',
    registers,
    collect() {
      this.set(readers.sockets());
    },
  });
  new Gauge({
    name: 'callboard_db_pool',
    help: 'Database connections of requests, by state; waiting counts the requests that wait for one',
    labelNames: ['state'],
    registers,
    collect() {
      const { totalCount, idleCount, waitingCount } = readers.pool();
      this.set({ state: 'active' }, totalCount - idleCount);
      this.set({ state: 'idle' }, idleCount);
      this.set({ state: 'waiting' }, waitingCount);
    },
  });
  return {
    registry,
    readers,
    httpSeconds: new Histogram({
      name: 'callboard_http_seconds',
      help: 'Time from a request to the end of its answer',
      labelNames: ['method', 'route', 'status'],
      buckets: REQUEST_SECONDS,
      registers,
    }),
    dbWaitSeconds: new Histogram({
      name: 'callboard_db_wait_seconds',
      help: 'Time that a request waits for a database connection',
      buckets: WAIT_SECONDS,
      registers,
    }),
    jobSeconds: new Histogram({
      name: 'callboard_job_seconds',
      help: 'Duration of background jobs',
      labelNames: ['task', 'result'],
      buckets: JOB_SECONDS,
      registers,
    }),
    mails: new Counter({
      name: 'callboard_mails_total',
      help: 'Attempts to send a mail',
      labelNames: ['kind', 'result'],
      registers,
    }),
    pushes: new Counter({
      name: 'callboard_pushes_total',
      help: 'Pushes to devices, by what became of each attempt',
      labelNames: ['result'],
      registers,
    }),
    signIns: new Counter({
      name: 'callboard_sign_ins_total',
      help: 'Attempts to sign in',
      labelNames: ['method', 'result'],
      registers,
    }),
    limited: new Counter({
      name: 'callboard_limited_total',
      help: 'Requests refused by a limit',
      labelNames: ['limit'],
      registers,
    }),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
