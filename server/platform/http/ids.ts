import { notFound } from './errors.ts';

/** Parses a row id from the wire. Null when it cannot be an id; ids are opaque to callers, so there is no other error. */
export function parseId(text: string): number | null {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

/** @throws 404 naming `what` when the text cannot be an id */
export function requireId(text: string, what: string): number {
  const id = parseId(text);
  if (id === null) throw notFound(what);
  return id;
}
