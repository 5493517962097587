import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ProfileCard } from '#contract/records/people.ts';
import { AccountDb } from '#db/database.ts';
import { describe as words } from '#db/describe.ts';
import { bondWith, savedItems, savedStanding } from '#db/people.ts';
import type { Features } from '#db/rows.ts';
import { classify } from '#sync/classify.ts';
import type { OutboxPorts } from '#sync/outbox.ts';
import { accept, connect, setSaved } from '#sync/people.ts';
import { endpointOf } from '#sync/requests.ts';

const meera: ProfileCard = {
  id: '7',
  title: 'Actor',
  stage_name: 'Meera Joshi',
  location: 'Pune',
  profile_type: { id: '1', name: 'Actor / Performer', slug: 'actor-performer' },
  profile_photo: null,
  slug: 'meera-joshi',
};
const whom = { userId: '3', name: 'Meera Joshi' };

let ports: OutboxPorts;
let minted = 0;

beforeEach(() => {
  const db = new AccountDb('test', 'u1', { indexedDB: new IDBFactory(), IDBKeyRange });
  const clock = { now: () => 1_000, after: () => () => undefined };
  ports = { db, clock, chance: { uuid: () => `op-${(minted += 1)}`, random: () => 0.5 } };
});

const rows = () => ports.db.outbox.orderBy('seq').toArray();
const leave = async (op: string | null) => ports.db.outbox.where('op').equals(op!).modify({ sentOnce: true });

describe('a bookmark', () => {
  it('taken back before it left sends nothing', async () => {
    await setSaved(ports, 'saved_profile', meera, true);
    expect(await savedStanding(ports.db, 'saved_profile', '7', false)).toEqual({ is: true, state: 'phone' });
    expect(await setSaved(ports, 'saved_profile', meera, false)).toEqual({ op: null });
    expect(await rows()).toEqual([]);
  });

  it('wished twice is one wish', async () => {
    const first = await setSaved(ports, 'saved_profile', meera, true);
    expect(await setSaved(ports, 'saved_profile', meera, true)).toEqual(first);
    expect(await rows()).toHaveLength(1);
  });

  it('that may have left is taken back by a wish of its own, which can be taken back too', async () => {
    const { op } = await setSaved(ports, 'saved_profile', meera, true);
    await leave(op);
    await setSaved(ports, 'saved_profile', meera, false);
    const both = await rows();
    expect(both.map((row) => [row.patch.saved, endpointOf(row)?.path])).toEqual([
      [true, '/profile/:profileId/save'],
      [false, '/profile/:profileId/unsave'],
    ]);
    expect(both.map((row) => words(row))).toEqual(['Save Meera Joshi', 'No longer save Meera Joshi']);
    await setSaved(ports, 'saved_profile', meera, true);
    expect((await rows()).map((row) => row.op)).toEqual([op]);
  });

  it('that was refused makes way for the next wish', async () => {
    const { op } = await setSaved(ports, 'saved_profile', meera, true);
    await ports.db.outbox.where('op').equals(op!).modify({ state: 'attention', reason: 'gone' });
    await setSaved(ports, 'saved_profile', meera, true);
    const [row, ...others] = await rows();
    expect(others).toEqual([]);
    expect(row).toMatchObject({ state: 'queued', patch: { saved: true } });
    expect(row?.op).not.toBe(op);
  });

  it('stands in the list at once', async () => {
    await setSaved(ports, 'saved_profile', meera, true);
    expect((await savedItems(ports.db, 'saved_profile')).map((item) => [item.card.stage_name, item.state])).toEqual([
      ['Meera Joshi', 'phone'],
    ]);
  });
});

describe('a request to connect', () => {
  it('is made once', async () => {
    const first = await connect(ports, whom, 'Hello');
    expect(await connect(ports, whom)).toEqual(first);
    expect(await bondWith(ports.db, '3', null)).toMatchObject({ is: 'pending', state: 'phone' });
    expect((await rows()).map((row) => words(row))).toEqual(['Connect with Meera Joshi']);
  });

  it('of theirs is accepted', async () => {
    const body = { id: '9', status: 'pending', user_id: '3', connected_user_id: 'u1' };
    await ports.db.records.put({ type: 'connection', id: '9', parent: null, body, version: null });
    expect(await bondWith(ports.db, '3', null)).toMatchObject({ is: 'asked', connectionId: '9' });
    await accept(ports, whom, '9');
    expect(await bondWith(ports.db, '3', null)).toMatchObject({ is: 'connected', state: 'phone' });
  });
});

describe('an answer to a wish', () => {
  const features: Features = { keys: true, versions: true, uploads: true, sync: true };
  const answer = (status: number, headers: Record<string, string> = {}) => ({
    status,
    header: (name: string) => headers[name] ?? null,
    body: { message: 'No' },
    redirected: false,
  });
  const asked = { kind: 'connect', type: 'person', plusCall: false } as const;

  it('of too many requests holds up that one alone, for a time the planner believes in', () => {
    const verdict = classify(asked, answer(429, { 'retry-after': '3600' }), features);
    expect(verdict).toMatchObject({ do: 'again', afterMs: 9 * 60_000, unknown: false });
  });

  it('of nobody there ends a wish to let go, and asks about every other', () => {
    const save = { kind: 'save', type: 'saved_profile', plusCall: false } as const;
    expect(classify({ ...save, removes: true }, answer(404), features)).toMatchObject({ do: 'done' });
    expect(classify(save, answer(404), features)).toMatchObject({ do: 'needs', reason: 'gone' });
    expect(classify(asked, answer(409), features)).toMatchObject({ do: 'needs', reason: 'invalid' });
  });
});
