import { getCurrentVersions } from '#contract/legal.ts';

/** What the app sends when an adult signs up, beside name, e-mail and password. */
export const ADULT = { born_on: '1994-08-17', ...getCurrentVersions() };
