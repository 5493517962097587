import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callServer, startServer } from './support/server-process.ts';
import { quantity } from '../support/quantity.ts';
import { ADULT } from '../support/adult.ts';

const ROUNDS = quantity(3, 20);
const WRITERS = 4;
const PASSWORD = 'the ghost light stays on';

let dataDir = '';
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'callboard-crash-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

interface Intent {
  key: string;
  client_id: string;
  name: string;
}
interface Skill {
  id: string;
  name: string;
  client_id: string;
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

async function goneAfterMs(pid: number): Promise<number> {
  const startedAt = performance.now();
  while (isAlive(pid)) {
    if (performance.now() - startedAt > 10_000) throw new Error(`PostgreSQL (process ${pid}) outlived its server`);
    await wait(5);
  }
  return performance.now() - startedAt;
}

const send = (url: string, token: string, profile_id: string, { key, ...fields }: Intent) =>
  callServer<{ data: Skill }>(url, 'POST /skills', {
    token,
    headers: { 'idempotency-key': key },
    body: { profile_id, level: 1, ...fields },
  });

/** Writes concurrently and kills the server at the nth acknowledgement, while other writes are in flight. */
async function writeUntilKilled(
  { url, end }: Awaited<ReturnType<typeof startServer>>,
  token: string,
  profileId: string,
  acknowledgements: number,
): Promise<{ acknowledged: Intent[]; unknown: Intent[] }> {
  const acknowledged: Intent[] = [];
  const unknown: Intent[] = [];
  const kill: { sent: Promise<unknown> | null } = { sent: null };
  const writer = async () => {
    while (kill.sent === null) {
      const intent = { key: randomUUID(), client_id: randomUUID(), name: `Skill ${randomUUID()}` };
      try {
        const answer = await send(url, token, profileId, intent);
        expect(answer.status).toBe(201);
        acknowledged.push(intent);
        if (acknowledged.length === acknowledgements) kill.sent = end('SIGKILL');
      } catch (error) {
        if (kill.sent === null) throw error;
        unknown.push(intent);
      }
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  await kill.sent;
  return { acknowledged, unknown };
}

test(
  `stores each acknowledged write once and restarts cleanly after ${ROUNDS} kills during writes`,
  { timeout: 240_000 },
  async () => {
    const first = await startServer({ DATA_DIR: dataDir });
    const joined = await callServer<{ token: string }>(first.url, 'POST /register', {
      body: { name: 'Ila', email: 'ila@callboard.example', password: PASSWORD, ...ADULT },
    });
    const { token } = joined.body;
    const types = await callServer<{ id: string }[]>(first.url, 'GET /profile_types');
    const made = await callServer<{ data: { id: string } }>(first.url, 'POST /profile', {
      token,
      body: { profile_type_id: types.body[0]?.id, stage_name: 'Ila' },
    });
    const profileId = made.body.data.id;

    const expected = new Map<string, Intent>();
    const goneMs: number[] = [];
    let server = first;
    for (let round = 0; round < ROUNDS; round += 1) {
      const lock = await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8');
      const { acknowledged, unknown } = await writeUntilKilled(server, token, profileId, 3 + ((round * 7) % 13));
      goneMs.push(await goneAfterMs(Number.parseInt(lock, 10)));

      server = await startServer({ DATA_DIR: dataDir });
      for (const intent of acknowledged) {
        const again = await send(server.url, token, profileId, intent);
        expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
        expected.set(intent.client_id, intent);
      }
      // It is unknown whether these arrived. Sent again under their keys, each exists once.
      for (const intent of unknown) {
        expect((await send(server.url, token, profileId, intent)).status).toBe(201);
        expected.set(intent.client_id, intent);
      }
      const { body: skills } = await callServer<Skill[]>(server.url, `GET /profiles/${profileId}/skills`);
      expect(skills.map((skill) => skill.name).sort()).toEqual(
        [...expected.values()].map((intent) => intent.name).sort(),
      );
    }
    // Usually well within a second, but the machine may be busy with other test files.
    expect(goneMs.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]).toBeLessThan(1000);

    const pulled = await callServer<{ records: { type: string }[] }>(server.url, 'GET /sync', { token });
    expect(pulled.body.records.length).toBeGreaterThan(quantity(10, 100));
    expect(await server.end('SIGTERM')).toBe(0);
  },
);
