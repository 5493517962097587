/** A broken promise of the engine, by the number of the invariant it breaks. */
export class Violation extends Error {
  readonly rule: string;
  constructor(rule: string, what: string) {
    super(`${rule}: ${what}`);
    this.rule = rule;
  }
}

/** Says that a promise is broken. */
export function fail(rule: string, what: string): never {
  throw new Violation(rule, what);
}
