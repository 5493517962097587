import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { beforeEach } from 'vitest';
import { AccountDb } from '#db/database.ts';
import type { OutboxRow } from '#db/rows.ts';
import type { WireAnswer, WireRequest } from '#net/wire.ts';
import * as conflictTools from '#sync/conflict/tools.ts';
import type { EnginePorts } from '#sync/engine-ports.ts';
import type { OutboxPorts } from '#sync/queue/outbox.ts';
import { Sender } from '#sync/send/sender.ts';
import { outboxRow } from '../support/outbox-row.ts';

const features = { idempotency_keys: true, client_ids: true, versions: true, uploads: true, sync: true };

export const wire = (status: number, body: unknown): WireAnswer => ({
  status,
  body,
  redirected: false,
  header: () => null,
});
export const bodyOf = ({ body }: WireRequest) => (body?.kind === 'json' ? (body.value as Record<string, unknown>) : {});

/** A queued create of links for profile 7, to be completed by the test. */
export function blankRow(): Omit<OutboxRow, 'seq'> {
  const op = crypto.randomUUID();
  const { seq: _seq, ...row } = outboxRow({
    op,
    kind: 'create',
    type: 'social_link',
    target: '',
    parent: '7',
    lane: '',
  });
  return row;
}

interface Answer {
  status: number;
  body: unknown;
}

class SendingDevice {
  db!: AccountDb;
  ports!: OutboxPorts;
  /** Requests that it sent, other than for the server's features. */
  sent: WireRequest[] = [];
  now = 1_000_000;

  /** The server's response to a request. */
  answer = (_request: WireRequest): Answer | Promise<Answer> => {
    throw new Error('The test gives no answer');
  };

  readonly createPorts = (): EnginePorts => ({
    clock: { now: () => this.now, after: () => () => undefined },
    chance: this.ports.chance,
    transport: {
      send: async (request) => {
        if (request.path === '/config') return wire(200, { features });
        this.sent.push(request);
        const { status, body } = await this.answer(request);
        return wire(status, body);
      },
    },
    lock: { tryRun: () => Promise.resolve(true) },
    loadConflictTools: () => Promise.resolve(conflictTools),
  });

  readonly drain = () => new Sender(this.db, this.createPorts(), 60_000).run();
  /** Sends as the service worker does, which lacks the code for conflicts. */
  readonly drainInWorker = () => {
    const ports = { ...this.createPorts(), loadConflictTools: () => Promise.resolve(null), isWorker: true as const };
    return new Sender(this.db, ports, 60_000).run();
  };
  readonly rows = () => this.db.outbox.orderBy('seq').toArray();

  /** Empties it, but for profile 7. */
  async reset(): Promise<void> {
    this.db = new AccountDb('test', 'u1', { indexedDB: new IDBFactory(), IDBKeyRange });
    this.ports = {
      db: this.db,
      clock: { now: () => this.now, after: () => () => undefined },
      chance: { uuid: () => crypto.randomUUID(), random: () => 0.5 },
    };
    this.sent = [];
    this.now = 1_000_000;
    const body = { id: '7', version: 1 };
    await this.db.records.put({ type: 'profile', id: '7', parent: null, body, version: 1 });
  }
}

/** A device that sends its queue to a server whose responses the test gives. It is empty before each test. */
export function useSendingDevice(): SendingDevice {
  const device = new SendingDevice();
  beforeEach(() => device.reset());
  return device;
}
