import { and, eq } from 'drizzle-orm';
import { passkeys, reports, sessions, users } from '#server/platform/db/schema.ts';
import type { AuditRecord } from '#contract/records/desk.ts';
import type { Person, TestServer } from './test-server.ts';

const DAY_MS = 86_400_000;

type Role = 'moderator' | 'operator';

/** Adds people who work at the desk, and does acts there. */
export function deskCalls(testServer: TestServer) {
  /** Somebody who signed in with a passkey and has just proved who they are. */
  const joinDesk = async (role: Role, name = role === 'operator' ? 'Ishaan Sethi' : 'Noor Kaur'): Promise<Person> => {
    const { db } = testServer.database;
    const person = await testServer.join(name);
    const id = Number(person.id);
    await db.update(users).set({ role }).where(eq(users.id, id));
    await db
      .update(sessions)
      .set({ method: 'passkey', reauthAt: testServer.clock.now() })
      .where(eq(sessions.userId, id));
    return person;
  };
  const addPasskey = (person: Person) =>
    testServer.database.db.insert(passkeys).values({
      id: `key of ${person.id}`,
      userId: Number(person.id),
      publicKey: Buffer.from('key'),
      counter: 0,
      transports: [],
      aaguid: '00000000-0000-0000-0000-000000000000',
      isSynced: true,
      name: 'A phone',
      createdAt: testServer.clock.now(),
    });
  /** Asks for an act; its body with words and a reason by default. */
  const ask = (worker: Person, act: string, target: string, id: string, more: object = {}) =>
    testServer.call<{ data: AuditRecord; message: string; errors?: Record<string, string[]> }>('POST /desk/acts', {
      token: worker.token,
      body: { act, target_type: target, target_id: id, reason: 'scam', words: 'No fees for auditions.', ...more },
    });
  /** Does an act. @returns its entry in the log */
  const act = async (...args: Parameters<typeof ask>): Promise<AuditRecord> => {
    const done = await ask(...args);
    if (done.status !== 201) throw new Error(`Not done: ${done.text}`);
    return done.body.data;
  };
  const undo = (worker: Person, { id }: { id: string }) =>
    testServer.call<{ data: AuditRecord; message: string }>(`POST /desk/acts/${id}/undo`, { token: worker.token });
  const get = async <T>(request: string, person: Person) =>
    (await testServer.call<T>(request, { token: person.token })).body;
  const inDays = (days: number) => new Date(testServer.clock.now().getTime() + days * DAY_MS).toISOString();
  /** Reports somebody. @returns the id of the report */
  const report = async (by: Person, about: Person, more: object = {}): Promise<string> => {
    const body = { user_id: about.id, reason: 'harassment', ...more };
    const sent = await testServer.call('POST /reports', { token: by.token, body });
    if (sent.status !== 201) throw new Error(sent.text);
    const [row] = await testServer.database.db
      .select()
      .from(reports)
      .where(and(eq(reports.reportedId, Number(about.id)), eq(reports.reporterId, Number(by.id))));
    return String(row?.id);
  };
  return { joinDesk, addPasskey, ask, act, undo, get, inDays, report };
}
