import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { mp4 } from '../server/support/media-files.ts';
import { startS3Server, type S3Server } from '../server/support/s3-server.ts';
import { toEnv } from '../server/support/store.ts';
import { openAdd, openSignedIn, openWaiting, sheet } from './support/actions.ts';
import { makePerson, makeProfile } from './support/people.ts';
import { appServer, type AppServer } from './support/server.ts';
import { expect, test } from './support/test.ts';

const MIB = 1024 * 1024;

/** A server whose devices may send large videos to a bucket. @param cors whether the bucket lets the pages of the app do so */
async function useBucket(cors: boolean, work: (server: AppServer, s3: S3Server) => Promise<void>): Promise<void> {
  const s3 = await startS3Server();
  const server = await appServer(toEnv({ ...s3.settings, direct: {} }));
  if (cors) s3.offers.cors = server.url;
  try {
    await server.start();
    await work(server, s3);
  } finally {
    await server.dispose();
    await s3.close();
  }
}

async function addFilm(page: Page, film: Buffer): Promise<void> {
  const learnt = page.waitForResponse((answer) => answer.url().endsWith('/config'));
  await openAdd(page, 'Videos');
  await learnt;
  const file = test.info().outputPath('tape.mp4');
  await writeFile(file, film);
  await page.getByTestId('file-picker').setInputFiles(file);
  const form = sheet(page, 'Add videos');
  await expect(form.getByText(/^Safe on this/)).toBeVisible({ timeout: 60_000 });
  await form.getByRole('button', { name: 'Save' }).click();
  await sheet(page, 'Your videos').getByRole('button', { name: 'Got it!' }).click();
  await openWaiting(page);
  await expect(page.getByRole('heading', { name: 'Everything is saved' })).toBeVisible({ timeout: 120_000 });
}

for (const [cors, what] of [
  [true, 'goes to the bucket without passing the server'],
  [false, 'goes through the server when the bucket has no rule for pages of the app'],
] as const) {
  test(`a large video ${what}`, { tag: '@full' }, async ({ newDevice }) => {
    test.slow();
    await useBucket(cors, async (server, s3) => {
      const person = await makePerson(server.url);
      await makeProfile(person);
      const device = await newDevice({ url: server.url });
      device.allowBrowserError(new RegExp(`another host: PUT ${s3.settings.endpoint}/callboard/quarantine/`));
      // The file is attached again and again until the server has checked it. The browser reports the answers before that.
      device.allowBrowserError(/409 \(Conflict\).*\/submit\/media-form/);
      // It also reports each refusal of the bucket.
      if (!cors) device.allowBrowserError(/CORS policy|ERR_FAILED|Failed to load resource/);
      const film = mp4({ pictures: randomBytes(17 * MIB) });
      await device.signInAs(person);
      await openSignedIn(device.page, person);
      await addFilm(device.page, film);
      const parts = s3.direct.map(({ url }) => new URL(url, s3.settings.endpoint).searchParams.get('partNumber'));
      expect(parts).toEqual(cors ? ['1', '2', '3', '4'] : []);
      for (const { headers } of s3.direct) {
        expect([headers.authorization, headers.cookie, headers.referer]).toEqual([undefined, undefined, undefined]);
      }
      expect([...s3.objects.values()].some(({ bytes }) => bytes.equals(film))).toBe(true);
    });
  });
}
