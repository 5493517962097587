import { expect, test } from './support/test.ts';

interface Manifest {
  id: string;
  name: string;
  short_name: string;
  description: string;
  start_url: string;
  scope: string;
  display: string;
  theme_color: string;
  background_color: string;
  icons: { src: string; sizes: string; purpose: string }[];
  shortcuts: { url: string }[];
  screenshots: { src: string; sizes: string; form_factor: string; label: string }[];
}

test('meets the browser’s criteria for installing', async ({ ownPhone: phone }) => {
  await phone.open('/');
  await phone.readyForOffline();
  const session = await phone.context.newCDPSession(phone.page);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  expect(installabilityErrors).toEqual([]);
});

test('names the app in the manifest, and serves every file that it lists', async ({ phone, server }) => {
  await phone.open('/');
  const address = await phone.page.locator('link[rel=manifest]').getAttribute('href');
  const manifest = (await (await fetch(new URL(address ?? '', server.url))).json()) as Manifest;
  expect(manifest).toMatchObject({
    id: '/',
    name: 'Callboard',
    short_name: 'Callboard',
    scope: '/',
    display: 'standalone',
  });
  expect(manifest.description).not.toBe('');
  expect(manifest.theme_color).toBe(manifest.background_color);
  expect(manifest.icons.map((icon) => icon.purpose)).toEqual(expect.arrayContaining(['any', 'maskable', 'monochrome']));
  expect(manifest.icons.map((icon) => icon.sizes)).toEqual(expect.arrayContaining(['192x192', '512x512']));
  expect(new Set(manifest.screenshots.map((shot) => shot.form_factor))).toEqual(new Set(['narrow', 'wide']));

  const touchIcon = await phone.page.locator('link[rel=apple-touch-icon]').getAttribute('href');
  const files = [...manifest.icons, ...manifest.screenshots].map((file) => file.src).concat(touchIcon ?? 'none');
  const sizes = new Map([...manifest.icons, ...manifest.screenshots].map((file) => [file.src, file.sizes]));
  for (const src of files) {
    const shown = await phone.page.evaluate(async (url) => {
      const picture = new Image();
      picture.src = url;
      await picture.decode();
      return `${picture.naturalWidth}x${picture.naturalHeight}`;
    }, src);
    if (sizes.get(src) !== 'any') expect([src, shown]).toEqual([src, sizes.get(src) ?? '180x180']);
  }
});
