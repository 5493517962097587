/**
 * Rules for self-taped auditions under the SAG-AFTRA TV/Theatrical agreement of 2023: those of plain courtesy, which were taken from it, and one more.
 *
 * This rests on secondary reports and on the union's magazine. Nobody here has read the contract, nor its successor of 2026. Before a production relies on
 * it, somebody must compare it with the text: whether Juneteenth, Columbus Day and Veterans Day interrupt the notice there too (here they do, which gives
 * performers more time), and whether the interim limit of 5½ pages ever applied beyond 2023.
 */
import { definePack } from './pack.ts';
import { plainCourtesy } from './plain-courtesy.ts';

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
  weekend: plainCourtesy.weekend,
  holidays: plainCourtesy.holidays,
  rules: [...plainCourtesy.rules, { id: 'live', kind: 'required', field: 'liveOption', waiver: 'reason' }],
});
