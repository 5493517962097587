import { notFound } from './errors.ts';

/** A row id from the wire, or null when it can be none of ours: ids are opaque to callers, so nothing else is said of it. */
export function parseId(text: string): number | null {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

/** @throws 404 naming `what` when the text can be no id of ours */
export function requireId(text: string, what: string): number {
  const id = parseId(text);
  if (id === null) throw notFound(what);
  return id;
}
