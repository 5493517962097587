import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@playwright/test';
import { simpleParser } from 'mailparser';
import type { Person } from './people.ts';
import type { AppServer } from './server.ts';

/** Reads the mails of a kind that the server has written for this person, oldest first. */
async function readMails({ dataDir }: AppServer, { email }: Pick<Person, 'email'>, kind: string) {
  const folder = path.join(dataDir, 'mail');
  const names = await readdir(folder).catch(() => []);
  const mails = await Promise.all(
    names
      .filter((name) => name.includes(`-${kind}-`))
      .sort()
      .map(async (name) => simpleParser(await readFile(path.join(folder, name)))),
  );
  return mails.filter(({ to }) => [to].flat().some((each) => each?.text === email));
}

/** Waits for the mail and returns the path of the link in it, with its token. */
export async function readLink(server: AppServer, person: Pick<Person, 'email'>, kind: string): Promise<string> {
  let link: string | undefined;
  await expect
    .poll(
      async () => {
        const mail = (await readMails(server, person, kind)).at(-1);
        link = /https?:\/\/[^/\s]+(\/\w+#t=[\w-]{43})/.exec(mail?.text ?? '')?.[1];
        return link;
      },
      { message: `a ${kind} mail to ${person.email}` },
    )
    .toBeDefined();
  return link!;
}

/** Waits for the mail and returns its Message-ID, and the path with which mail programs stop such mails. */
export async function readStopPath(
  server: AppServer,
  person: Pick<Person, 'email'>,
  kind: string,
): Promise<{ messageId: string; path: string }> {
  await expect.poll(async () => (await readMails(server, person, kind)).length).toBeGreaterThan(0);
  const mail = (await readMails(server, person, kind)).at(-1);
  const list = mail?.headers.get('list') as { unsubscribe?: { url?: string } } | undefined;
  return { messageId: mail?.messageId ?? '', path: new URL(list?.unsubscribe?.url ?? '').pathname };
}

/** Confirms the person's e-mail address with the link in the mail. */
export async function confirmEmail(server: AppServer, person: Person): Promise<void> {
  const token = (await readLink(server, person, 'verify')).split('#t=')[1];
  const { status } = await person.call('POST', '/email/verify', { token });
  expect(status).toBe(200);
}
