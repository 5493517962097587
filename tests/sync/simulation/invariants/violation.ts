/** A violated invariant of the engine, identified by its number and name. */
export class Violation extends Error {
  readonly rule: string;
  constructor(rule: string, what: string) {
    super(`${rule}: ${what}`);
    this.rule = rule;
  }
}

/** Reports a violated invariant. */
export function fail(rule: string, what: string): never {
  throw new Violation(rule, what);
}
