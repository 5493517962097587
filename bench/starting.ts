import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { startPostgres } from '#server/platform/db/embedded.ts';
import { appServer } from '../tests/e2e/support/server.ts';
import { type Figure, paired, timed } from './figures.ts';

const quiet = pino({ level: 'silent' });

/** Starts PostgreSQL alone in an empty folder and then again in the same folder. */
async function startBare(): Promise<{ cold: number; warm: number }> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'callboard-bench-'));
  const once = () =>
    timed(async () => {
      running = await startPostgres({ dataDir, log: quiet });
    });
  let running: Awaited<ReturnType<typeof startPostgres>> | undefined;
  const cold = await once();
  await running?.stop();
  const warm = await once();
  await running?.stop();
  await rm(dataDir, { recursive: true, force: true });
  return { cold, warm };
}

/** Measures from the command until /healthz answers, with an empty data folder and with an existing one. */
export async function measureStarting({ runs }: { runs: number }): Promise<Figure[]> {
  const ours: { cold: number; warm: number }[] = [];
  const bare: { cold: number; warm: number }[] = [];
  for (let run = 0; run < runs; run += 1) {
    const server = await appServer();
    const cold = await timed(() => server.start());
    await server.stop();
    ours.push({ cold, warm: await timed(() => server.start()) });
    await server.dispose();
    bare.push(await startBare());
  }
  const figure = (name: string, kind: 'cold' | 'warm'): Figure => {
    const runsOf = (all: readonly { cold: number; warm: number }[]) => all.map((each) => each[kind]);
    const peer = { name: 'PostgreSQL alone', runs: runsOf(bare) };
    return {
      part: 'Starting the server',
      name,
      unit: 'ms',
      ...paired(runsOf(ours), peer),
    };
  };
  return [figure('cold, in an empty folder', 'cold'), figure('warm', 'warm')];
}
