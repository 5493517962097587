import { describe, expect, it } from 'vitest';
import { addDays, type DayValue, listDays, NOT_STATED, toDayId } from '#contract/casting/availability.ts';
import { readCalendar } from '#db/availability.ts';
import { act } from '#sync/queue/acts.ts';
import type { DaySetting } from '#sync/queue/availability.ts';
import { discard } from '#sync/queue/resolutions.ts';
import { bodyOf, useSendingDevice } from './sending-device.ts';

const device = useSendingDevice();
const { drain, rows } = device;

const value = (state: DayValue['state'], note: string | null = null): DayValue => ({ ...NOT_STATED, state, note });
const on = (date: string, state: DayValue['state'], note?: string): DaySetting => ({ date, ...value(state, note) });
const set = (...days: DaySetting[]) => act(device.ports, { type: 'availability', act: 'set', days });
const record = (date: string, state: DayValue['state'], version = 1, more: object = {}) => ({
  id: toDayId(date),
  date,
  ...value(state),
  other: null,
  version,
  updated_at: '2026-11-20T10:00:00.000Z',
  ...more,
});
const put = (day: ReturnType<typeof record>) =>
  device.db.records.put({ type: 'availability', id: day.id, parent: null, body: day, version: day.version });
/** What waits: the days of each row. */
const waiting = async () => (await rows()).map(({ patch }) => (patch.fields as { days: object[] }).days);
const read = async (from = '2027-01-01', to = '2027-12-31') => (await readCalendar(device.db, from, to)).days;
const [MON, TUE, WED] = ['2027-01-18', '2027-01-19', '2027-01-20'];
const claimAll = () => device.db.outbox.toCollection().modify({ sentOnce: true });

describe('what waits about days', () => {
  it('has the last word about each day, with what the device knew before the first', async () => {
    await put(record(MON, 'free'));
    await set(on(MON, 'pencilled'), on(TUE, 'held', 'Ad'));
    await set(on(MON, 'booked'), on(WED, 'free'));
    expect(await waiting()).toEqual([
      [
        { ...on(MON, 'booked'), base: value('free') },
        { ...on(TUE, 'held', 'Ad'), base: null },
        { ...on(WED, 'free'), base: null },
      ],
    ]);
  });

  it('is nothing once a day is again as it was', async () => {
    await put(record(MON, 'free'));
    await set(on(MON, 'booked'), on(TUE, 'held'));
    await set(on(MON, 'free'));
    expect(await waiting()).toEqual([[{ ...on(TUE, 'held'), base: null }]]);
    expect((await set(on(TUE, null))).op).toBeNull();
    expect(await rows()).toEqual([]);
  });

  it('comes after what may have left, and knows that', async () => {
    await set(on(MON, 'pencilled', 'Ad'));
    await claimAll();
    await set(on(MON, null), on(TUE, 'free'));
    expect(await waiting()).toEqual([
      [{ ...on(MON, 'pencilled', 'Ad'), base: null }],
      [
        { ...on(MON, null), base: value('pencilled', 'Ad') },
        { ...on(TUE, 'free'), base: null },
      ],
    ]);
  });

  it('keeps what the device knew, although another device has changed the day since', async () => {
    await put(record(MON, 'free'));
    await set(on(MON, 'pencilled'));
    await put(record(MON, 'booked', 2));
    await set(on(MON, 'held'));
    expect(await waiting()).toEqual([[{ ...on(MON, 'held'), base: value('free') }]]);
  });

  it('is split where it is more than one request may hold', async () => {
    const year = listDays('2027-01-01', '2027-12-31');
    await set(...year.map((date) => on(date, 'free')));
    expect((await waiting()).map((days) => days.length)).toEqual([120, 120, 120, 5]);
    await set(on(MON, 'booked'));
    expect((await waiting()).flat()).toHaveLength(365);
    expect(await read()).toHaveLength(365);
  });

  it('is shown over what the server said, with its state', async () => {
    await put(record(MON, 'free'));
    await put(record(TUE, 'booked', 1, { other: value('held') }));
    await put(record(WED, null));
    await set(on(MON, 'held', 'Ad'));
    expect(await read()).toMatchObject([
      { date: MON, value: value('held', 'Ad'), state: 'phone' },
      { date: TUE, value: value('booked'), other: { state: 'held' }, state: 'saved' },
    ]);
    await set({ ...on(TUE, 'booked'), looked: true });
    expect((await read())[1]).toMatchObject({ date: TUE, other: null, state: 'phone' });
    expect(await read(TUE, WED)).toHaveLength(1);
  });
});

describe('sending', () => {
  const answer = (days: object[]) => ({ status: 200, body: { message: 'Saved', data: days, conflicts: [] } });

  it('stores what the server made of each day', async () => {
    await set(on(MON, 'pencilled'), on(TUE, 'free'));
    const merged = record(MON, 'booked', 3, { other: { state: 'pencilled', note: null } });
    device.answer = () => answer([merged, record(TUE, 'free')]);
    await drain();
    expect(device.sent.map(({ method, path }) => `${method} ${path}`)).toEqual(['PUT /availability']);
    expect(bodyOf(device.sent[0]!)).toEqual({
      days: [
        { ...on(MON, 'pencilled'), base: null },
        { ...on(TUE, 'free'), base: null },
      ],
    });
    expect(await rows()).toEqual([]);
    expect(await read()).toMatchObject([
      { date: MON, value: value('booked'), other: { state: 'pencilled' }, state: 'saved' },
      { date: TUE, value: value('free'), state: 'saved' },
    ]);
  });

  it('leaves a day alone of which a pull has brought a newer version', async () => {
    await set(on(MON, 'free'));
    await put(record(MON, 'booked', 5));
    device.answer = () => answer([record(MON, 'free', 1)]);
    await drain();
    expect(await read()).toMatchObject([{ value: value('booked') }]);
  });

  it('takes no page of a captive portal for an answer', async () => {
    await set(on(MON, 'free'));
    device.answer = () => ({ status: 200, body: { data: [] } });
    await drain();
    expect(await waiting()).toHaveLength(1);
  });

  it('goes on without the days for which it was refused', async () => {
    const far = addDays(MON, 4000);
    await set(on(MON, 'free'), on(far, 'booked'));
    device.answer = () => ({
      status: 422,
      body: { message: 'Check', errors: { 'days.1.date': ['Choose a day from the next 3 years'] } },
    });
    await drain();
    const [refused] = await rows();
    expect(refused).toMatchObject({ state: 'attention', reason: 'invalid' });
    expect(await read('2027-01-01', far)).toMatchObject([{ state: 'needs' }, { state: 'needs' }]);
    await set(on(TUE, 'held'));
    expect((await waiting()).flat()).toMatchObject([{ date: MON }, { date: TUE }]);
    await discard(device.ports, (await rows())[0]!.op);
    expect(await rows()).toEqual([]);
  });
});
