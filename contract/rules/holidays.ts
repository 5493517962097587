/**
 * Public holidays by region. Read and extended by hand once a year: a wrong day shortens or lengthens somebody's notice.
 *
 * - US: the federal holidays (5 U.S.C. 6103; a holiday on a Saturday is observed on the Friday before, one on a Sunday on the Monday after), and the
 *   day after Thanksgiving, on which the trade does not work.
 * - GB-ENG: the bank holidays of England and Wales (gov.uk/bank-holidays).
 * - IN: the three national holidays. The others differ by state and moon; a project adds its own.
 */
import type { HolidayList } from './pack.ts';

export const HOLIDAYS = {
  US: {
    name: 'the United States',
    until: '2028-12-31',
    days: [
      ...['2026-01-01', '2026-01-19', '2026-02-16', '2026-05-25', '2026-06-19', '2026-07-03', '2026-09-07'],
      ...['2026-10-12', '2026-11-11', '2026-11-26', '2026-11-27', '2026-12-25'],
      ...['2027-01-01', '2027-01-18', '2027-02-15', '2027-05-31', '2027-06-18', '2027-07-05', '2027-09-06'],
      ...['2027-10-11', '2027-11-11', '2027-11-25', '2027-11-26', '2027-12-24', '2027-12-31'],
      ...['2028-01-17', '2028-02-21', '2028-05-29', '2028-06-19', '2028-07-04', '2028-09-04', '2028-10-09'],
      ...['2028-11-10', '2028-11-23', '2028-11-24', '2028-12-25'],
    ],
  },
  'GB-ENG': {
    name: 'England and Wales',
    until: '2028-12-31',
    days: [
      ...['2026-01-01', '2026-04-03', '2026-04-06', '2026-05-04', '2026-05-25', '2026-08-31', '2026-12-25'],
      '2026-12-28',
      ...['2027-01-01', '2027-03-26', '2027-03-29', '2027-05-03', '2027-05-31', '2027-08-30', '2027-12-27'],
      '2027-12-28',
      ...['2028-01-03', '2028-04-14', '2028-04-17', '2028-05-01', '2028-05-29', '2028-08-28', '2028-12-25'],
      '2028-12-26',
    ],
  },
  IN: {
    name: 'India',
    until: '2028-12-31',
    days: [
      ...['2026-01-26', '2026-08-15', '2026-10-02'],
      ...['2027-01-26', '2027-08-15', '2027-10-02'],
      ...['2028-01-26', '2028-08-15', '2028-10-02'],
    ],
  },
} as const satisfies Record<string, HolidayList>;

/** ISO weekdays of the weekend by country, where it is not Saturday and Sunday. */
export const WEEKENDS = {
  default: [6, 7],
  EG: [5, 6],
  SA: [5, 6],
} as const;
