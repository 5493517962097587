import { AVAILABILITY_CALLS } from '#contract/availability-calls.ts';
import { mergeDay, NOT_STATED, type StoredDay, toDayId } from '#contract/casting/availability.ts';
import { type DayRecord, setAvailabilityBody } from '#contract/records/availability.ts';
import { toErrorMap } from '#contract/schema.ts';
import { epoch } from '../scheduler.ts';
import { markersIn } from '../markers.ts';
import type { Routes } from './routes.ts';
import { ok, Refused } from './wire.ts';

/** The days of each person, by the rules of the contract. */
export function availabilityRoutes(routes: Routes): void {
  const { store } = routes;
  store.presenters.set('availability', (id, userId) => store.daysOf(userId).get(id) ?? null);

  routes.add(
    AVAILABILITY_CALLS.set.method,
    AVAILABILITY_CALLS.set.path,
    (call) => {
      const read = setAvailabilityBody.safeParse(call.json);
      if (!read.success) throw new Refused(422, 'Check', toErrorMap(read.error.issues));
      const days = store.daysOf(call.userId);
      const now = epoch + Math.floor(store.now());
      const data = read.data.days.map(({ date, ...edit }): DayRecord => {
        const id = toDayId(date);
        const known = days.get(id);
        const before: StoredDay = known ?? { ...NOT_STATED, other: null };
        const merged = mergeDay(before, { ...edit, request_id: null }, now);
        const updated_at = new Date(now).toISOString();
        const record = { id, date, ...merged, version: (known?.version ?? 0) + 1, updated_at };
        days.set(id, record);
        store.recordChange(call.userId, 'availability', id, null);
        const about = { act: 'set', type: 'availability', id: date, userId: call.userId, device: call.device };
        store.acts.push({ ...about, markers: markersIn(edit.note) });
        return record;
      });
      return ok({ message: 'Saved', data, conflicts: data.filter(({ other }) => other !== null) });
    },
    { isExtension: true },
  );
}
