import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PUSH_KIND_NAMES } from '#contract/push-kind-names.ts';
import { PUSH_KINDS } from '#contract/push-kinds.ts';
import { toTopic } from '#server/features/push/compose.ts';
import { notify } from '#server/features/notifications/store.ts';
import { ChangeLog } from '#server/platform/db/change-log.ts';
import { useProcesses } from './support/processes.ts';
import { openPushService, type ReceivedPush, type TestPushService } from './support/push-service.ts';
import { openTestServer, type Person, type TestServer } from './support/test-server.ts';

let service: TestPushService;
let testServer: TestServer;
let folder: string;
const processes = useProcesses('push-process.ts');
beforeAll(async () => {
  service = await openPushService();
  testServer = await openTestServer({ env: { PUSH_HOSTS: service.host } });
  folder = await mkdtemp(path.join(tmpdir(), 'callboard-push-'));
  await writeFile(path.join(folder, 'ca.pem'), service.certificate);
});
afterAll(async () => {
  await processes.killAll();
  await testServer.close();
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** The server processes that were started, by the subject with which their pushes are signed. */
const started = new Map<string, ChildProcess>();

/** Starts a server process that does the jobs. @returns its subject */
function start(): string {
  const subject = `mailto:server-${started.size}@callboard.example`;
  const child = processes.start({
    CONNECTION: JSON.stringify(testServer.database.connection),
    NOW: testServer.clock.now().toISOString(),
    DATA_DIR: folder,
    PUSH_SUBJECT: subject,
    PUSH_HOSTS: service.host,
    NODE_EXTRA_CA_CERTS: path.join(folder, 'ca.pem'),
  });
  started.set(subject, child);
  return subject;
}

async function addDevice({ token }: Person): Promise<string> {
  const device = service.addDevice();
  const answer = await testServer.call('PUT /push/subscription', { token, body: device.subscription });
  expect(answer.status).toBe(200);
  return device.path;
}

/** The pushes by device and event. More than one of an event are copies. */
function groupCopies(pushes: readonly ReceivedPush[]): Map<string, ReceivedPush[]> {
  const copies = new Map<string, ReceivedPush[]>();
  for (const push of pushes) {
    const key = `${push.path} ${push.topic}`;
    copies.set(key, [...(copies.get(key) ?? []), push]);
  }
  return copies;
}

const EVENTS = 1000;
const EVENTS_PER_KILL = 50;
/** Enough that none of them asks one person to connect more often than alerts them in a day. */
const ACTORS = 20;
/** Jobs that a process has under way when it is killed. */
const CONCURRENCY = 4;

test(`servers that are killed every ${EVENTS_PER_KILL} events push each of ${EVENTS} once to each device that wants it`, async () => {
  const actors = await Promise.all(Array.from({ length: ACTORS }, () => testServer.join()));
  const [all, some, none] = [await testServer.join(), await testServer.join(), await testServer.join()];
  const wants = (person: Person, kinds: object) =>
    testServer.call('PUT /settings', { token: person.token, body: { push: { kinds } } });
  await wants(all, { saved: true });
  await wants(some, { message: false, feedback: false });
  const devices = new Map([
    [all, [await addDevice(all), await addDevice(await testServer.signIn(all))]],
    [some, [await addDevice(some)]],
    // Allowed nothing, and a person without a device.
    [none, []],
  ]);
  const people = [...devices.keys()];

  const addEvent = (number: number) =>
    testServer.database.db.transaction(async (tx) => {
      const changes = new ChangeLog();
      const kind = PUSH_KIND_NAMES[number % PUSH_KIND_NAMES.length]!;
      const round = Math.floor(number / (PUSH_KIND_NAMES.length * people.length));
      const userId = Number(people[number % people.length]!.id);
      const event = {
        userId,
        actorId: Number(actors[round % ACTORS]!.id),
        type: PUSH_KINDS[kind].notification,
        subjectId: number,
        data: {},
      };
      await notify(tx, changes, event, testServer.clock.now());
      await changes.flush(tx, testServer.clock.now());
    });

  const servers = [start(), start()];
  const killed = new Set<string>();
  for (let number = 0; number < EVENTS; number += 1) {
    await addEvent(number);
    if (number % EVENTS_PER_KILL !== EVENTS_PER_KILL - 1) continue;
    const before = service.pushes.length;
    await expect.poll(() => service.pushes.length, { timeout: 120_000, interval: 5 }).toBeGreaterThan(before);
    // Hits the server while pushes are on their way.
    const victim = servers.shift()!;
    await processes.kill(started.get(victim)!);
    killed.add(victim);
    servers.push(start());
  }
  const listLeft = async () => {
    const left = await testServer.database.pool.query(
      `select task_identifier, attempts, last_error, locked_by, run_at - now() as "due in" from graphile_worker.jobs`,
    );
    return left.rows;
  };
  await expect.poll(listLeft, { timeout: 240_000 }).toEqual([]);

  const { rows } = await testServer.database.pool.query<{ alert: string; user_id: string; type: string }>(
    'select alert, user_id, type from notifications',
  );
  expect(rows).toHaveLength(EVENTS);
  const isWanted = (person: Person, type: string) =>
    person === all || !['message.received', 'feedback.received', 'profile.saved'].includes(type);
  const expected = rows.flatMap(({ alert, user_id: userId, type }) => {
    const person = people.find(({ id }) => id === userId)!;
    return isWanted(person, type) ? devices.get(person)!.map((device) => `${device} ${toTopic(alert)}`) : [];
  });
  const copies = groupCopies(service.pushes);
  expect([...copies.keys()].sort()).toEqual(expected.sort());
  for (const pushes of copies.values()) {
    const senders = pushes.map(({ sender }) => sender);
    // Only a server that did not live to note the answer may have sent it before.
    for (const sender of senders.slice(0, -1)) expect(killed).toContain(sender);
    expect(new Set(senders).size).toBe(senders.length);
    // By the id the worker of the device passes over a repeat, and by the tag the system shows it in place of the first.
    const identities = pushes.map(({ payload: { notification } }) => `${notification.data.id} ${notification.tag}`);
    expect(new Set(identities).size).toBe(1);
  }
  const repeats = service.pushes.length - expected.length;
  expect(repeats).toBeLessThanOrEqual(killed.size * CONCURRENCY);
  expect(service.faults).toEqual([]);
  expect(killed.size).toBe(Math.floor(EVENTS / EVENTS_PER_KILL));
  console.info(`${EVENTS} events, ${killed.size} kills: ${expected.length} pushes wanted, ${repeats} repeated`);
}, 1_800_000);
