/** A single thing the server can hold, such as the level of one skill. */
export interface Fact {
  kind: string;
  name: string;
  value: string;
}

/** What was found at the end: every fact there is, one entry for each copy, and every conversation line in its order. */
export interface Found {
  facts: readonly Fact[];
  said: ReadonlyMap<string, readonly string[]>;
}

interface Said {
  text: string;
  isSure: boolean;
}

/** Nothing is there: never written, or deleted. */
const GONE = null;

const keyOf = ({ kind, name }: Pick<Fact, 'kind' | 'name'>) => `${kind} '${name}'`;
const words = (value: string | null) => (value === GONE ? 'nothing' : `'${value}'`);

/**
 * What one member's work must have come to, kept by the test alone: it reads neither the app's store nor the server. A change
 * counts once the app has shown it as safe. One that a killed browser interrupted may have been kept or not; both are right.
 */
export class Ledger {
  readonly #facts = new Map<string, { kind: string; name: string; may: Set<string | null> }>();
  readonly #said = new Map<string, Said[]>();

  /**
   * Notes that a change is being made. @param value null deletes
   * @returns to be called when the app has shown the change as safe: from then on nothing else is right
   */
  change(fact: Pick<Fact, 'kind' | 'name'>, value: string | null): () => void {
    const entry = this.#facts.get(keyOf(fact)) ?? { ...fact, may: new Set([GONE]) };
    this.#facts.set(keyOf(fact), entry);
    entry.may.add(value);
    return () => void (entry.may = new Set([value]));
  }

  /** Notes what was there before the first act. */
  begin(kind: string, name: string, value: string): void {
    this.change({ kind, name }, value)();
  }

  /**
   * Notes that a message is being written. @param line by whom and from where: only within a line the order is known
   * @returns to be called when the app has shown it as safe
   */
  say(line: string, text: string): () => void {
    const said = { text, isSure: false };
    this.#said.set(line, [...(this.#said.get(line) ?? []), said]);
    return () => void (said.isSure = true);
  }

  /** What is certainly there, of one kind. */
  sureOf(kind: string): { name: string; value: string }[] {
    return [...this.#facts.values()].flatMap(({ kind: own, name, may: [value, ...others] }) =>
      own === kind && others.length === 0 && typeof value === 'string' ? [{ name, value }] : [],
    );
  }

  /** Everything that is wrong about what was found, a sentence each; none when all is as written. */
  compare({ facts, said }: Found): string[] {
    const found = new Map<string, string[]>();
    for (const fact of facts) found.set(keyOf(fact), [...(found.get(keyOf(fact)) ?? []), fact.value]);
    const wrong: string[] = [];
    for (const [key, values] of found) {
      if (!this.#facts.has(key)) wrong.push(`${key} is ${values.map(words).join(' and ')}; nobody wrote it`);
      else if (values.length > 1) wrong.push(`${key} is there ${values.length} times`);
    }
    for (const [key, { may }] of this.#facts) {
      const value = found.get(key)?.[0] ?? GONE;
      if (!may.has(value)) wrong.push(`${key} is ${words(value)}, not ${[...may].map(words).join(' or ')}`);
    }
    for (const line of new Set([...said.keys(), ...this.#said.keys()])) {
      const written = this.#said.get(line) ?? [];
      const read = said.get(line) ?? [];
      if (isWritten(read, written)) continue;
      const wanted = written.map(({ text, isSure }) => (isSure ? text : `${text}?`)).join(' | ');
      wrong.push(`${line} said: ${read.join(' | ')}\n  not: ${wanted}`);
    }
    return wrong;
  }

  /** All of it, for the report of a failed round. A question mark stands behind what may or may not be. */
  toString(): string {
    const facts = [...this.#facts].map(([key, { may }]) => `${key}: ${[...may].map(words).join(' or ')}`);
    const said = [...this.#said].map(
      ([line, texts]) => `${line}: ${texts.map(({ text, isSure }) => (isSure ? text : `${text}?`)).join(' | ')}`,
    );
    return [...facts, ...said].join('\n');
  }
}

/** Whether a line reads as it was written, each sure message in its place and the others there or not. */
function isWritten(read: readonly string[], written: readonly Said[]): boolean {
  const [next, ...rest] = written;
  if (next === undefined) return read.length === 0;
  if (read[0] === next.text && isWritten(read.slice(1), rest)) return true;
  return !next.isSure && isWritten(read, rest);
}
