import { onTestFinished, vi } from 'vitest';
import { ChangeLog } from '#server/platform/db/feed.ts';
import { userChannel } from '#server/platform/live/names.ts';
import type { Person } from './stage.ts';

/** What writes let people's devices know from now on, by person; asked again, only what came since. */
export function watchNews<T>(event: string): (person: Person) => T[] {
  const tell = vi.spyOn(ChangeLog.prototype, 'tell');
  onTestFinished(() => tell.mockRestore());
  const seen = new Map<string, number>();
  return (person) => {
    const channel = userChannel(Number(person.id));
    const told = tell.mock.calls.filter(([channels, name]) => name === event && channels.includes(channel));
    const from = seen.get(person.id) ?? 0;
    seen.set(person.id, told.length);
    return told.slice(from).map(([, , data]) => data as T);
  };
}
