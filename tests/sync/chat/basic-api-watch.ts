import type { OutboxRow } from '#db/rows.ts';
import type { Exchange, Fault } from '../simulation/network.ts';
import { Violation } from '../simulation/invariants/violation.ts';
import type { ServerAnswer } from '../simulation/server/wire.ts';
import type { ChatDevice } from './simulation.ts';

/** Faults by which the network itself delivers a message twice or too late to notice. */
const DOUBLING: readonly Fault[] = ['twice', 'late after a retry'];

interface Accepted {
  device: string;
  text: string;
  id: string;
}

interface Sent {
  /** When the message was last sent, and when the server first stored it. */
  at: number;
  storedAt: number | null;
}

/**
 * Checks what holds without idempotency keys: no message is lost, and a message is sent again only if an existence
 * check could not find it. Other duplicates come from the network or the person.
 */
export class BasicApiWatch {
  readonly #now: () => number;
  readonly #sent = new Map<string, Sent>();
  /** Times at which the server listed the messages for each device. */
  readonly #probes = new Map<string, number[]>();
  readonly #allowed = new Set<string>();
  /** Texts that may appear more often than they were written. */
  readonly doubled = new Set<string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Allows a duplicate: the person sends a message again that may have arrived. */
  allow(row: OutboxRow): void {
    this.#allowed.add(row.op);
    this.doubled.add(String(row.patch.message));
  }

  onSend({ sender, request, fault }: Exchange): Violation | null {
    if (request.path !== '/chat/send') return null;
    const { op, text } = sendOf(request);
    if (fault && DOUBLING.includes(fault)) this.doubled.add(text);
    const before = this.#sent.get(op);
    this.#sent.set(op, { at: this.#now(), storedAt: before?.storedAt ?? null });
    if (before === undefined) return null;
    const { at, storedAt } = before;
    const probes = this.#probes.get(sender.device.name) ?? [];
    const wasProbed = probes.some((probe) => probe > at && (storedAt === null || probe < storedAt));
    // The message was still under way during the check, which could not find it.
    if (wasProbed) this.doubled.add(text);
    if (storedAt === null || wasProbed || this.#allowed.delete(op)) return null;
    return new Violation('2 at most once', `${text} was sent again, although an existence check would have found it`);
  }

  onHandled({ sender, request }: Exchange, { status }: ServerAnswer): void {
    if (request.path === '/chat/send' && status === 201) {
      const sent = this.#sent.get(sendOf(request).op);
      if (sent) sent.storedAt ??= this.#now();
    }
    if (request.method === 'GET' && request.path.startsWith('/chat/')) {
      const probes = this.#probes.get(sender.device.name) ?? [];
      this.#probes.set(sender.device.name, [...probes, this.#now()]);
    }
  }

  /** Returns a violation if a message is neither on its device nor sent nor discarded as often as it was written. */
  lostOn(
    device: ChatDevice,
    rows: readonly OutboxRow[],
    {
      accepted,
      discarded,
      stored,
    }: { accepted: readonly Accepted[]; discarded: ReadonlySet<string>; stored: string[] },
  ): Violation | null {
    const own = accepted.filter((each) => each.device === device.name);
    for (const text of new Set(own.map((each) => each.text))) {
      const wanted = own.filter((each) => each.text === text && !discarded.has(each.id)).length;
      const waiting = rows.filter(({ patch, target }) => patch.message === text && !discarded.has(target)).length;
      const there = stored.filter((each) => each === text).length;
      if (waiting + there < wanted) {
        return new Violation('1 nothing lost', `${text}: written ${wanted}, pending ${waiting}, stored ${there} times`);
      }
    }
    return null;
  }
}

function sendOf({ headers, body }: Exchange['request']): { op: string; text: string } {
  const { message } = JSON.parse(body.kind === 'json' ? body.text : '{}') as { message?: string };
  return { op: headers['idempotency-key'] ?? '', text: String(message) };
}
