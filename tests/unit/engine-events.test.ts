import 'fake-indexeddb/auto';
import { Dexie } from 'dexie';
import { expect, it, vi } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { createEngine } from '#sync/engine.ts';
import type { EngineEvent } from '#sync/engine-events.ts';

it('reports a changed row after the browser aborted the read of it', async () => {
  const db = new AccountDb('engine-events', '1');
  const never = () => Promise.reject(new Error('Nothing is sent here'));
  const ports = {
    clock: { now: () => 1_800_000_000_000, after: () => () => undefined },
    chance: { random: () => 0, uuid: () => crypto.randomUUID() },
    transport: never,
    lock: never,
  } as unknown as Parameters<typeof createEngine>[1];
  const told: EngineEvent[] = [];
  const leave = createEngine(db, ports).on((event) => told.push(event));
  const move = async (title: string) =>
    db.journal.add({
      op: title,
      kind: 'create',
      type: 'skill',
      title,
      from: 'sending',
      to: 'done',
      status: 201,
      at: 0,
    });
  // The first read only finds where the journal stands; what is told came after it.
  await vi.waitFor(async () => {
    await move('Tabla');
    expect(told).not.toEqual([]);
  });
  vi.spyOn(db.journal, 'where').mockImplementationOnce(() => {
    throw new Dexie.AbortError('The transaction was aborted');
  });
  await move('Kathak');
  await vi.waitFor(() => expect(told.at(-1)?.title).toBe('Kathak'));
  leave();
  await db.delete();
});
