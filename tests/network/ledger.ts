/** A single thing the server can hold, such as the level of one skill. */
export interface Fact {
  kind: string;
  name: string;
  value: string;
}

/** What was found at the end: every fact there is, one entry for each copy, and every conversation line in its order. */
export interface ServerState {
  facts: readonly Fact[];
  messages: ReadonlyMap<string, readonly string[]>;
}

interface LedgerMessage {
  text: string;
  isConfirmed: boolean;
}

/** Nothing is there: never written, or deleted. */
const ABSENT = null;

const keyOf = ({ kind, name }: Pick<Fact, 'kind' | 'name'>) => `${kind} '${name}'`;
const toText = (value: string | null) => (value === ABSENT ? 'nothing' : `'${value}'`);

/**
 * What one member's work must have come to, kept by the test alone: it reads neither the app's store nor the server. A change
 * counts once the app has shown it as safe. One that a killed browser interrupted may have been kept or not; both are right.
 */
export class Ledger {
  readonly #facts = new Map<string, { kind: string; name: string; allowed: Set<string | null> }>();
  readonly #messages = new Map<string, LedgerMessage[]>();

  /**
   * Notes that a change is being made. @param value null deletes
   * @returns to be called when the app has shown the change as safe: from then on nothing else is right
   */
  change(fact: Pick<Fact, 'kind' | 'name'>, value: string | null): () => void {
    const entry = this.#facts.get(keyOf(fact)) ?? { ...fact, allowed: new Set([ABSENT]) };
    this.#facts.set(keyOf(fact), entry);
    entry.allowed.add(value);
    return () => void (entry.allowed = new Set([value]));
  }

  /** Notes what was there before the first act. */
  addInitial(kind: string, name: string, value: string): void {
    this.change({ kind, name }, value)();
  }

  /**
   * Notes that a message is being written. @param line by whom and from where: only within a line the order is known
   * @returns to be called when the app has shown it as safe
   */
  addMessage(line: string, text: string): () => void {
    const message = { text, isConfirmed: false };
    this.#messages.set(line, [...(this.#messages.get(line) ?? []), message]);
    return () => void (message.isConfirmed = true);
  }

  /** What is certainly there, of one kind. */
  getConfirmed(kind: string): { name: string; value: string }[] {
    return [...this.#facts.values()].flatMap(({ kind: own, name, allowed: [value, ...others] }) =>
      own === kind && others.length === 0 && typeof value === 'string' ? [{ name, value }] : [],
    );
  }

  /** Everything that is wrong about what was found, a sentence each; none when all is as written. */
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
    for (const line of new Set([...messages.keys(), ...this.#messages.keys()])) {
      const written = this.#messages.get(line) ?? [];
      const read = messages.get(line) ?? [];
      if (matchesWritten(read, written)) continue;
      const wanted = written.map(({ text, isConfirmed }) => (isConfirmed ? text : `${text}?`)).join(' | ');
      wrong.push(`${line} said: ${read.join(' | ')}\n  not: ${wanted}`);
    }
    return wrong;
  }

  /** All of it, for the report of a failed round. A question mark stands behind what may or may not be. */
  toString(): string {
    const facts = [...this.#facts].map(([key, { allowed }]) => `${key}: ${[...allowed].map(toText).join(' or ')}`);
    const lines = [...this.#messages].map(
      ([line, texts]) =>
        `${line}: ${texts.map(({ text, isConfirmed }) => (isConfirmed ? text : `${text}?`)).join(' | ')}`,
    );
    return [...facts, ...lines].join('\n');
  }
}

/** Whether a line reads as it was written, each sure message in its place and the others there or not. */
function matchesWritten(read: readonly string[], written: readonly LedgerMessage[]): boolean {
  const [next, ...rest] = written;
  if (next === undefined) return read.length === 0;
  if (read[0] === next.text && matchesWritten(read.slice(1), rest)) return true;
  return !next.isConfirmed && matchesWritten(read, rest);
}
