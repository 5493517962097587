/**
 * `npm run screenshots`: pictures of the running app with its demo people, for install dialogs (public/screenshots, named in
 * the manifest) and the README. Run it after a visible change and commit the result.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { format } from 'prettier';
import sharp from 'sharp';
import { DEMO_SIGN_IN } from '#server/demo/seed.ts';
import { type Device, openDevice } from '#tests/e2e/support/device.ts';
import { appServer } from '#tests/e2e/support/server.ts';

const FOLDER = 'public/screenshots';
const MANIFEST = 'public/manifest.webmanifest';
/** Install dialogs ask for sharp pictures, but not for more than twice the screen's points. */
const DOTS_PER_POINT = 2;

const ACTOR = '/profile/meera-kulkarni/actor-performer';

interface Shot {
  name: string;
  form: 'narrow' | 'wide';
  label: string;
  /** Brings the page to what the picture shows. */
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

const shots: Shot[] = [
  { name: 'profile-wide', form: 'wide', label: 'Your profile on a computer', scene: (device) => device.open(ACTOR) },
  { name: 'profile-narrow', form: 'narrow', label: 'Your profile', scene: (device) => device.open(ACTOR) },
  {
    name: 'on-set-narrow',
    form: 'narrow',
    label: 'Edits made without signal stay on the phone',
    scene: async (device) => {
      await device.readyForOffline();
      await server.stop();
      await addSkillOnSet(device);
      await device.page.getByText('Sword fighting').first().scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'waiting-narrow',
    form: 'narrow',
    label: 'Changes waiting to be sent',
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

async function take(device: Device, { name, form, label, scene }: Shot) {
  await scene(device);
  const { page } = device;
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForLoadState('networkidle');
  // What lies below the window is not fetched yet.
  await page.waitForFunction(() =>
    [...document.images].every((image) => image.complete || image.getBoundingClientRect().top > innerHeight),
  );
  const src = `/screenshots/${name}.webp`;
  const picture = await page.screenshot({ scale: 'device' });
  const { width, height } = await sharp(picture).webp({ quality: 86, effort: 6 }).toFile(`public${src}`);
  return { src, sizes: `${width}x${height}`, type: 'image/webp', form_factor: form, label };
}

await mkdir(FOLDER, { recursive: true });
const taken: object[] = [];
for (const form of ['wide', 'narrow'] as const) {
  const device = await openDevice({
    url: server.url,
    shape: form === 'narrow' ? 'phone' : 'desktop',
    dotsPerPoint: DOTS_PER_POINT,
    hadNoServer: () => true,
  });
  await device.signInAs({ token });
  for (const shot of shots.filter((each) => each.form === form)) taken.push(await take(device, shot));
  await device.dispose();
}
await server.dispose();

const manifest = JSON.parse(await readFile(MANIFEST, 'utf8')) as object;
const text = JSON.stringify({ ...manifest, screenshots: taken });
await writeFile(MANIFEST, await format(text, { parser: 'json', printWidth: 120 }));
console.log(`Took ${taken.length} pictures`);
