import { useEffect, useSyncExternalStore } from 'react';
import { areKept, filesOf, keepFile, type Keeping, keptMedia, letGo } from './kept-media.ts';
import { currentSender } from '#net/client.ts';
import { createSlot } from '#ui/slot.ts';

type Medium = Record<string, unknown>;

interface State {
  /** Bytes by address; null until the shelf has been looked at. */
  kept: ReadonlyMap<string, number> | null;
  /** Files fetched of those asked for, while that goes on. */
  progress: { done: number; of: number } | null;
}

const shelf = createSlot<State>({ kept: null, progress: null });

async function look(): Promise<void> {
  shelf.set({ ...shelf.get(), kept: await keptMedia() });
}

/**
 * Keeps every file of these media, one after the other, and stops at the first that cannot be kept: what came before
 * stays. Answers 'kept' when all are here.
 */
export async function keepMedia(media: readonly Medium[]): Promise<Keeping> {
  const paths = [...new Set(media.flatMap(filesOf))];
  const sender = currentSender();
  const headers: Record<string, string> = sender ? { Authorization: `Bearer ${sender.token}` } : {};
  try {
    for (const [done, path] of paths.entries()) {
      shelf.set({ ...shelf.get(), progress: { done, of: paths.length } });
      const kept = await keepFile(path, headers);
      if (kept !== 'kept') return kept;
    }
    return 'kept';
  } finally {
    shelf.set({ ...shelf.get(), progress: null });
    await look();
  }
}

/** Lets every file of these media go; without media everything that is kept. */
export async function letMediaGo(media?: readonly Medium[]): Promise<void> {
  await letGo(media?.flatMap(filesOf));
  await look();
}

export interface KeptMedia extends State {
  isKept: (medium: Medium) => boolean;
}

/** What is kept on purpose on this device, for every screen that shows it. */
export function useKeptMedia(): KeptMedia {
  const state = useSyncExternalStore(shelf.subscribe, shelf.get);
  useEffect(() => {
    if (shelf.get().kept === null) look().catch(reportError);
  }, []);
  return { ...state, isKept: (medium) => state.kept !== null && areKept(filesOf(medium), state.kept) };
}
