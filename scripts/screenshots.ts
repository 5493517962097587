/**
 * `npm run screenshots`: takes pictures of the running app with its demo people for install dialogs
 * (public/screenshots, listed in the manifest), the README and the guides in Help (public/guides). Run it after a
 * visible change and commit the result.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { format } from 'prettier';
import sharp from 'sharp';
import { DEMO_SIGN_IN } from '#server/demo/seed.ts';
import { type Device, openDevice } from '#tests/e2e/support/device.ts';
import { appServer } from '#tests/e2e/support/server.ts';

const FOLDER = 'public/screenshots';
const GUIDES_FOLDER = 'public/guides';
const MANIFEST = 'public/manifest.webmanifest';
/** Device pixels per CSS pixel. Install dialogs need sharp pictures, but at most this ratio. */
const DOTS_PER_POINT = 2;

const ACTOR = '/profile/meera-kulkarni/actor-performer';

/** Viewport height of guide pictures in CSS pixels. */
const GUIDE_HEIGHT = 560;
/** Width of guide pictures in pixels. Every phone caches them with the app, so they are small. */
const GUIDE_WIDTH = 624;

interface Shot {
  form: 'narrow' | 'wide';
  /** The picture for an install dialog. */
  dialog?: { name: string; label: string };
  /** The name of the picture for a guide. */
  guide?: string;
  /** Brings the page into the state of the picture. */
  scene: (device: Device) => Promise<unknown>;
}

/** Adds a skill with the server stopped, as on a set without signal. */
async function addSkillOnSet({ page }: Device): Promise<void> {
  await page.getByRole('button', { name: 'Add to Skills' }).click();
  await page.getByRole('textbox', { name: 'Skill' }).fill('Sword fighting');
  await page.getByText('Expert', { exact: true }).last().click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('On this phone').first().waitFor();
}

/** Retries until the demo people exist: the server adds them within a minute after the start. */
async function searchPeople(device: Device): Promise<void> {
  const people = device.page.getByRole('list', { name: 'People' }).getByRole('listitem');
  const enough = people.nth(9);
  for (let attempt = 0; attempt < 30; attempt += 1) {
    await device.open('/search?q=actor');
    if (
      await enough.waitFor({ timeout: 4000 }).then(
        () => true,
        () => false,
      )
    )
      return;
  }
  throw new Error(`The demo people did not appear: found ${await people.count()}`);
}

const shots: Shot[] = [
  {
    form: 'wide',
    dialog: { name: 'profile-wide', label: 'Your profile on a computer' },
    scene: (device) => device.open(ACTOR),
  },
  { form: 'narrow', guide: 'search', scene: searchPeople },
  { form: 'narrow', guide: 'page', scene: (device) => device.open('/profile/ananya-chatterjee/actor-performer') },
  {
    form: 'narrow',
    dialog: { name: 'profile-narrow', label: 'Your profile' },
    scene: (device) => device.open(ACTOR),
  },
  {
    form: 'narrow',
    dialog: { name: 'on-set-narrow', label: 'Edits made without signal stay on the phone' },
    guide: 'on-set',
    scene: async (device) => {
      await device.readyForOffline();
      await server.stop();
      await addSkillOnSet(device);
      await device.page.getByText('Sword fighting').first().scrollIntoViewIfNeeded();
    },
  },
  {
    form: 'narrow',
    dialog: { name: 'waiting-narrow', label: 'Changes waiting to be sent' },
    guide: 'waiting',
    scene: (device) => device.open('/waiting'),
  },
];

const server = await appServer({ SEED_DEMO: '1' });
await server.start();
const signedIn = await fetch(`${server.url}/login`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'XMLHttpRequest', Accept: 'application/json' },
  body: JSON.stringify(DEMO_SIGN_IN),
});
const { token } = (await signedIn.json()) as { token: string };

/** Takes the pictures of one scene. Returns null when none of them is for install dialogs. */
async function take(device: Device, { form, dialog, guide, scene }: Shot): Promise<object | null> {
  await scene(device);
  const { page } = device;
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForLoadState('networkidle');
  // Content below the viewport has not loaded yet.
  await page.waitForFunction(() =>
    [...document.images].every((image) => image.complete || image.getBoundingClientRect().top > innerHeight),
  );
  const picture = sharp(await page.screenshot({ scale: 'device' }));
  if (guide !== undefined) {
    const above = { left: 0, top: 0, width: 390 * DOTS_PER_POINT, height: GUIDE_HEIGHT * DOTS_PER_POINT };
    const part = await picture
      .clone()
      .extract(above)
      .resize({ width: GUIDE_WIDTH })
      .webp({ quality: 70, effort: 6 })
      .toBuffer();
    await writeFile(`${GUIDES_FOLDER}/${guide}.webp`, part);
  }
  if (!dialog) return null;
  const src = `/screenshots/${dialog.name}.webp`;
  const { width, height } = await picture.webp({ quality: 86, effort: 6 }).toFile(`public${src}`);
  return { src, sizes: `${width}x${height}`, type: 'image/webp', form_factor: form, label: dialog.label };
}

await mkdir(FOLDER, { recursive: true });
await mkdir(GUIDES_FOLDER, { recursive: true });
const taken: (object | null)[] = [];
for (const form of ['wide', 'narrow'] as const) {
  const device = await openDevice({
    url: server.url,
    shape: form === 'narrow' ? 'phone' : 'desktop',
    deviceScaleFactor: DOTS_PER_POINT,
    wasServerDown: () => true,
  });
  await device.signInAs({ token });
  for (const shot of shots.filter((each) => each.form === form)) taken.push(await take(device, shot));
  await device.dispose();
}
await server.dispose();

const manifest = JSON.parse(await readFile(MANIFEST, 'utf8')) as object;
const text = JSON.stringify({ ...manifest, screenshots: taken.filter((each) => each !== null) });
await writeFile(MANIFEST, await format(text, { parser: 'json', printWidth: 120 }));
console.log(`Took ${taken.length} pictures`);
