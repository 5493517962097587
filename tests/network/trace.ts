/** Events of a round in order, for the report of a failed one. */
export interface Trace {
  note(who: string, what: string): void;
  toString(): string;
}

export function openTrace(): Trace {
  const startedAt = performance.now();
  const lines: string[] = [];
  return {
    note: (who, what) =>
      void lines.push(`${((performance.now() - startedAt) / 1000).toFixed(2).padStart(7)} ${who}: ${what}`),
    toString: () => lines.join('\n'),
  };
}
