/**
 * Each act of the person writes its own marker into its texts (`Hamlet ~12~`), so that server, wire and disk can be
 * searched for it without asking the engine.
 */
export const markerOf = (n: number): string => `~${n}~`;

const pattern = /~(\d+)~/g;

/** Returns the markers inside a value at any depth. */
export function markersIn(value: unknown): number[] {
  const found: number[] = [];
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  for (const match of text.matchAll(pattern)) found.push(Number(match[1]));
  return found;
}

export function markerIn(value: unknown): number | null {
  return typeof value === 'string' ? (markersIn(value)[0] ?? null) : null;
}

/** Returns every marked word of a body in order: its marker, its field and both as one name. */
export function wordsIn(body: Record<string, unknown>): { marker: number; field: string; name: string }[] {
  return Object.entries(body).flatMap(([field, value]) =>
    markersIn(value).map((marker) => ({ marker, field, name: `${marker}:${field}` })),
  );
}
