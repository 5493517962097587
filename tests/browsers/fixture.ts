import { test as base } from '@playwright/test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installBreakableStore } from '../e2e/support/breakable-store.ts';
import { type Person as Account, connect, makePerson, makeProfile } from '../e2e/support/people.ts';
import { type AppServer, appServer } from '../e2e/support/server.ts';
import { type BrowserUser, openUser } from './browser.ts';
import { openFirefox } from './firefox.ts';
import { PAGE_ERRORS_SCRIPT } from './page-errors.ts';
import { openWebKit } from './webkit.ts';

const getRequired = (variable: string) => {
  const program = process.env[variable];
  if (!program) throw new Error(`${variable} is not set: start these tests with npm run test:browsers`);
  return program;
};

/** Collects errors, and breaks the store when a test dispatches the event. */
const INIT_SCRIPT = `(${installBreakableStore.toString()})(); ${PAGE_ERRORS_SCRIPT}`;

interface Fixture {
  folder: string;
  server: AppServer;
  performer: Account;
  friend: Account;
  profileId: string;
  conversation: string;
  browser: BrowserUser;
}

export const test = base.extend<{ setup: Fixture }>({
  setup: async ({}, use, info) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'callboard-browsers-'));
    const server = await appServer();
    await server.start();
    const [performer, friend] = [await makePerson(server.url), await makePerson(server.url)];
    const profileId = String((await makeProfile(performer)).id);
    await makeProfile(friend);
    const { conversation } = await connect(performer, friend);
    const engine =
      info.project.metadata['engine'] === 'firefox'
        ? await openFirefox(getRequired('FIREFOX_PATH'), INIT_SCRIPT)
        : await openWebKit(getRequired('WEBKIT_DRIVER_PATH'), INIT_SCRIPT);
    const browser = openUser(engine, server.url);
    await use({ folder, server, performer, friend, profileId, conversation, browser });
    if (info.status !== info.expectedStatus) {
      const screen = await engine.run(
        () => `${location.href}\n\n${document.body.innerText}\n\n${document.getElementById('app')?.innerHTML}`,
      );
      await info.attach('screen', { body: screen, contentType: 'text/plain' });
      await info.attach('server log', { body: server.log(), contentType: 'text/plain' });
    }
    await engine.close();
    await server.dispose();
    await rm(folder, { recursive: true });
  },
});

/** Signs in by the form and waits until the app opens offline. */
export async function signIn({ browser, performer }: Fixture): Promise<void> {
  await browser.open('/login');
  await browser.fill('^E-mail', performer.email);
  await browser.fill('^Password', performer.password);
  await browser.press('^Sign in$');
  await browser.sees(performer.name);
  await browser.waitFor(
    'the worker has stored the app',
    () => navigator.serviceWorker.controller?.state === 'activated',
  );
}
