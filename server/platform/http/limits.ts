/**
 * Where uses are counted. `node`: in the memory of each process, for limits that are checked with every request. `installation`: in
 * the database, once for all nodes.
 */
export type LimitScope = 'node' | 'installation';

/** At most `count` uses per `windowMs`. */
export interface Limit<Scope extends LimitScope = LimitScope> {
  /** Name in the database and in the metrics. Its second part says what is counted by itself. */
  name: string;
  count: number;
  windowMs: number;
  scope: Scope;
  /** Upper bound of Retry-After, where it is shorter than the window. */
  maxWaitS?: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * The app pauses everything it sends for as long as a refusal of its queue asks. A limit on one kind of change must not stop the others
 * for hours.
 */
const QUEUE_WAIT_S = 60;

/** Every limit. The numbers hold for RATE_LIMIT_SCALE=1. */
export const LIMIT = {
  reads: { name: 'reads', count: 3000, windowMs: MINUTE, scope: 'node' },
  writes: { name: 'writes', count: 600, windowMs: MINUTE, scope: 'node' },
  /** Failed sign-ins to one account from one network. */
  failedSignInsFromNetwork: {
    name: 'signin.account_network',
    count: 10,
    windowMs: 15 * MINUTE,
    scope: 'installation',
  },
  /** To one account from all networks together. Known networks and devices are exempt. */
  failedSignInsOfAccount: { name: 'signin.account', count: 50, windowMs: 15 * MINUTE, scope: 'installation' },
  /** From one network, across all accounts. */
  failedSignInsOfNetwork: { name: 'signin.network', count: 100, windowMs: 15 * MINUTE, scope: 'installation' },
  /** On a device that has signed in to the account before. Counted separately, so that an attacker cannot exhaust it. */
  failedSignInsOfDevice: { name: 'signin.device', count: 10, windowMs: 15 * MINUTE, scope: 'installation' },
  /** Wrong passwords of signed-in people who confirm something with it. */
  failedConfirmations: { name: 'confirm.user', count: 10, windowMs: 15 * MINUTE, scope: 'installation' },
  registrations: { name: 'register.network', count: 100, windowMs: HOUR, scope: 'installation' },
  /** By everybody. Nobody is refused: the challenge of a registration gets harder (`features/account/registration-challenge.ts`). */
  registrationsOfAll: { name: 'register.all', count: 2000, windowMs: HOUR, scope: 'installation' },
  /** Mails with a link for a new password: to one address, and from one network. */
  resetsOfAddress: { name: 'reset.address', count: 3, windowMs: HOUR, scope: 'installation' },
  resetsOfNetwork: { name: 'reset.network', count: 30, windowMs: HOUR, scope: 'installation' },
  /** Guesses at the token of a link. */
  linksOfNetwork: { name: 'link.network', count: 100, windowMs: 15 * MINUTE, scope: 'installation' },
  emailChanges: { name: 'email.user', count: 3, windowMs: DAY, scope: 'installation' },
  verifications: { name: 'verify.user', count: 3, windowMs: HOUR, scope: 'installation' },
  /** Mails that tell one person of sign-ins. Beyond it, none is sent: whoever signs in again and again must not fill a mailbox. */
  signInMails: { name: 'signin_mail.user', count: 5, windowMs: HOUR, scope: 'installation' },
  /** Mails that tell one person of changed passwords. Counted by themselves: sign-ins must not use them up. */
  passwordMails: { name: 'password_mail.user', count: 5, windowMs: HOUR, scope: 'installation' },
  /** Mails that tell one person of passkeys and recovery codes. Counted by themselves as well. */
  wayMails: { name: 'way_mail.user', count: 5, windowMs: HOUR, scope: 'installation' },
  /** Guardians that are named or asked again. */
  guardians: { name: 'guardian.user', count: 3, windowMs: DAY, scope: 'installation' },
  /** Mails that ask one address, whoever names it. */
  guardiansOfAddress: { name: 'guardian.address', count: 10, windowMs: DAY, scope: 'installation' },
  /** Requests to correct a date of birth. */
  ageRequests: { name: 'age.user', count: 3, windowMs: DAY, scope: 'installation' },
  connectionRequests: { name: 'request.user', count: 60, windowMs: HOUR, scope: 'installation' },
  /** Requests to audition, and those of people who are no verified office. */
  auditions: { name: 'audition.user', count: 200, windowMs: DAY, scope: 'installation', maxWaitS: QUEUE_WAIT_S },
  unverifiedAuditions: {
    name: 'audition.unverified',
    count: 10,
    windowMs: DAY,
    scope: 'installation',
    maxWaitS: QUEUE_WAIT_S,
  },
  /** Invitations to projects. */
  invitations: { name: 'invite.user', count: 50, windowMs: DAY, scope: 'installation', maxWaitS: QUEUE_WAIT_S },
  /** Share links that are made. */
  shareLinks: { name: 'share_link.user', count: 100, windowMs: DAY, scope: 'installation', maxWaitS: QUEUE_WAIT_S },
  /** How often one share link is opened, also with a wrong code. */
  openings: { name: 'watch.link', count: 60, windowMs: HOUR, scope: 'installation' },
  /** Questions about auditions. */
  questions: { name: 'question.user', count: 60, windowMs: DAY, scope: 'installation', maxWaitS: QUEUE_WAIT_S },
  /** Messages that begin a conversation. */
  firstMessages: {
    name: 'first_message.user',
    count: 20,
    windowMs: DAY,
    scope: 'installation',
    maxWaitS: QUEUE_WAIT_S,
  },
  /** Texts on the pages of people who are no connection. */
  feedback: { name: 'feedback.user', count: 20, windowMs: DAY, scope: 'installation', maxWaitS: QUEUE_WAIT_S },
  /** Saved profiles whose owners are told. Beyond it, profiles are saved without a word. */
  savesTold: { name: 'save.user', count: 100, windowMs: DAY, scope: 'installation' },
  /** Uploads that are begun. */
  uploads: { name: 'upload.user', count: 300, windowMs: HOUR, scope: 'installation', maxWaitS: QUEUE_WAIT_S },
  /** Pushes that test the way to a device. */
  pushTests: { name: 'push.test.user', count: 6, windowMs: HOUR, scope: 'node' },
  reports: { name: 'report.user', count: 20, windowMs: HOUR, scope: 'installation' },
  appeals: { name: 'appeal.user', count: 3, windowMs: DAY, scope: 'installation' },
} as const satisfies Record<string, Limit>;

/** What is limited, and whose use it is: a network, an address or a person. */
export type Use<Scope extends LimitScope> = readonly [limit: Limit<Scope>, subject: string];

const NEW_ACCOUNT_MS = 7 * DAY;

/** How many uses one contact with a stranger counts for. People who have just joined have a third of the limit. */
export const getContactWeight = ({ joinedAt }: { joinedAt: Date }, now: Date): number =>
  now.getTime() - joinedAt.getTime() < NEW_ACCOUNT_MS ? 3 : 1;
