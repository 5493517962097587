import { expect } from 'vitest';
import type { OutgoingMail } from '#server/features/mail/transport.ts';
import type { Person, TestServer } from './test-server.ts';

type To = Pick<Person, 'email'>;

/** Reads the mails that a test server sends. */
export function mailboxOf(testServer: TestServer) {
  /** Does the jobs and returns the mails of this kind to this person, oldest first. */
  const readMails = async ({ email }: To, kind: string): Promise<OutgoingMail[]> => {
    await testServer.runJobs();
    return testServer.mails.filter((mail) => mail.to === email && mail.kind === kind);
  };
  /** The token of the link in the newest mail of this kind. */
  const readToken = async (to: To, kind: string): Promise<string> => {
    const mail = (await readMails(to, kind)).at(-1);
    const [, token] = /#t=([\w-]{43})$/.exec(mail?.url ?? '') ?? [];
    expect(token, `a ${kind} mail with a link`).toBeDefined();
    expect([mail?.text, mail?.html].every((text) => text?.includes(mail?.url ?? ' '))).toBe(true);
    return token!;
  };
  return { readMails, readToken };
}
