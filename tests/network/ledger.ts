/** A single value on the server, such as the level of one skill. */
export interface Fact {
  kind: string;
  name: string;
  value: string;
}

/** The server's state at the end: every fact, one entry per copy, and each sender's messages in order. */
export interface ServerState {
  facts: readonly Fact[];
  messages: ReadonlyMap<string, readonly string[]>;
}

interface LedgerMessage {
  text: string;
  isConfirmed: boolean;
}

/** The fact does not exist: never written, or deleted. */
const ABSENT = null;

const keyOf = ({ kind, name }: Pick<Fact, 'kind' | 'name'>) => `${kind} '${name}'`;
const toText = (value: string | null) => (value === ABSENT ? 'nothing' : `'${value}'`);

/**
 * The expected result of one member's work, tracked by the test alone: it reads neither the app's store nor the server. A
 * change counts once the app has shown it as stored. A change that a killed browser interrupted may be stored or not.
 */
export class Ledger {
  readonly #facts = new Map<string, { kind: string; name: string; allowed: Set<string | null> }>();
  readonly #messages = new Map<string, LedgerMessage[]>();

  /**
   * Records the start of a change. @param value null deletes
   * @returns a function that confirms the change, once the app has shown it as stored
   */
  change(fact: Pick<Fact, 'kind' | 'name'>, value: string | null): () => void {
    const entry = this.#facts.get(keyOf(fact)) ?? { ...fact, allowed: new Set([ABSENT]) };
    this.#facts.set(keyOf(fact), entry);
    entry.allowed.add(value);
    return () => void (entry.allowed = new Set([value]));
  }

  /** Records a value that existed before the first action. */
  addInitial(kind: string, name: string, value: string): void {
    this.change({ kind, name }, value)();
  }

  /**
   * Records the start of sending a message. @param sender order is known only among one sender's messages
   * @returns a function that confirms the message, once the app has shown it as stored
   */
  addMessage(sender: string, text: string): () => void {
    const message = { text, isConfirmed: false };
    this.#messages.set(sender, [...(this.#messages.get(sender) ?? []), message]);
    return () => void (message.isConfirmed = true);
  }

  /** Confirmed facts of one kind that exist. */
  getConfirmed(kind: string): { name: string; value: string }[] {
    return [...this.#facts.values()].flatMap(({ kind: own, name, allowed: [value, ...others] }) =>
      own === kind && others.length === 0 && typeof value === 'string' ? [{ name, value }] : [],
    );
  }

  /** Compares the server's state with the ledger. @returns one sentence per difference */
  compare({ facts, messages }: ServerState): string[] {
    const found = new Map<string, string[]>();
    for (const fact of facts) found.set(keyOf(fact), [...(found.get(keyOf(fact)) ?? []), fact.value]);
    const wrong: string[] = [];
    for (const [key, values] of found) {
      if (!this.#facts.has(key)) wrong.push(`${key} is ${values.map(toText).join(' and ')}; nobody wrote it`);
      else if (values.length > 1) wrong.push(`${key} is there ${values.length} times`);
    }
    for (const [key, { allowed }] of this.#facts) {
      const value = found.get(key)?.[0] ?? ABSENT;
      if (!allowed.has(value)) wrong.push(`${key} is ${toText(value)}, not ${[...allowed].map(toText).join(' or ')}`);
    }
    for (const sender of new Set([...messages.keys(), ...this.#messages.keys()])) {
      const written = this.#messages.get(sender) ?? [];
      const read = messages.get(sender) ?? [];
      if (matchesWritten(read, written)) continue;
      const wanted = written.map(({ text, isConfirmed }) => (isConfirmed ? text : `${text}?`)).join(' | ');
      wrong.push(`${sender} sent: ${read.join(' | ')}\n  not: ${wanted}`);
    }
    return wrong;
  }

  /** The whole ledger, for the report of a failed round. A question mark marks an unconfirmed message. */
  toString(): string {
    const facts = [...this.#facts].map(([key, { allowed }]) => `${key}: ${[...allowed].map(toText).join(' or ')}`);
    const lines = [...this.#messages].map(
      ([line, texts]) =>
        `${line}: ${texts.map(({ text, isConfirmed }) => (isConfirmed ? text : `${text}?`)).join(' | ')}`,
    );
    return [...facts, ...lines].join('\n');
  }
}

/** True if all confirmed messages arrived in order. Unconfirmed ones may be missing. */
function matchesWritten(read: readonly string[], written: readonly LedgerMessage[]): boolean {
  const [next, ...rest] = written;
  if (next === undefined) return read.length === 0;
  if (read[0] === next.text && matchesWritten(read.slice(1), rest)) return true;
  return !next.isConfirmed && matchesWritten(read, rest);
}
