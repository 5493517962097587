import type { OutboxRow } from '#db/rows.ts';
import type { Exchange, Fault } from '../simulation/network.ts';
import { Violation } from '../simulation/invariants/violation.ts';
import type { ServerAnswer } from '../simulation/server/wire.ts';
import type { ChatDevice } from './simulation.ts';

/** The wire itself delivers twice, or so late that nobody can know of it. */
const DOUBLING: readonly Fault[] = ['twice', 'late after a retry'];

interface Accepted {
  device: string;
  text: string;
  id: string;
}

interface Sent {
  /** When it last left a device, and when the server first heard it. */
  at: number;
  saidAt: number | null;
}

/**
 * What can be promised without keys: nothing is lost, and nothing is sent once more but after a look that could not show
 * it. What is said twice all the same was doubled on the way, or by the person.
 */
export class BasicApiWatch {
  readonly #now: () => number;
  readonly #sent = new Map<string, Sent>();
  /** By device, when the server made up a list for it. */
  readonly #looks = new Map<string, number[]>();
  readonly #allowed = new Set<string>();
  /** Texts that may stand there more often than they were written. */
  readonly doubled = new Set<string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The person sends a message again that may have arrived. */
  allow(row: OutboxRow): void {
    this.#allowed.add(row.op);
    this.doubled.add(String(row.patch.message));
  }

  onSend({ sender, request, fault }: Exchange): Violation | null {
    if (request.path !== '/chat/send') return null;
    const { op, text } = sendOf(request);
    if (fault && DOUBLING.includes(fault)) this.doubled.add(text);
    const before = this.#sent.get(op);
    this.#sent.set(op, { at: this.#now(), saidAt: before?.saidAt ?? null });
    if (before === undefined) return null;
    const { at, saidAt } = before;
    const looks = this.#looks.get(sender.device.name) ?? [];
    const looked = looks.some((look) => look > at && (saidAt === null || look < saidAt));
    // Still on its way while it was looked for: that cannot be known.
    if (looked) this.doubled.add(text);
    if (saidAt === null || looked || this.#allowed.delete(op)) return null;
    return new Violation('2 at most once', `${text} was sent again, though a look would have shown it`);
  }

  onHandled({ sender, request }: Exchange, { status }: ServerAnswer): void {
    if (request.path === '/chat/send' && status === 201) {
      const sent = this.#sent.get(sendOf(request).op);
      if (sent) sent.saidAt ??= this.#now();
    }
    if (request.method === 'GET' && request.path.startsWith('/chat/')) {
      const looks = this.#looks.get(sender.device.name) ?? [];
      this.#looks.set(sender.device.name, [...looks, this.#now()]);
    }
  }

  /** As often as it was written it is on its device, or said, or given up by the person. */
  lostOn(
    device: ChatDevice,
    rows: readonly OutboxRow[],
    { accepted, discarded, said }: { accepted: readonly Accepted[]; discarded: ReadonlySet<string>; said: string[] },
  ): Violation | null {
    const own = accepted.filter((each) => each.device === device.name);
    for (const text of new Set(own.map((each) => each.text))) {
      const wanted = own.filter((each) => each.text === text && !discarded.has(each.id)).length;
      const waiting = rows.filter(({ patch, target }) => patch.message === text && !discarded.has(target)).length;
      const there = said.filter((each) => each === text).length;
      if (waiting + there < wanted) {
        return new Violation('1 nothing lost', `${text}: written ${wanted}, waiting ${waiting}, said ${there} times`);
      }
    }
    return null;
  }
}

function sendOf({ headers, body }: Exchange['request']): { op: string; text: string } {
  const { message } = JSON.parse(body.kind === 'json' ? body.text : '{}') as { message?: string };
  return { op: headers['idempotency-key'] ?? '', text: String(message) };
}
