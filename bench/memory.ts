import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makePerson, type Person } from '../tests/e2e/support/people.ts';
import { appServer } from '../tests/e2e/support/server.ts';
import { startS3Server } from '../tests/server/support/s3-server.ts';
import { atMost, type Figure, paired } from './figures.ts';

const CONCURRENT_UPLOADS = 20;
const FILE_BYTES = 10 * 1024 * 1024;
const SAMPLE_INTERVAL_MS = 10;
/** The round by which the server has run all its code and filled its pools. */
const WARMUP_ROUNDS = 4;
/** Pause before each round, so that no work of the previous one remains. */
const SETTLE_MS = 1000;

/** A minimal receiver in Node: pipes bodies to files and syncs them. */
const BARE_RECEIVER = `
  import { createServer } from 'node:http';
  import { open, rm } from 'node:fs/promises';
  createServer(async (request, answer) => {
    const file = process.argv[1] + request.url;
    const handle = await open(file, 'w');
    for await (const bytes of request) await handle.write(bytes);
    await handle.sync();
    await handle.close();
    await rm(file);
    answer.writeHead(204).end();
  }).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;

/** Resident memory of a process in MB. */
async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => {
    throw new Error('Memory is read from /proc, which only Linux has; leave the part out with --only');
  });
  const kib = Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1]);
  return (kib * 1024) / 1_000_000;
}

/** Returns the largest deviation of the memory from its value before `work`, in either direction, in MB. */
async function awayDuring(pid: number, work: () => Promise<void>): Promise<number> {
  const before = await residentMb(pid);
  let farthest = 0;
  let isOver = false;
  const look = async () => {
    while (!isOver) {
      farthest = Math.max(farthest, Math.abs((await residentMb(pid)) - before));
      await wait(SAMPLE_INTERVAL_MS);
    }
  };
  const looking = look();
  try {
    await work();
  } finally {
    isOver = true;
    await looking;
  }
  return farthest;
}

const runConcurrently = (work: () => Promise<void>) => Promise.all(Array.from({ length: CONCURRENT_UPLOADS }, work));

async function wanted(status: number, answer: Response): Promise<void> {
  const words = await answer.text();
  if (answer.status !== status) throw new Error(`An upload was answered ${answer.status}: ${words}`);
}

/** Uploads files concurrently with the tus protocol. @returns a function that deletes them */
async function upload(url: string, { token }: Person, file: Uint8Array<ArrayBuffer>): Promise<() => Promise<void>> {
  const headers = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0', accept: 'application/json' };
  const call = (method: string, place: string, more: HeadersInit = {}, body?: Uint8Array<ArrayBuffer>) =>
    fetch(url + place, { method, headers: { ...headers, ...more }, ...(body && { body }) });
  const ids: string[] = [];
  await runConcurrently(async () => {
    const id = randomUUID();
    ids.push(id);
    const named = { 'upload-length': String(file.length), 'upload-metadata': `id ${btoa(id)}` };
    await wanted(201, await call('POST', '/uploads', named));
    const bytes = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
    await wanted(204, await call('PATCH', `/uploads/${id}`, bytes, file));
  });
  return async () => {
    for (const id of ids) await wanted(204, await call('DELETE', `/uploads/${id}`));
  };
}

/** A receiver and the largest memory deviation during its uploads. */
interface Receiver {
  measure: () => Promise<number>;
  close: () => Promise<void>;
}

interface Measured {
  /** The first uploads after its start. */
  cold: number[];
  warm: number[];
}

async function ours(settings: Record<string, string>, file: Uint8Array<ArrayBuffer>): Promise<Receiver> {
  const server = await appServer(settings);
  await server.start();
  const person = await makePerson(server.url);
  const measure = async () => {
    await wait(SETTLE_MS);
    let forget = async () => {};
    const away = await awayDuring(server.pid(), async () => {
      forget = await upload(server.url, person, file);
    });
    await forget();
    return away;
  };
  return { measure, close: () => server.dispose() };
}

async function bare(file: Uint8Array<ArrayBuffer>): Promise<Receiver> {
  const folder = await mkdtemp(path.join(tmpdir(), 'callboard-bench-'));
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', BARE_RECEIVER, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  const url = `http://127.0.0.1:${Number(port.toString())}`;
  const measure = async () => {
    await wait(SETTLE_MS);
    return awayDuring(child.pid ?? 0, async () => {
      await runConcurrently(async () =>
        wanted(204, await fetch(`${url}/${randomUUID()}`, { method: 'PUT', body: file })),
      );
    });
  };
  const close = async () => {
    const gone = once(child, 'exit');
    child.kill();
    await gone;
    await rm(folder, { recursive: true, force: true });
  };
  return { measure, close };
}

/** Starts new processes one after another and measures each in its first round and in one after a warm-up. */
async function measureReceivers(runs: number, opens: readonly (() => Promise<Receiver>)[]): Promise<Measured[]> {
  const all = opens.map((): Measured => ({ cold: [], warm: [] }));
  for (let run = 0; run < runs; run += 1) {
    for (const [at, open] of opens.entries()) {
      const receiver = await open();
      try {
        all[at]?.cold.push(await receiver.measure());
        for (let round = 1; round < WARMUP_ROUNDS; round += 1) await receiver.measure();
        all[at]?.warm.push(await receiver.measure());
      } finally {
        await receiver.close();
      }
    }
  }
  return all;
}

/** Measures the memory of the server process during concurrent uploads, without PostgreSQL. */
export async function measureMemory({ runs }: { runs: number }): Promise<Figure[]> {
  const file = new Uint8Array(randomBytes(FILE_BYTES));
  const s3 = await startS3Server();
  const { endpoint = '', bucket, region, accessKeyId, secretAccessKey } = s3.settings;
  const onS3 = {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  };
  const opens = [() => bare(file), () => ours({}, file), () => ours(onS3, file)];
  const [peer, disk, objects] = await measureReceivers(runs, opens).finally(() => s3.close());
  const figure = (place: string, when: keyof Measured, measured: Measured | undefined): Figure => ({
    part: `Memory of the server while ${CONCURRENT_UPLOADS} uploads of ${FILE_BYTES / 1024 / 1024} MB run, away from before`,
    name: `files on ${place}, ${when === 'warm' ? 'a server that has been up' : 'its first uploads'}`,
    unit: 'MB',
    ...paired(measured?.[when] ?? [], { name: 'bodies piped to files', runs: peer?.[when] ?? [] }),
    ...(when === 'warm' && { bar: atMost(30) }),
  });
  return [
    figure('the disk', 'warm', disk),
    figure('the disk', 'cold', disk),
    figure('S3', 'warm', objects),
    figure('S3', 'cold', objects),
  ];
}
