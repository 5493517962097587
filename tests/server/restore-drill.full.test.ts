import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADULT } from '../support/adult.ts';
import { runCommand } from './support/command.ts';
import { jpeg } from './support/pictures.ts';
import { callServer, startServer, type ServerProcess } from './support/server-process.ts';

const WRITES = 10_000;
const FILES = 200;
const WRITERS = 4;
/** Skills of one profile; beyond, the list would be answered in pages. */
const SKILLS_PER_PERSON = 50;

let root = '';
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-drill-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

interface Performer {
  token: string;
  email: string;
  profileId: string;
}

interface Ledger {
  /** Names of skills by the profile they belong to. */
  skills: Map<string, string[]>;
  /** Digests of files by the address of the file. */
  files: Map<string, { digest: string; token: string }>;
}

const PASSWORD = 'the ghost light stays on';
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function join({ url }: ServerProcess): Promise<Performer> {
  const email = `${randomUUID()}@callboard.example`;
  const { body } = await callServer<{ token: string }>(url, 'POST /register', {
    body: { name: 'Ila Deshpande', email, password: PASSWORD, ...ADULT },
  });
  const types = await callServer<{ id: string }[]>(url, 'GET /profile_types');
  const made = await callServer<{ data: { id: string } }>(url, 'POST /profile', {
    token: body.token,
    body: { profile_type_id: types.body[0]!.id, stage_name: 'Ila' },
  });
  return { token: body.token, email, profileId: made.body.data.id };
}

/** Stores a photo and returns its address and digest as the server gives it. */
async function addPhoto({ url }: ServerProcess, { token, profileId }: Performer, n: number): Promise<[string, string]> {
  const form = new FormData();
  form.set('profileId', profileId);
  form.set(
    'image',
    new Blob([Buffer.from(await jpeg(60 + (n % 40), 40 + (n % 7)))], { type: 'image/jpeg' }),
    'face.jpg',
  );
  const headers = { authorization: `Bearer ${token}` };
  const stored = await fetch(`${url}/profile/avatar`, { method: 'POST', headers, body: form });
  expect(stored.status).toBe(200);
  const { profile_photo: photo } = (await stored.json()) as { profile_photo: string };
  return [photo, digest(new Uint8Array(await (await fetch(url + photo)).arrayBuffer()))];
}

/** Writes until the ledger holds as many acknowledged skills and files as asked, or the server is gone. */
async function writeUntil(server: ServerProcess, ledger: Ledger, { skills, files }: { skills: number; files: number }) {
  let started = 0;
  const writer = async () => {
    while (started < skills) {
      const person = await join(server);
      const names: string[] = [];
      ledger.skills.set(person.profileId, names);
      if (ledger.files.size < files) {
        const [address, found] = await addPhoto(server, person, ledger.files.size);
        ledger.files.set(address, { digest: found, token: person.token });
      }
      for (let n = 0; n < SKILLS_PER_PERSON && started < skills; n += 1) {
        started += 1;
        const name = `Skill ${randomUUID()}`;
        const { status } = await callServer(server.url, 'POST /skills', {
          token: person.token,
          headers: { 'idempotency-key': randomUUID() },
          body: { profile_id: person.profileId, level: 1, name },
        });
        expect(status).toBe(201);
        names.push(name);
      }
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
}

const copyOf = ({ skills, files }: Ledger): Ledger => ({
  skills: new Map([...skills].map(([profile, names]) => [profile, [...names]])),
  files: new Map(files),
});

/** Starts the server on restored data, and compares what it serves with the ledger. */
async function expectAll(dataDir: string, ledger: Ledger): Promise<void> {
  const server = await startServer({ DATA_DIR: dataDir });
  for (const [profileId, names] of ledger.skills) {
    const { body } = await callServer<{ name: string }[]>(server.url, `GET /profiles/${profileId}/skills`);
    const found = new Set(body.map(({ name }) => name));
    expect(names.filter((name) => !found.has(name))).toEqual([]);
  }
  for (const [address, { digest: expected }] of ledger.files) {
    const file = await fetch(server.url + address);
    expect(file.status).toBe(200);
    expect(digest(new Uint8Array(await file.arrayBuffer()))).toBe(expected);
  }
  expect(await server.end('SIGTERM')).toBe(0);
}

test(`restores ${WRITES} acknowledged writes and ${FILES} files, from a backup under load and from one after a kill`, async () => {
  const dataDir = path.join(root, 'data');
  const server = await startServer({ DATA_DIR: dataDir });
  const ledger: Ledger = { skills: new Map(), files: new Map() };
  await writeUntil(server, ledger, { skills: WRITES / 2, files: FILES / 2 });

  const before = copyOf(ledger);
  const toFirst = path.join(root, 'first');
  const backingUp = runCommand('backup.ts', dataDir, '--to', toFirst);
  // Under load, until it is done.
  await writeUntil(server, ledger, { skills: WRITES / 2, files: FILES });
  expect(await backingUp).toMatch(/^Backed up to \S+\/callboard-\d{8}T\d{6}Z: [\d,]+ rows, [\d,]+ files \(.*\)\.\n$/);
  await server.end('SIGKILL');

  const toSecond = path.join(root, 'second');
  await runCommand('backup.ts', dataDir, '--to', toSecond);
  const restore = async (from: string, into: string) => {
    const [name] = await readdir(from);
    return runCommand('restore.ts', dataDir, path.join(from, name!), '--into', into);
  };
  expect(await restore(toSecond, path.join(root, 'a'))).toContain('Start the server with DATA_DIR=');
  await expectAll(path.join(root, 'a'), ledger);
  await restore(toFirst, path.join(root, 'b'));
  await expectAll(path.join(root, 'b'), before);
}, 1_800_000);
