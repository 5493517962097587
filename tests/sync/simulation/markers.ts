/**
 * Each act of the person carries its own marker inside the texts it writes (`Hamlet ~12~`), so that server, wire and
 * disk can be searched for it without asking the engine.
 */
export const markerOf = (n: number): string => `~${n}~`;

const pattern = /~(\d+)~/g;

/** Markers inside a value, however deep. */
export function markersIn(value: unknown): number[] {
  const found: number[] = [];
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  for (const match of text.matchAll(pattern)) found.push(Number(match[1]));
  return found;
}

export function markerIn(value: unknown): number | null {
  return typeof value === 'string' ? (markersIn(value)[0] ?? null) : null;
}

/** Every marked word of a body, in order: whose it is, the field it stands in, and both as one name. */
export function wordsIn(body: Record<string, unknown>): { marker: number; field: string; name: string }[] {
  return Object.entries(body).flatMap(([field, value]) =>
    markersIn(value).map((marker) => ({ marker, field, name: `${marker}:${field}` })),
  );
}
