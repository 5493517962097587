import type * as z from 'zod/mini';

/** What a link in a mail allows. */
export type LinkPurpose = 'verify' | 'reset' | 'secure' | 'change-email' | 'restore-email' | 'guardian';

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
  compose: (params: Params, context: MailContext) => MailText;
}

export const defineMail = <Params>(kind: MailKind<Params>): MailKind<Params> => kind;
