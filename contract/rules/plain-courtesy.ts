/**
 * What performers may expect of anybody, in a union or not. The figures are those that the unions reached for self-taped auditions, because they are known
 * and have proven workable:
 * - notice, pages, picture and memorizing: the SAG-AFTRA agreement of 2023 as reported by Deadline and by Casting Networks;
 * - no fees: the same reports, and the rule of every performers' union;
 * - nudity, intimacy and stunts described before, no nude material: SAG-AFTRA magazine, winter 2021, p. 59.
 */
import { HOLIDAYS, WEEKENDS } from './holidays.ts';
import { definePack, NOTICES } from './pack.ts';

export const plainCourtesy = definePack({
  id: 'plain-courtesy',
  version: 1,
  name: 'Plain courtesy',
  sources: ['Deadline, November 2023', 'Casting Networks, 24 November 2023', 'SAG-AFTRA magazine, winter 2021, p. 59'],
  checkedOn: '2026-11-22',
  weekend: WEEKENDS,
  holidays: HOLIDAYS,
  rules: [
    { id: 'notice', kind: 'notice', hours: 48, minorHours: 72, skips: ['weekends', 'holidays'], waiver: 'reason' },
    { id: 'pages', kind: 'pages', first: 8, callback: 12, waiver: 'reason' },
    { id: 'picture', kind: 'maxHeight', value: 720, waiver: 'reason' },
    { id: 'memorize', kind: 'mustBeFalse', field: 'memorize', waiver: 'reason' },
    { id: 'fee', kind: 'noFee', waiver: 'never' },
    { id: 'intimate-notice', kind: 'noticeGiven', notices: NOTICES, waiver: 'never' },
    { id: 'no-nude-tape', kind: 'neverAsked', what: 'nudeMaterial', waiver: 'never' },
  ],
});
