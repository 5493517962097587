/** A seeded pseudo-random number generator: the same seed gives the same numbers on every machine. */
export interface Prng {
  /** In [0, 1). */
  next(): number;
  /** A whole number in [0, below). */
  int(below: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  uuid(): string;
}

/** Mixes any number of parts into one 32-bit seed. */
export function mixSeed(...parts: (number | string)[]): number {
  let hash = 2166136261;
  for (const part of parts) {
    const text = String(part);
    for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
    hash = Math.imul(hash ^ 124, 16777619);
  }
  return hash >>> 0;
}

export function createPrng(seed: number): Prng {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const int = (below: number) => Math.floor(next() * below);
  const hex = () => int(0x100000000).toString(16).padStart(8, '0');
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (from) => {
      const found = from[int(from.length)];
      if (found === undefined) throw new Error('cannot pick from an empty list');
      return found;
    },
    uuid: () => {
      const [a, b, c, d] = [hex(), hex(), hex(), hex()];
      return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-a${c.slice(1, 4)}-${c.slice(4)}${d}`;
    },
  };
}
