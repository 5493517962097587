import type { Locator, Page } from '@playwright/test';
import { LIMITS } from '#contract/limits.ts';
import { MEDIA_KINDS, getMediaKind, type MediaKind } from '#contract/media-kinds.ts';
import type { MediaType } from '#contract/media-types.ts';
import type { Media } from '#contract/records/media.ts';
import { aac, avi, doc, docx, m4a, mp3, mp4, ogg, pdf, wav } from '../server/support/media-files.ts';
import { expectAllSaved, openSignedIn, openAdd, openWaiting, pill, row, sheet } from './support/actions.ts';
import { expectAccessible } from './support/axe.ts';
import type { Device } from './support/device.ts';
import { makeProfile, type Person } from './support/people.ts';
import { picture } from './support/pictures.ts';
import { fillSection } from './support/section-form.ts';
import type { AppServer } from './support/server.ts';
import { rewriteQueuedChange, countLookupItems, getOutbox } from './support/client-store.ts';
import { isFull } from '../support/quantity.ts';
import { expect, test } from './support/test.ts';

interface FileInput {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

const file = (name: string, mimeType: string, buffer: Buffer): FileInput => ({ name, mimeType, buffer });

/** Small valid files of a kind, one of every type that it accepts. */
async function makeFiles(kind: MediaType): Promise<FileInput[]> {
  switch (kind) {
    case 'image':
      return [await picture('stage.jpg', 320, 400), await picture('street.jpg', 360, 440, '#2e4057')];
    case 'video':
      return [
        file('reel.mp4', 'video/mp4', mp4({ seconds: 4 })),
        file('scene.mov', 'video/quicktime', mp4({ brand: 'qt  ' })),
        file('old-tape.avi', 'video/x-msvideo', avi()),
      ];
    case 'audio':
      return [
        file('narration.wav', 'audio/wav', wav(2)),
        file('radio.mp3', 'audio/mpeg', mp3()),
        file('memo.m4a', 'audio/x-m4a', m4a()),
        file('song.aac', 'audio/aac', aac()),
        file('spot.ogg', 'audio/ogg', ogg()),
      ];
    case 'document': {
      const word = getMediaKind('document')!.types;
      const [docType = '', docxType = ''] = Object.keys(word);
      return [
        file('cv.pdf', 'application/pdf', pdf()),
        file('review.docx', docxType, docx()),
        file('letter.doc', docType, doc()),
      ];
    }
  }
}

/** Values for every field of every kind. */
const WORDS: Readonly<Record<string, string>> = {
  name: 'The Long Monsoon',
  keywords: 'rain, quiet',
  project_type: 'Movie',
  category_type: 'Drama',
  role: 'Ira',
  director: 'Devika Rao',
  month_year: '2025-05',
  production_company: 'Paper Boat Films',
  media_language: 'Hindi',
  language_accent: 'Marathi',
  voice_type: 'Narration',
  voice_gender: 'Female',
  voice_age: '60s',
  voice_style: 'Warm',
  description: 'Recorded in one night.',
};

const rowFor = ({ fields }: MediaKind) => Object.fromEntries(Object.keys(fields).map((key) => [key, WORDS[key]]));

async function pick(page: Page, files: readonly FileInput[]): Promise<void> {
  await page.getByTestId('file-picker').setInputFiles([...files]);
}

/** Picks one file of each type, fills every field and saves. */
async function add(page: Page, kind: MediaKind): Promise<{ form: Locator; names: readonly string[] }> {
  const files = await makeFiles(kind.key);
  await openAdd(page, kind.title);
  const form = sheet(page, `Add ${kind.plural}`);
  await pick(page, files);
  await expect(form.getByText(/^Safe on this/)).toHaveCount(files.length);
  const fields = form.getByLabel(/^Name/);
  const names = files.map((_, n) => (files.length === 1 ? String(WORDS['name']) : `${WORDS['name']} ${n + 1}`));
  for (const [n, name] of names.entries()) await fields.nth(n).fill(name);
  const { name: _name, ...others } = kind.fields;
  await fillSection(form, { fields: others }, rowFor(kind));
  await form.getByRole('button', { name: 'Save' }).click();
  return { form, names };
}

const listOf = async (person: Person, kind: MediaKind, profileId: string | number): Promise<Media[]> =>
  (await person.call<Media[]>('GET', `${kind.list.path}?profile_id=${profileId}`)).body;

/** Their names, sorted. */
const namesOf = (media: readonly Media[]) => media.map(({ name }) => name).sort();

/** Waits until the device has every lookup list that the forms use. */
async function waitForLookups(page: Page): Promise<void> {
  for (const list of ['project_types', 'media_languages', 'language_accents', 'voice_genders', 'voice_types'])
    await expect.poll(() => countLookupItems(page, list)).toBeGreaterThan(0);
}

for (const kind of MEDIA_KINDS) {
  test(`${kind.plural}: sends every type with all its fields`, { tag: '@full' }, async ({ phone, person }) => {
    const { page } = phone;
    const profile = await makeProfile(person);
    await openSignedIn(page, person);
    const { names } = await add(page, kind);
    const done = sheet(page, `Your ${kind.plural}`);
    await expect(done.getByText('Saved Successfully!')).toBeVisible({ timeout: 30_000 });
    await done.getByRole('button', { name: 'Got it!' }).click();
    const found = await listOf(person, kind, profile.id);
    expect(namesOf(found)).toEqual(names);
    const { name: _name, ...rest } = rowFor(kind);
    for (const each of found) {
      expect(Object.fromEntries(each.metadata.map(({ key, value }) => [key, value]))).toEqual(rest);
    }
    if (kind.key !== 'audio') return;
    // The browser decodes the WAV; for files that it cannot decode, only the server's metadata arrives.
    const wavFile = found.find(({ format }) => format === 'wav');
    expect(wavFile?.peaks).toHaveLength(200);
    expect(wavFile?.duration).toBeCloseTo(2, 1);
  });
}

test(
  'keeps files of every kind picked offline through a killed browser, and sends them once',
  { tag: '@full' },
  async ({ ownPhone: phone, person, server }) => {
    const profile = await makeProfile(person);
    await phone.signInForOffline(person);
    await waitForLookups(phone.page);
    await server.stop();
    const sent = new Map<MediaKind, readonly string[]>();
    for (const kind of MEDIA_KINDS) {
      const { names } = await add(phone.page, kind);
      sent.set(kind, names);
      const queued = sheet(phone.page, `Your ${kind.plural}`);
      await expect(queued.getByText(/^Saved on this phone. It will send when you’re back online.$/)).toBeVisible();
      await queued.getByRole('button', { name: 'Got it!' }).click();
    }
    await phone.kill();
    await phone.relaunch();
    await phone.open('/waiting');
    const all = [...sent.values()].flat().length;
    await expect(phone.page.getByRole('heading', { level: 1 })).toContainText(`${all} changes, all safe on this phone`);
    await server.start();
    await phone.page.getByRole('button', { name: 'Try now' }).click();
    await expect(phone.page.getByRole('heading', { name: 'Everything is saved' })).toBeVisible({ timeout: 60_000 });
    expect(await getOutbox(phone.page)).toEqual([]);
    for (const [kind, names] of sent) {
      expect(namesOf(await listOf(person, kind, profile.id)), kind.plural).toEqual(names);
    }
  },
);

test('checks links line by line and creates videos without a file', { tag: '@full' }, async ({ phone, person }) => {
  const { page } = phone;
  const profile = await makeProfile(person);
  await openSignedIn(page, person);
  await openAdd(page, 'Videos');
  const form = sheet(page, 'Add videos');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByRole('alert')).toHaveText('No files uploaded!');

  const links = form.getByLabel('YouTube links, one per line');
  await links.fill('https://youtu.be/dQw4w9WgXcQ\nhttps://example.org/reel');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText('Line 2 is not a YouTube link')).toBeVisible();
  await expect(form.getByText('Enter a name')).toBeVisible();
  await expect(form.getByRole('alert')).toHaveText('Two things to fix. What you typed is safe.');
  await expect(links).toBeFocused();
  await links.fill('https://youtu.be/dQw4w9WgXcQ\n\nhttps://www.youtube.com/watch?v=dQw4w9WgXcQ');
  await form.getByLabel('Name').fill('Midnight Local');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(sheet(page, 'Your videos').getByText('Saved Successfully!')).toBeVisible({ timeout: 20_000 });
  const found = await listOf(person, getMediaKind('video')!, profile.id);
  expect(found).toMatchObject([{ name: 'Midnight Local', media_type: 'youtube' }]);
});

test(
  'opens an empty sheet after the typed details were saved or discarded',
  { tag: '@full' },
  async ({ phone, person }) => {
    const { page } = phone;
    await makeProfile(person);
    await openSignedIn(page, person);

    await openAdd(page, 'Videos');
    const videos = sheet(page, 'Add videos');
    await videos.getByLabel('YouTube links, one per line').fill('https://youtu.be/dQw4w9WgXcQ');
    await videos.getByLabel('Name').fill('Midnight Local');
    await videos.getByLabel('Category').fill('Scene');
    await videos.getByRole('button', { name: 'Save' }).click();
    await sheet(page, 'Your videos').getByRole('button', { name: 'Got it!' }).click();
    await openAdd(page, 'Videos');
    await expect(videos.getByLabel('Category')).toHaveValue('');
    await videos.getByRole('button', { name: 'Discard' }).click();

    await openAdd(page, 'Photos');
    const photos = sheet(page, 'Add photos');
    await pick(page, [await picture('stage.jpg', 320, 400)]);
    await expect(photos.getByText(/^Safe on this/)).toBeVisible();
    await photos.getByLabel('Category').fill('Headshot');
    await photos.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    await expect(photos).toHaveCount(0);
    await openAdd(page, 'Photos');
    await expect(photos.getByLabel('Category')).toHaveValue('');
  },
);

test(
  'reopens the filled form for a field refused days later, and sends the correction',
  { tag: '@full' },
  async ({ phone, person, server }) => {
    const { page } = phone;
    const audio = getMediaKind('audio')!;
    const profile = await makeProfile(person);
    phone.allowBrowserError(/status of 422/);
    await phone.signInForOffline(person);
    await server.stop();
    await openAdd(page, 'Audios');
    const form = sheet(page, 'Add recordings');
    await pick(page, [file('narration.wav', 'audio/wav', wav(1))]);
    await expect(form.getByText(/^Safe on this/)).toBeVisible();
    await form.getByLabel('Voice style').fill('Dry');
    await form.getByRole('button', { name: 'Save' }).click();
    await sheet(page, 'Your recordings').getByRole('button', { name: 'Got it!' }).click();
    // As an older version without this limit would have stored it.
    await rewriteQueuedChange(page, 'media', { voice_age: 'x'.repeat(60) }, 3 * 86_400_000);
    await page.goto('/');
    await server.start();
    await page.evaluate(() => dispatchEvent(new Event('online')));
    const fixing = sheet(page, 'Edit recording');
    await expect(fixing.getByText('Keep it to 50 characters')).toBeVisible({ timeout: 30_000 });
    await fixing.getByRole('button', { name: 'Discard' }).click();
    await expect(pill(page)).toHaveText('1 needs you');
    await openWaiting(page);
    await row(page, 'Recording: narration').getByRole('button', { name: 'Fix it' }).click();
    await expect(fixing.getByText('Keep it to 50 characters')).toBeVisible();
    await expect(fixing.getByLabel('Voice age')).toBeFocused();
    await expect(fixing.getByLabel('Voice style')).toHaveValue('Dry');
    await fixing.getByLabel('Voice age').fill('60s');
    await fixing.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('heading', { name: 'Everything is saved' })).toBeVisible({ timeout: 20_000 });
    const [found] = await listOf(person, audio, profile.id);
    expect(found?.metadata).toEqual(
      expect.arrayContaining([
        { key: 'voice_age', value: '60s' },
        { key: 'voice_style', value: 'Dry' },
      ]),
    );
  },
);

/** Picks a video of moving light, recorded by the browser itself in a container that the portfolio accepts. */
async function pickFilm(page: Page, ms: number): Promise<void> {
  await page.evaluate(async (length) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 360 });
    const pen = canvas.getContext('2d')!;
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/mp4;codecs=vp9' });
    const parts: Blob[] = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    const ended = new Promise((resolve) => (recorder.onstop = resolve));
    recorder.start();
    const begun = performance.now();
    await new Promise<void>((resolve) => {
      const draw = () => {
        pen.fillStyle = `hsl(${Math.round(performance.now() / 10) % 360} 80% 50%)`;
        pen.fillRect(0, 0, 640, 360);
        if (performance.now() - begun > length) resolve();
        else requestAnimationFrame(draw);
      };
      draw();
    });
    recorder.stop();
    await ended;
    const given = new DataTransfer();
    given.items.add(new File(parts, 'light.mp4', { type: 'video/mp4' }));
    const drop = new DragEvent('drop', { dataTransfer: given, bubbles: true, cancelable: true });
    document.querySelector('dialog[open] button[class*=dashed]')!.dispatchEvent(drop);
  }, ms);
}

test(
  'reads duration, size and a frame of a dropped video that the browser can play',
  { tag: '@full' },
  async ({ phone, person }) => {
    const { page } = phone;
    const profile = await makeProfile(person);
    await openSignedIn(page, person);
    await openAdd(page, 'Videos');
    const form = sheet(page, 'Add videos');
    await pickFilm(page, 3000);
    await expect(form.getByText(/^Safe on this/)).toBeVisible();
    await expect(row(form, 'light.mp4').locator('img')).toBeVisible();
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(sheet(page, 'Your videos').getByText('Saved Successfully!')).toBeVisible({ timeout: 20_000 });
    const [found] = await listOf(person, getMediaKind('video')!, profile.id);
    expect(found).toMatchObject({ name: 'light', width: 640, height: 360 });
    expect(found?.thumb_path).not.toBeNull();
  },
);

test('keeps the files of two drops that follow each other at once', { tag: '@full' }, async ({ phone, person }) => {
  const { page } = phone;
  await makeProfile(person);
  await openSignedIn(page, person);
  await openAdd(page, 'Audios');
  const form = sheet(page, 'Add recordings');
  const bytes = [...mp3()];
  await page.evaluate((recording) => {
    for (const name of ['first.mp3', 'second.mp3']) {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array(recording)], name, { type: 'audio/mpeg' }));
      const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector('dialog[open] button[class*=dashed]')!.dispatchEvent(drop);
    }
  }, bytes);
  await expect(row(form, 'first.mp3')).toBeVisible();
  await expect(row(form, 'second.mp3')).toBeVisible();
});

/** Opens the person's own page, then stops the server. */
async function withoutSignal(phone: Device, person: Person, server: AppServer): Promise<void> {
  await phone.signInForOffline(person);
  await expect(phone.page.getByRole('button', { name: 'Edit Profile' })).toBeVisible();
  await server.stop();
}

async function addWithoutSignal(page: Page, key: 'video' | 'audio', pickOne: () => Promise<void>): Promise<void> {
  const { title, plural } = getMediaKind(key)!;
  await openAdd(page, title);
  const form = sheet(page, `Add ${plural}`);
  await pickOne();
  await expect(form.getByText(/^Safe on this/)).toBeVisible();
  await form.getByRole('button', { name: 'Save' }).click();
  await sheet(page, `Your ${plural}`).getByRole('button', { name: 'Got it!' }).click();
}

test('plays unsent media from the phone’s own bytes, also after a reload', async ({ phone, person, server }) => {
  const { page } = phone;
  await makeProfile(person);
  await withoutSignal(phone, person, server);
  await addWithoutSignal(page, 'video', () => pickFilm(page, 3000));
  await addWithoutSignal(page, 'audio', () => pick(page, [file('narration.wav', 'audio/wav', wav(12))]));
  const playsBoth = async () => {
    await page.getByRole('button', { name: 'Play narration' }).click();
    await expect(page.getByRole('slider', { name: 'Seek in narration' })).toHaveAttribute('aria-valuenow', /^[1-9]/);
    await page.getByRole('button', { name: /^light/ }).click();
    const film = sheet(page, /light$/).locator('video');
    await film.evaluate((video: HTMLVideoElement) => video.play());
    await expect
      .poll(() => film.evaluate((video: HTMLVideoElement) => [video.videoWidth, video.currentTime > 1]))
      .toEqual([640, true]);
    await page.keyboard.press('Escape');
    // The URL drops the open video a moment later; a reload before that would open it again.
    await expect(film).toBeHidden();
  };
  await playsBoth();
  await page.reload();
  await playsBoth();
  expect(await getOutbox(page)).not.toEqual([]);
});

test('keeps playing a video while its upload completes', { tag: '@full' }, async ({ phone, person, server }) => {
  const { page } = phone;
  await makeProfile(person);
  await withoutSignal(phone, person, server);
  await addWithoutSignal(page, 'video', () => pickFilm(page, 3000));

  await page.getByRole('button', { name: /^light/ }).click();
  const film = sheet(page, /light$/).locator('video');
  await film.evaluate((video: HTMLVideoElement) => {
    video.loop = true;
    video.addEventListener('emptied', () => (video.dataset.began = 'again'));
    return video.play();
  });
  await server.start();
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect.poll(() => getOutbox(page), { timeout: 30_000 }).toEqual([]);
  await expect(film).toHaveAttribute('poster', /^\/|^http/);
  expect(await film.evaluate((video: HTMLVideoElement) => [video.paused, video.dataset.began])).toEqual([
    false,
    undefined,
  ]);
});

test(
  'keeps the playback speed reachable when the video is wider than the window is high',
  { tag: '@full' },
  async ({ newDevice, person, server }) => {
    const desktop = await newDevice({ shape: 'desktop' });
    const { page } = desktop;
    await makeProfile(person);
    await withoutSignal(desktop, person, server);
    await addWithoutSignal(page, 'video', () => pickFilm(page, 1000));
    await page.getByRole('button', { name: /^light/ }).click();
    await expect(sheet(page, /light$/).getByLabel('Speed')).toBeInViewport({ ratio: 1 });
  },
);

test('corrects refused text in the form where it was typed', { tag: '@full' }, async ({ phone, person }) => {
  const { page, context } = phone;
  const profile = await makeProfile(person);
  phone.allowBrowserError(/status of 422/);
  await openSignedIn(page, person);
  const errors = { name: ['Another of yours has this name'] };
  await context.route(
    '**/submit/media-form',
    (route) => route.fulfill({ status: 422, json: { message: 'No', errors } }),
    {
      times: 1,
    },
  );
  await add(page, getMediaKind('document')!);
  const fixing = sheet(page, 'Edit document');
  await expect(fixing.getByText('Another of yours has this name')).toBeVisible({ timeout: 20_000 });
  await expect(fixing.getByLabel('Category')).toHaveValue('Drama');
  await fixing.getByLabel('Name').fill('The other monsoon');
  await fixing.getByRole('button', { name: 'Save' }).click();
  await expect(sheet(page, 'Your documents').getByText('Saved Successfully!')).toBeVisible({ timeout: 20_000 });
  const names = (await listOf(person, getMediaKind('document')!, profile.id)).map(({ name }) => name);
  expect(names.sort()).toEqual(['The Long Monsoon 2', 'The Long Monsoon 3', 'The other monsoon']);
});

for (const look of [
  { shape: 'phone', colorScheme: 'light' },
  { shape: 'desktop', colorScheme: 'dark' },
] as const) {
  test(
    `every media sheet is accessible: ${look.shape}, ${look.colorScheme}`,
    { tag: look.shape === 'desktop' ? ['@full'] : [] },
    async ({ person, newDevice }) => {
      await makeProfile(person);
      const { page } = await newDevice(look);
      await openSignedIn(page, person);
      // All five sheets use one form.
      for (const kind of isFull ? MEDIA_KINDS : MEDIA_KINDS.slice(0, 1)) {
        await openAdd(page, kind.title);
        const form = sheet(page, `Add ${kind.plural}`);
        const limit = LIMITS.fileBytes[kind.key];
        await expect(form.getByText(`Max ${limit / 1024 / 1024} MB files are allowed`)).toBeVisible();
        await expect(form.getByText(kind.typesText)).toBeVisible();
        await expect(form.getByText('Enter comma-separated values')).toBeVisible();
        const [good] = await makeFiles(kind.key);
        const wrong = file('notes-of-the-night.txt', 'text/plain', Buffer.from('No medium'));
        await pick(page, [good!, wrong]);
        // A file of more than 50 MB passes only through the page itself.
        if (kind.key !== 'video' && kind.key !== 'audio') {
          const name = `large.${good!.name.split('.').at(-1)}`;
          await pick(page, [{ ...good!, name, buffer: Buffer.alloc(limit + 1) }]);
          await expect(row(form, 'large.')).toContainText(`Over ${limit / 1024 / 1024} MB.`);
        }
        await expect(row(form, 'notes-of-the...')).toContainText(/Not .+ or .+\. Remove it/);
        await expect(form.getByText(/^Safe on this/)).toHaveCount(1);
        await form.getByLabel('Name').fill('');
        await form.getByRole('button', { name: 'Save' }).click();
        await expect(form.getByText('Enter a name')).toBeVisible();
        await expectAccessible(page);
        await form.getByRole('button', { name: 'Discard' }).click();
        await page
          .getByRole('alertdialog', { name: /^Discard these/ })
          .getByRole('button', { name: 'Discard' })
          .click();
        await expect(form).toHaveCount(0);
      }
      await expectAllSaved(page);
    },
  );
}
