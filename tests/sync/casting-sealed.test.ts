import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AccountDb } from '#db/database.ts';
import type { Engine } from '#sync/engine.ts';
import type { SealedContents } from '#sync/sealed/contents.ts';
import { openSealed } from '#sync/sealed/open.ts';
import { packContents, unpackContents } from '#sync/sealed/pack.ts';
import { sealOutbox } from '#sync/sealed/seal.ts';
import { createDevice } from './released/device.ts';
import { createPrng } from './simulation/prng.ts';
import { FakeServer } from './simulation/server/fake-server.ts';
import { encodeRequest, toWireAnswer } from './simulation/network.ts';
import { epoch } from './simulation/scheduler.ts';

const NOW = epoch + 1000;
const title = 'Naseem, The Salt Road';

/** Two devices of the person who casts. The phone has lost its connection for good. */
describe('changes of casting in a sealed file', () => {
  let server: FakeServer;
  let phone: Engine;
  let laptop: Engine;
  let profiles: string[];

  function openDevice(name: string, seed: number): Engine {
    const db = new AccountDb(name, 'u1', { indexedDB: new IDBFactory(), IDBKeyRange });
    const token = server.signIn('u1');
    const send = (request: Parameters<typeof encodeRequest>[0]) =>
      Promise.resolve(toWireAnswer(server.handle(encodeRequest(request, token), name)));
    return createDevice(db, { transport: { send }, now: NOW, prng: createPrng(seed) });
  }
  const drain = async (engine: Engine) => {
    for (let round = 0; round < 6; round += 1) await engine.drain(60_000);
  };
  const ask = (engine: Engine, role: string, texts: readonly string[]) =>
    engine.createAll(
      'request',
      role,
      texts.map((instructions, n) => ({
        profile_id: profiles[n],
        instructions,
        deadline_at: new Date(NOW + 86_400_000).toISOString(),
      })),
    );
  /** Asks one performer on the phone, and seals what waits there. */
  async function sealRequest() {
    const project = await phone.create('project', null, { title: 'The Salt Road', type: 'film' });
    const role = await phone.create('role', project.id, { name: 'Naseem' });
    await ask(phone, role.id, ['Scene 14']);
    const { contents } = await sealOutbox(phone.db, NOW);
    return { contents, made: contents.rows.find(({ type }) => type === 'request')! };
  }
  const open = (contents: SealedContents) =>
    openSealed({ db: laptop.db, clock: { now: () => NOW, after: () => () => undefined } }, contents);
  const count = (type: string) => [...server.store.rows.values()].filter((row) => row.type === type).length;

  beforeEach(() => {
    server = new FakeServer(() => 1000, { isBasic: false });
    server.addUser('u1', 1);
    profiles = ['u2', 'u3'].flatMap((user) => server.addUser(user, 1));
    phone = openDevice('phone', 1);
    laptop = openDevice('laptop', 2);
  });
  afterEach(() => {
    phone.db.close();
    laptop.db.close();
  });

  it('arrive once, in their order, from whichever device sends them first', async () => {
    const project = await phone.create('project', null, { title: 'The Salt Road', type: 'film' });
    const role = await phone.create('role', project.id, { name: 'Naseem' });
    await ask(phone, role.id, ['Scene 14', 'Scene 15']);
    const [first] = await phone.db.outbox.filter(({ type }) => type === 'request').toArray();
    for (const kind of ['pencil', 'callback'])
      await phone.act({ type: 'request', id: first!.target, act: 'answer', fields: { kind, text: kind }, title });
    const { contents } = await sealOutbox(phone.db, NOW);
    expect(await open(unpackContents(packContents(contents)))).toMatchObject({ added: 6 });
    await drain(laptop);
    // The phone was found again.
    await drain(phone);
    expect([await phone.db.outbox.count(), await laptop.db.outbox.count()]).toEqual([0, 0]);
    expect([count('project'), count('role'), count('request')]).toEqual([1, 1, 2]);
    expect(server.store.acts.map(({ act, device }) => `${act} from the ${device}`)).toEqual([
      'answer from the laptop',
      'answer from the laptop',
    ]);
    const answers = [...server.store.rows.values()].flatMap(({ body }) => body['answers'] ?? []);
    expect(answers).toMatchObject([{ kind: 'pencil' }, { kind: 'callback' }]);
  });

  it('are withdrawn by a request of their own once they may have been sent from the file', async () => {
    const { contents, made } = await sealRequest();
    expect((await phone.act({ type: 'request', id: made.target, act: 'withdraw', title })).op).not.toBeNull();
    await open(contents);
    await drain(laptop);
    await drain(phone);
    expect(server.store.acts.map(({ act, device }) => [act, device])).toEqual([['withdraw', 'phone']]);
    expect([count('request'), await phone.db.outbox.count()]).toEqual([1, 0]);
  });

  it('are withdrawn by a request of their own also when this device waits for the person’s word because of their age', async () => {
    const { contents, made } = await sealRequest();
    await open(contents);
    await drain(laptop);
    await phone.db.outbox.filter(({ type }) => type === 'request').modify({ state: 'attention', reason: 'stale' });
    expect((await phone.act({ type: 'request', id: made.target, act: 'withdraw', title })).op).not.toBeNull();
    await phone.sendAgain(made.op);
    await drain(phone);
    expect(server.store.acts.map(({ act, device }) => [act, device])).toEqual([['withdraw', 'phone']]);
    expect([count('request'), await phone.db.outbox.count()]).toEqual([1, 0]);
  });
});
