import { describe, expect, it } from 'vitest';
import { askBody } from '#contract/records/casting.ts';
import { findPack } from '#contract/rules/index.ts';
import { check, fromFields, getShootErrors, getStart, readPerformers, toFields } from '#features/casting/ask-values.ts';

const pack = findPack('plain-courtesy')!;
const ZONE = 'Asia/Kolkata';
/** A Tuesday. */
const NOW = Date.parse('2026-11-17T06:00:00Z');
const notices = { nudity: 'None', intimacy: 'None', stunts: 'None', minors: null, other: null };
const project = { time_zone: ZONE, region: null };
const start = getStart(pack, ZONE, NOW);
const find = (values: Record<string, string>) => check({ ...start, ...values }, { pack, project, notices, now: NOW });

describe('the form that asks performers', () => {
  it('begins with a deadline that keeps the rules', () => {
    expect(find({})).toEqual({ breaches: [], doubts: [], waivers: [], unwaived: [] });
  });

  it('sends what the contract takes', () => {
    const fields = toFields({ ...start, takes: '3', max_height: '720', slate: '' }, ZONE, []);
    const checked = askBody.safeParse({ ...fields, role_id: '1', profile_id: '2' });
    expect(checked.data).toMatchObject({ takes: 3, max_height: 720, slate: false, memorize: false, shot: 'medium' });
  });

  it('names the deadline of a rule, and goes on once there is a reason', () => {
    const late = { deadline: '2026-11-18T11:30' };
    expect(find(late).unwaived).toEqual([
      { rule: 'notice', text: expect.stringContaining('24 hours') as string, earliest: NOW + 48 * 3_600_000 },
    ]);
    expect(find({ ...late, 'waiver:notice': 'too short' }).unwaived).toHaveLength(1);
    const reason = 'The director flies out on Friday';
    expect(find({ ...late, 'waiver:notice': reason })).toMatchObject({
      waivers: [{ rule: 'notice', text: reason }],
      unwaived: [],
    });
  });

  it('takes no reason for a fee', () => {
    const asked = { instructions: 'Send a registration fee of ₹500', 'waiver:fee': 'We really need the money' };
    expect(find(asked).unwaived.map(({ rule }) => rule)).toEqual(['fee']);
  });

  it('counts 72 hours for a role for minors', () => {
    const asked = { ...start, deadline: '2026-11-19T11:30' };
    const minors = { ...notices, minors: 'Chaperone on set' };
    expect(check(asked, { pack, project, notices, now: NOW }).breaches).toEqual([]);
    expect(check(asked, { pack, project, notices: minors, now: NOW }).breaches.map(({ rule }) => rule)).toEqual([
      'notice',
    ]);
  });

  it('counts 72 hours, and takes a reason, while somebody is chosen to whom the server counts them', () => {
    const card = { profile_id: '9', name: 'Meera', title: null, profile_photo: null };
    const ask = (...cards: object[]) => find({ deadline: '2026-11-19T11:30', to: JSON.stringify(cards), ...reason });
    const reason = { 'waiver:notice': 'The director flies out on Friday' };
    expect(ask(card, { ...card, profile_id: '10', for_minors: true })).toMatchObject({
      breaches: [{ rule: 'notice', text: expect.stringContaining('With minors, 72 hours') as string }],
      waivers: [{ rule: 'notice' }],
      unwaived: [],
    });
    expect(ask(card)).toMatchObject({ breaches: [], waivers: [] });
  });

  it('sends each day of the shoot, and one day where one is chosen', () => {
    const send = (shoot_from: string, shoot_to: string) =>
      toFields({ ...start, shoot_from, shoot_to }, ZONE, []).shoot_dates;
    expect(send('2027-01-30', '2027-02-01')).toEqual(['2027-01-30', '2027-01-31', '2027-02-01']);
    expect([send('2027-01-30', ''), send('', '2027-01-30')]).toEqual([['2027-01-30'], ['2027-01-30']]);
    expect(send('', '')).toEqual([]);
  });

  it.each([
    ['2027-02-01', '2027-01-30', { shoot_to: ['The end comes before the start'] }],
    ['2027-01-01', '2027-03-02', { shoot_to: ['Choose 60 days or fewer'] }],
    ['12027-01-01', '', { shoot_from: ['Enter a real date'] }],
    ['2027-01-01', '12027-01-01', { shoot_to: ['Enter a real date'] }],
    ['2027-01-01', '2027-03-01', {}],
    ['', '', {}],
  ])('says what is wrong with a shoot from %j until %j', (shoot_from, shoot_to, errors) => {
    expect(getShootErrors({ ...start, shoot_from, shoot_to })).toEqual(errors);
    expect(() => toFields({ ...start, shoot_from, shoot_to }, ZONE, [])).not.toThrow();
  });

  it('survives an emptied deadline', () => {
    expect(find({ deadline: '' }).breaches).toEqual([]);
    expect(toFields({ ...start, deadline: '' }, ZONE, []).deadline_at).toBe('');
  });

  it('opens a refused request as it was written', () => {
    const values = {
      ...start,
      instructions: 'Scene 14',
      slate: '',
      memorize: 'true',
      shoot_from: '2027-01-30',
      shoot_to: '2027-02-01',
      'waiver:memorize': 'It is a song',
    };
    const card = { profile_id: '9', name: 'Meera', title: null, profile_photo: null };
    const body = toFields(values, ZONE, [{ rule: 'memorize', text: 'It is a song' }]);
    const again = fromFields(body, ZONE, [card]);
    expect({ ...start, ...again, to: start.to }).toEqual(values);
    expect(readPerformers(again)).toEqual([card]);
  });

  it.each(['', 'null', '{}', '[1, null, {"name": "No profile"}]'])('takes %j for nobody', (to) => {
    expect(readPerformers({ to })).toEqual([]);
  });
});
