import { onTestFinished, vi } from 'vitest';
import { ChangeLog } from '#server/platform/db/change-log.ts';
import { userChannel } from '#server/platform/live/names.ts';
import type { Person } from './test-server.ts';

/** Records live events published from now on. The returned function gives the events for a person since its last call. */
export function watchLiveEvents<T>(event: string): (person: Person) => T[] {
  const publish = vi.spyOn(ChangeLog.prototype, 'publish');
  onTestFinished(() => publish.mockRestore());
  const seen = new Map<string, number>();
  return (person) => {
    const channel = userChannel(Number(person.id));
    const events = publish.mock.calls.filter(([channels, name]) => name === event && channels.includes(channel));
    const from = seen.get(person.id) ?? 0;
    seen.set(person.id, events.length);
    return events.slice(from).map(([, , data]) => data as T);
  };
}
