import sharp from 'sharp';
import { ON_THIS_DEVICE, card, sheet } from './support/actions.ts';
import { expectAccessible } from './support/axe.ts';
import { getOutbox } from './support/client-store.ts';
import { makeProfile } from './support/people.ts';
import type { Picture } from './support/pictures.ts';
import { expect, test } from './support/test.ts';

const WIDE = { width: 1000, height: 500 };

/** Red on the left, green in the middle, blue on the right: the colors reveal which part was cropped. */
async function threeColours(name: string, kind: 'png' | 'webp'): Promise<Picture> {
  const bar = (background: string, left: number, width: number) => ({
    input: { create: { width, height: WIDE.height, channels: 3 as const, background } },
    left,
    top: 0,
  });
  const whole = sharp({ create: { ...WIDE, channels: 3, background: '#00ff00' } }).composite([
    bar('#ff0000', 0, 300),
    bar('#0000ff', 700, 300),
  ]);
  return { name, mimeType: `image/${kind}`, buffer: await whole[kind]().toBuffer() };
}

/** The color halfway down the left and right edge of an upright picture: 'r', 'g' or 'b'. */
async function edges(bytes: Buffer): Promise<string[]> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  expect(info.width / info.height).toBeCloseTo(4 / 5, 2);
  const at = (x: number) => {
    const from = (Math.floor(info.height / 2) * info.width + x) * info.channels;
    const colour = [data[from] ?? 0, data[from + 1] ?? 0, data[from + 2] ?? 0];
    return 'rgb'[colour.indexOf(Math.max(...colour))] ?? '';
  };
  return [at(3), at(info.width - 4)];
}

for (const shape of ['phone', 'desktop'] as const) {
  test(
    `crops a portrait by pointer, keys and slider: ${shape}`,
    { tag: '@full' },
    async ({ person, server, newDevice }) => {
      const { id } = await makeProfile(person);
      const device = await newDevice({ shape, colorScheme: shape === 'phone' ? 'light' : 'dark' });
      const { page } = device;
      device.allowBrowserError(/ERR_INTERNET_DISCONNECTED/);
      await device.signInAs(person);
      await device.open('/');
      const stored = async () => {
        const { body } = await person.call<{ profile_photo: string | null }>('GET', `/profile/details/${id}`);
        if (body.profile_photo === null) return null;
        const answer = await fetch(new URL(body.profile_photo, server.url));
        // Another picture may have replaced it between the two requests.
        if (answer.status === 404) return null;
        return edges(Buffer.from(await answer.arrayBuffer()));
      };
      const pick = async (button: string, picture: Picture) => {
        const choosing = page.waitForEvent('filechooser');
        await page.getByRole('button', { name: button, exact: true }).click();
        await (await choosing).setFiles(picture);
        await expect(sheet(page, 'Profile photo').getByRole('slider', { name: 'Zoom' })).toBeEnabled();
      };
      const crop = sheet(page, 'Profile photo');
      const frame = crop.getByRole('group', { name: 'The part you keep' });

      await test.step('drags to the right edge', async () => {
        await pick('Add photo', await threeColours('three.png', 'png'));
        await expectAccessible(page);
        const box = await frame.boundingBox();
        if (!box) throw new Error('The crop frame is not rendered');
        const y = box.y + box.height / 2;
        await page.mouse.move(box.x + box.width - 10, y);
        await page.mouse.down();
        await page.mouse.move(box.x - 300, y, { steps: 8 });
        await page.mouse.up();
        await crop.getByRole('button', { name: 'Use photo' }).click();
        await expect(crop).toHaveCount(0);
        await expect(page.getByRole('complementary', { name: 'Message' })).toContainText('Avatar uploaded!');
        expect(await stored()).toEqual(['g', 'b']);
      });

      await test.step('crops a WebP by keys alone', async () => {
        await pick('Change photo', await threeColours('three.webp', 'webp'));
        await frame.focus();
        for (let n = 0; n < 20; n += 1) await page.keyboard.press('ArrowRight');
        await page.keyboard.press('+');
        await page.keyboard.press('-');
        await crop.getByRole('button', { name: 'Use photo' }).click();
        await expect.poll(stored).toEqual(['r', 'g']);
      });

      await test.step('zooms by the slider and moves by the buttons, offline', async () => {
        await device.readyForOffline();
        await device.context.setOffline(true);
        await pick('Change photo', await threeColours('three.png', 'png'));
        await crop.getByRole('slider', { name: 'Zoom' }).focus();
        await page.keyboard.press('End');
        await crop.getByRole('button', { name: 'Move left' }).click();
        await crop.getByRole('button', { name: 'Use photo' }).click();
        await expect(card(page, 'You').getByText(ON_THIS_DEVICE)).toBeVisible();
        await device.context.setOffline(false);
        await expect.poll(stored, { timeout: 20_000 }).toEqual(['g', 'g']);
      });
    },
  );
}

test('zooms a portrait by a pinch and moves it by one finger', async ({ person, phone }) => {
  await makeProfile(person);
  const { page } = phone;
  await phone.signInAs(person);
  await phone.open('/');
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add photo', exact: true }).click();
  await (await choosing).setFiles(await threeColours('three.png', 'png'));
  const crop = sheet(page, 'Profile photo');
  const zoom = crop.getByRole('slider', { name: 'Zoom' });
  await expect(zoom).toBeEnabled();
  const image = crop.getByRole('img', { name: 'Your picture' });
  const box = await crop.getByRole('group', { name: 'The part you keep' }).boundingBox();
  if (!box) throw new Error('The crop frame is not rendered');
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const touch = await page.context().newCDPSession(page);
  const at = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...distances: number[]) =>
    touch.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: distances.map((distance) => ({ x: middle.x + distance, y: middle.y })),
    });

  await at('touchStart', -20, 20);
  await at('touchMove', -30, 30);
  await at('touchMove', -40, 40);
  await at('touchEnd');
  await expect(zoom).toHaveValue('2');
  // What was between the fingers stays there.
  const zoomed = await image.boundingBox();
  expect(zoomed!.x + zoomed!.width / 2).toBeCloseTo(middle.x, 0);

  await at('touchStart', 0);
  await at('touchMove', 30);
  await at('touchMove', 60);
  await at('touchEnd');
  const moved = await image.boundingBox();
  expect(moved!.x - zoomed!.x).toBeCloseTo(60, 0);
  expect(moved!.width).toBeCloseTo(zoomed!.width, 0);
});

test('refuses a file that is not a picture, with the reason', async ({ person, newDevice }) => {
  await makeProfile(person);
  const device = await newDevice();
  const { page } = device;
  await device.signInAs(person);
  await device.open('/');
  const choose = async (file: Picture) => {
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add photo', exact: true }).click();
    await (await choosing).setFiles(file);
  };
  await choose({ name: 'cv.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') });
  await expect(page.getByRole('complementary', { name: 'Message' })).toContainText(
    'Choose a JPEG, PNG or WebP picture',
  );
  await choose({ name: 'broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('not a picture') });
  await expect(sheet(page, 'Profile photo')).toContainText('This picture could not be opened.');
  await page.keyboard.press('Escape');
  await expect(sheet(page, 'Profile photo')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Add photo', exact: true })).toBeVisible();
});

test(
  'a portrait that was discarded while it was being cut is not sent',
  { tag: '@full' },
  async ({ person, phone }) => {
    const { id } = await makeProfile(person);
    const { page } = phone;
    phone.allowBrowserError(/ERR_INTERNET_DISCONNECTED/);
    await phone.signInForOffline(person);
    await phone.open('/');
    await phone.context.setOffline(true);
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add photo', exact: true }).click();
    await (await choosing).setFiles(await threeColours('three.png', 'png'));
    const crop = sheet(page, 'Profile photo');
    await expect(crop.getByRole('slider', { name: 'Zoom' })).toBeEnabled();
    // A large photo takes seconds to decode.
    const decoding = await page.evaluateHandle(() => {
      const decode = globalThis.createImageBitmap;
      const { toBlob } = HTMLCanvasElement.prototype;
      const { promise: goOn, resolve: finish } = Promise.withResolvers<void>();
      const { promise: isCut, resolve: tellCut } = Promise.withResolvers<void>();
      globalThis.createImageBitmap = (...args: unknown[]) =>
        goOn.then(() => (decode as (...given: unknown[]) => Promise<ImageBitmap>)(...args));
      HTMLCanvasElement.prototype.toBlob = function (callback, ...rest) {
        toBlob.call(
          this,
          (blob) => {
            callback(blob);
            tellCut();
          },
          ...rest,
        );
      };
      return { finish, isCut };
    });
    await crop.getByRole('button', { name: 'Use photo' }).click();
    await expect(crop.getByRole('button', { name: 'Cropping…' })).toBeVisible();
    await crop.getByRole('button', { name: 'Discard' }).click();
    await expect(crop).toHaveCount(0);
    await decoding.evaluate(async ({ finish, isCut }) => {
      finish();
      await isCut;
    });
    // Sent or not, a portrait that is taken shows how far it is stored.
    await expect(page.getByRole('button', { name: 'Add photo', exact: true })).toBeVisible();
    await phone.open('/');
    expect(await getOutbox(page)).toEqual([]);
    await phone.context.setOffline(false);
    const { body } = await person.call<{ profile_photo: string | null }>('GET', `/profile/details/${id}`);
    expect(body.profile_photo).toBeNull();
  },
);
