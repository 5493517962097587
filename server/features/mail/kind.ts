import type * as z from 'zod/mini';

/** What a link in a mail allows. */
export type LinkPurpose = 'verify' | 'reset' | 'secure' | 'change-email' | 'restore-email' | 'guardian';

/** Settings with which a person switches mails off, columns of `users`, and what those mails are about. */
export const MAIL_SWITCHES = { signInMail: 'new devices', newsMail: 'what is new' } as const;
export type MailSwitch = keyof typeof MAIL_SWITCHES;

/** The parts of a mail, in order. */
export type MailBlock = string | { label: string; url: string };

export interface MailText {
  subject: string;
  blocks: MailBlock[];
}

/** What every template may use. */
export interface MailContext {
  /** The recipient's name. */
  name: string;
  address: string;
  /** Address of this Callboard, for example `https://callboard.example`. */
  home: string;
  /** The link of the kind, with its token; '' for a kind without a link. */
  url: string;
}

/** A kind of mail. Its name and the shape of its params are stored until it is sent. */
export interface MailKind<Params> {
  name: string;
  params: z.ZodMiniType<Params>;
  /** The link in the mail: what it allows, the page that asks first, and how long it works. */
  link?: { purpose: LinkPurpose; page: string; lifetimeMs: number };
  /** The setting that switches it off. Absent where everybody gets it. */
  switchedBy?: MailSwitch;
  compose: (params: Params, context: MailContext) => MailText;
}

export const defineMail = <Params>(kind: MailKind<Params>): MailKind<Params> => kind;
