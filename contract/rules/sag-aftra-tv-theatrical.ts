/**
 * Rules for self-taped auditions under the SAG-AFTRA TV/Theatrical agreement of 2023.
 *
 * This rests on secondary reports and on the union's magazine. Nobody here has read the contract, nor its successor of 2026. Before a production relies on
 * it, somebody must compare it with the text: whether Juneteenth, Columbus Day and Veterans Day interrupt the notice there too (here they do, which gives
 * performers more time), and whether the interim limit of 5½ pages ever applied beyond 2023.
 */
import { HOLIDAYS, WEEKENDS } from './holidays.ts';
import { definePack, NOTICES } from './pack.ts';

export const sagAftraTvTheatrical = definePack({
  id: 'sag-aftra-tv-theatrical',
  version: 1,
  name: 'SAG-AFTRA TV/Theatrical',
  sources: [
    'Deadline, November 2023',
    'abovetheline.com, 10 January 2024',
    'Casting Networks, 24 November 2023',
    'SAG-AFTRA magazine, winter 2021, p. 59',
  ],
  checkedOn: '2026-11-22',
  weekend: WEEKENDS,
  holidays: HOLIDAYS,
  rules: [
    { id: 'notice', kind: 'notice', hours: 48, minorHours: 72, skips: ['weekends', 'holidays'], waiver: 'reason' },
    { id: 'pages', kind: 'pages', first: 8, callback: 12, waiver: 'reason' },
    { id: 'picture', kind: 'maxHeight', value: 720, waiver: 'reason' },
    { id: 'memorize', kind: 'mustBeFalse', field: 'memorize', waiver: 'reason' },
    { id: 'live', kind: 'required', field: 'liveOption', waiver: 'reason' },
    { id: 'fee', kind: 'noFee', waiver: 'never' },
    { id: 'intimate-notice', kind: 'noticeGiven', notices: NOTICES, waiver: 'never' },
    { id: 'no-nude-tape', kind: 'neverAsked', what: 'nudeMaterial', waiver: 'never' },
  ],
});
