import { currentSender, read, type Read } from './client.ts';

let early: { path: string; answer: Promise<Read<unknown>> } | null = null;

/** Reads a resource as a visitor before the code that needs it has been fetched. */
export function readEarly(path: string): void {
  early = { path, answer: read(path) };
}

/** Returns the answer of `readEarly` for this path, once; null if there is none. */
export function takeEarlyRead<T>(path: string): Promise<Read<T>> | null {
  // A member who has signed in meanwhile may see more.
  if (early?.path !== path || currentSender() !== null) return null;
  const { answer } = early;
  early = null;
  return answer as Promise<Read<T>>;
}
