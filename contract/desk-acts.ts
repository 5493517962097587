/** What a desk act can be about. */
export const DESK_TARGETS = [
  'user',
  'profile',
  'media',
  'feedback',
  'request',
  'audition',
  'message',
  'report',
  'appeal',
  'office',
  'age_request',
] as const;
export type DeskTarget = (typeof DESK_TARGETS)[number];

/** The rules of one kind of act. How it is done and undone is in `server/features/desk/acts/`, under the same name. */
export interface DeskActRule {
  /** Who may do it and undo it. An operator may do everything. */
  by: 'moderator' | 'operator';
  /** Whether it needs a fresh sign-in. */
  isFresh: boolean;
  targets: readonly DeskTarget[];
  /** Whether the person it concerns is sent words. */
  needsWords: boolean;
  /** Whether it can be undone, and for how many days after it was done. Null: always. */
  undo: { days: number | null } | null;
}

const ALWAYS = { days: null };

/** Days after which an account that was removed at the desk is deleted. */
export const REMOVAL_DAYS = 7;

/** Days for which a decided request to correct a date of birth is kept. Until then the decision can be undone. */
export const AGE_REQUEST_DAYS = 365;

/** Every act of the desk. Looking at a report is logged too, but is no act of its own. */
export const DESK_ACTS = {
  hide: {
    by: 'moderator',
    isFresh: false,
    targets: ['profile', 'media', 'feedback', 'request', 'message'],
    needsWords: true,
    undo: ALWAYS,
  },
  /** Without an end only by an operator. */
  suspend: { by: 'moderator', isFresh: false, targets: ['user'], needsWords: true, undo: ALWAYS },
  'report.close': { by: 'moderator', isFresh: false, targets: ['report'], needsWords: false, undo: ALWAYS },
  'appeal.answer': { by: 'moderator', isFresh: false, targets: ['appeal'], needsWords: true, undo: ALWAYS },
  'sessions.end': { by: 'operator', isFresh: true, targets: ['user'], needsWords: false, undo: null },
  'reset.send': { by: 'operator', isFresh: true, targets: ['user'], needsWords: false, undo: null },
  /** The name of the person must be typed. */
  'account.remove': {
    by: 'operator',
    isFresh: true,
    targets: ['user'],
    needsWords: true,
    undo: { days: REMOVAL_DAYS },
  },
  'moderator.make': { by: 'operator', isFresh: true, targets: ['user'], needsWords: false, undo: ALWAYS },
  'moderator.unmake': { by: 'operator', isFresh: true, targets: ['user'], needsWords: false, undo: ALWAYS },
  /** Gives an account the badge of a casting office. The name of the office must be typed. */
  'office.verify': { by: 'operator', isFresh: true, targets: ['user'], needsWords: false, undo: ALWAYS },
  'office.revoke': { by: 'operator', isFresh: true, targets: ['office'], needsWords: false, undo: ALWAYS },
  /** Corrects the date of birth of somebody who counts as under 18, as they asked. */
  'age.grant': {
    by: 'operator',
    isFresh: true,
    targets: ['age_request'],
    needsWords: false,
    undo: { days: AGE_REQUEST_DAYS },
  },
  'age.decline': {
    by: 'operator',
    isFresh: false,
    targets: ['age_request'],
    needsWords: true,
    undo: { days: AGE_REQUEST_DAYS },
  },
} as const satisfies Record<string, DeskActRule>;
export type DeskActName = keyof typeof DESK_ACTS;

export const DESK_ACT_NAMES = Object.keys(DESK_ACTS) as [DeskActName, ...DeskActName[]];
export const getActRule = (act: DeskActName): DeskActRule => DESK_ACTS[act];
