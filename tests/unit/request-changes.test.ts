import { describe, expect, it } from 'vitest';
import type { AuditionRequest, Project, Role } from '#contract/records/casting.ts';
import { type Asked, findErrors, toChanges, toValues } from '#features/casting/request/request-changes.ts';

const ZONE = 'Asia/Kolkata';
const NOW = Date.parse('2026-11-17T06:00:00Z');
/** Deadlines may have seconds, which the field does not. */
const stored = { deadline_at: '2026-11-20T12:30:45.000Z', sides_text: null, instructions: 'Plain wall' };
const none = { nudity: 'None', intimacy: 'None', stunts: 'None', minors: null };

const request = {
  ...stored,
  round: 'first',
  memorize: false,
  max_height: null,
  live_option: null,
  time_zone: ZONE,
  notices: { ...none, other: null },
  rules: { pack: 'plain-courtesy', pack_version: 1, breaches: [], waivers: [] },
  asked_at: '2026-11-17T05:00:00.000Z',
} as unknown as AuditionRequest;
const asked = {
  request: { body: request, serverId: '4' },
  role: { body: { ...none, other_notice: null } as Role },
  project: { body: { time_zone: ZONE, region: null, rule_pack: 'plain-courtesy' } as Project },
} as Asked;

const start = toValues(stored, ZONE);
const read = (values: Record<string, string>) => toChanges({ ...start, ...values }, stored, ZONE);
const find = (values: Record<string, string>, of = asked) => findErrors(read(values), stored, of, NOW);

describe('the form that changes a request', () => {
  it('changes nothing as long as nobody types, not even the seconds of the deadline', () => {
    expect(read({})).toEqual(stored);
    expect(find({})).toEqual({});
  });

  it('moves the deadline to a later time alone', () => {
    expect(read({ deadline_at: '2026-11-23T18:00' }).deadline_at).toBe('2026-11-23T12:30:00.000Z');
    expect(find({ deadline_at: '2026-11-23T18:00' })).toEqual({});
    const cases = { '2026-11-19T18:00': 'only move to a later', '': 'that is to come', '2099-01-01T10:00': 'within' };
    for (const [value, reason] of Object.entries(cases)) {
      expect(find({ deadline_at: value })).toEqual({ deadline_at: [expect.stringContaining(reason)] });
    }
  });

  it('takes an emptied text for none', () => {
    expect(read({ instructions: '  ' }).instructions).toBeNull();
  });

  it('holds changed texts to the rules that were broken without a reason', () => {
    const pages = Array.from({ length: 9 * 60 }, (_, line) => `Line ${line}`).join('\n');
    expect(find({ sides_text: pages })).toEqual({ sides_text: [expect.stringContaining('of sides')] });
    const waivers = [{ rule: 'pages', text: 'All of it is one long scene' }];
    const excused = { ...request, rules: { ...request.rules, waivers } };
    expect(find({ sides_text: pages }, { ...asked, request: { body: excused, serverId: '4' } })).toEqual({});
    expect(find({ instructions: 'Send a registration fee of ₹500' })).toEqual({
      instructions: [expect.stringContaining('fee')],
    });
  });

  it('leaves the notice of a request that was sent alone, whatever days off the project has got since', () => {
    const extra_holidays = '2026-11-18, 2026-11-19, 2026-11-20';
    const project = { body: { ...asked.project.body, extra_holidays } as Project };
    const later = { deadline_at: '2026-11-20T19:00', instructions: 'White wall' };
    expect(find(later, { ...asked, project })).toEqual({});
    const unsent = { ...asked, project, request: { ...asked.request, serverId: null } };
    expect(find(later, unsent)).toEqual({ instructions: [expect.stringContaining('hours are due')] });
  });

  it('knows the rules of a request that has not left the device', () => {
    const { rules: _rules, notices: _notices, ...unsent } = request;
    const waiting = { ...asked, request: { body: unsent as AuditionRequest, serverId: null } };
    expect(find({ instructions: 'A kiss on camera' }, waiting)).toEqual({});
    expect(find({ instructions: 'Pay the fee of ₹500 first' }, waiting)).toHaveProperty('instructions');
  });
});
