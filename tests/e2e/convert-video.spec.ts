import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import type { SyncPage } from '#contract/records/sync.ts';
import { tapeRecord } from '#contract/records/tapes.ts';
import { expectAccessibleInBothSchemes } from './support/axe.ts';
import { ask, makeRole } from './support/casting.ts';
import { countMedia } from './support/client-store.ts';
import type { Device } from './support/device.ts';
import { buildFilm, encodeSecond, LARGE } from './support/film.ts';
import { makePerson, makeProfile, type Person } from './support/people.ts';
import { expect, test } from './support/test.ts';

const MB = 1024 * 1024;
/** A large video takes longer to encode than to play. */
const MADE = { timeout: 150_000 };

const tapeSheet = (page: Page) => page.getByRole('dialog', { name: 'Tape for Naseem' });

interface Asked {
  person: Person;
  phone: Device;
  url: string;
}

/** Opens the tape sheet of a performer who was asked for a tape, with what makes videos smaller loaded. */
async function openTapeSheet({ person, phone, url }: Asked): Promise<{ performer: Person; address: string }> {
  const performer = await makePerson(url);
  await makeProfile(person, { title: 'Casting director' });
  const profile = await makeProfile(performer, { title: 'Actor' });
  const role = await makeRole(person);
  const { id } = await ask(person, role.id, profile.id, { takes: 5 });
  await phone.signInForOffline(performer);
  await phone.open('/auditions');
  await expect(phone.page.getByRole('link', { name: /Naseem/ })).toBeVisible();
  const address = `/auditions/${id}?tape=`;
  await phone.open(address);
  await expect(tapeSheet(phone.page)).toBeVisible();
  return { performer, address };
}

const pick = (page: Page, name: string, buffer: Buffer) =>
  page.getByTestId('takes').setInputFiles({ name, mimeType: 'video/mp4', buffer });

/** Sends the tape, and returns its files as the server has them, in order. */
async function send(page: Page, performer: Person, url: string): Promise<Buffer[]> {
  await tapeSheet(page)
    .getByRole('button', { name: /^Send \d/ })
    .click();
  const read = async () => {
    const { body } = await performer.call<SyncPage>('GET', '/sync');
    return body.records.filter(({ type }) => type === 'tape').map((record) => tapeRecord.parse(record.body))[0];
  };
  await expect.poll(async () => (await read())?.arrived_at ?? null, { timeout: 60_000 }).not.toBeNull();
  const paths = (await read())!.takes.map(({ path }) => path!);
  const headers = { Authorization: `Bearer ${performer.token}` };
  return Promise.all(
    paths.map(async (path) => Buffer.from(await (await fetch(url + path, { headers })).arrayBuffer())),
  );
}

const openFile = (bytes: Uint8Array) => new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });

async function describeVideo(bytes: Uint8Array) {
  const input = openFile(bytes);
  const video = (await input.getPrimaryVideoTrack())!;
  const size = [await video.getDisplayWidth(), await video.getDisplayHeight()];
  return { codec: await video.getCodec(), size, seconds: await input.computeDuration() };
}

/** The SHA-256 of each picture, in order. */
async function getDigests(bytes: Uint8Array): Promise<string[]> {
  const digests: string[] = [];
  for await (const { data } of new EncodedPacketSink((await openFile(bytes).getPrimaryVideoTrack())!).packets()) {
    digests.push(createHash('sha256').update(data).digest('hex'));
  }
  return digests;
}

/** The film with pictures of a kind that no browser of the test decodes. */
function withOtherPictures(film: Buffer): Buffer {
  const copy = Buffer.from(film);
  const index = copy.indexOf('stsd');
  copy.write('hvc1', copy.indexOf('avc1', index), 'latin1');
  copy.write('hvcC', copy.indexOf('avcC', index), 'latin1');
  return copy;
}

test(
  'makes a large video smaller before it is sent, can be paused, and keeps the original until the copy is there',
  { tag: '@full' },
  async ({ server, person, newDevice }) => {
    test.setTimeout(300_000);
    const phone = await newDevice();
    const { page } = phone;
    const { performer, address } = await openTapeSheet({ person, phone, url: server.url });
    const film = buildFilm(await encodeSecond(page, LARGE), 8 * MB, 'at the end');
    const original = await describeVideo(film);
    expect(original.size).toEqual([1920, 1080]);
    await pick(page, 'IMG_2041.mp4', film);

    await expect(tapeSheet(page).getByText(/^Making it smaller, [1-9]/)).toBeVisible({ timeout: 60_000 });
    await tapeSheet(page).getByRole('button', { name: 'Pause IMG_2041.mp4' }).click();
    await expect(tapeSheet(page).getByText(/^Paused at \d+%$/)).toBeVisible();
    await expectAccessibleInBothSchemes(page);
    await tapeSheet(page).getByRole('button', { name: 'Send', exact: true }).click();
    await expect(tapeSheet(page).getByText('A take is not ready yet. Wait a moment.')).toBeVisible();

    // The page ends in the middle of it: the original is still there, and its copy is begun again.
    await phone.open('about:blank');
    await phone.open(address);
    await expect(tapeSheet(page).getByText(/^Making it smaller, /)).toBeVisible({ timeout: 60_000 });
    await expect(tapeSheet(page).getByText('Safe on this phone', { exact: true })).toBeVisible(MADE);
    // The original is gone once its copy is stored.
    await expect.poll(() => countMedia(page)).toBe(1);

    const [sent] = await send(page, performer, server.url);
    const copy = await describeVideo(sent!);
    expect(copy).toMatchObject({ codec: 'avc', size: [1280, 720] });
    expect(Math.abs(copy.seconds - original.seconds)).toBeLessThan(0.1);
    // Encoders come near to the rate that they are asked for, here 2.5 Mbit/s.
    expect((sent!.length * 8) / copy.seconds).toBeLessThan(3_500_000);
    expect(sent!.indexOf('moov')).toBeLessThan(sent!.indexOf('mdat'));
  },
);

test(
  'leaves a small video as it is, moves an index to the front without touching a picture, and sends what it cannot decode',
  { tag: '@full' },
  async ({ server, person, newDevice }) => {
    test.setTimeout(240_000);
    const phone = await newDevice();
    const { page } = phone;
    const { performer } = await openTapeSheet({ person, phone, url: server.url });
    // The library says what is wrong with the pictures that it cannot read.
    phone.allowBrowserError(/HEVC Decoder Configuration/);
    const second = await encodeSecond(page);
    const small = buildFilm(second, MB, 'in front');
    const behind = buildFilm(second, MB, 'at the end');
    const other = withOtherPictures(small);
    for (const [n, [name, bytes]] of [
      ['small.mp4', small] as const,
      ['behind.mp4', behind] as const,
      ['other.mp4', other] as const,
    ].entries()) {
      await pick(page, name, bytes);
      await expect(tapeSheet(page).getByText(/^Safe on this phone/)).toHaveCount(n + 1, MADE);
    }
    await expect(tapeSheet(page).getByText('This phone can’t make it smaller, so the original is sent.')).toHaveCount(
      1,
    );

    const [first, moved, kept] = await send(page, performer, server.url);
    expect(first!.equals(small)).toBe(true);
    expect(kept!.equals(other)).toBe(true);
    expect(moved!.indexOf('moov')).toBeLessThan(moved!.indexOf('mdat'));
    expect(await getDigests(moved!)).toEqual(await getDigests(behind));
  },
);

/** Records the page's own pictures and tones, as Firefox does. @returns the bytes as base64 */
const recordWebm = (page: Page) =>
  page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [320, 240];
    const context = canvas.getContext('2d')!;
    const audio = new AudioContext();
    const [tone, output] = [audio.createOscillator(), audio.createMediaStreamDestination()];
    tone.connect(output);
    tone.start();
    const stream = new MediaStream([...canvas.captureStream(25).getTracks(), ...output.stream.getTracks()]);
    const recorder = new MediaRecorder(stream, { mimeType: 'video/webm;codecs=vp8,opus' });
    const slices: Blob[] = [];
    recorder.addEventListener('dataavailable', ({ data }) => slices.push(data));
    const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve));
    recorder.start(500);
    const endsAt = performance.now() + 3000;
    await new Promise<void>((resolve) => {
      const draw = () => {
        context.fillStyle = `hsl(${performance.now() % 360} 80% 50%)`;
        context.fillRect(0, 0, canvas.width, canvas.height);
        if (performance.now() < endsAt) requestAnimationFrame(draw);
        else resolve();
      };
      draw();
    });
    recorder.stop();
    await stopped;
    return new Uint8Array(await new Blob(slices).arrayBuffer()).toBase64();
  });

test(
  'sends a WebM as it is where nothing that converts it is loaded, and the server takes it',
  { tag: '@full' },
  async ({ server, person, newDevice }) => {
    test.setTimeout(180_000);
    // Another test may have left the code on a device.
    const phone = await newDevice({ isFirstVisit: true });
    const { page } = phone;
    await page.route(/take-finisher/, (route) => route.abort());
    await phone.context.route(/take-finisher/, (route) => route.abort());
    const { performer } = await openTapeSheet({ person, phone, url: server.url });
    const film = Buffer.from(await recordWebm(page), 'base64');
    await page.getByTestId('takes').setInputFiles({ name: 'take.webm', mimeType: 'video/webm', buffer: film });
    await expect(tapeSheet(page).getByText(/^Safe on this phone/)).toBeVisible(MADE);

    const [sent] = await send(page, performer, server.url);
    // Only the name of the browser is blanked.
    expect(sent!.length).toBe(film.length);
    expect(await describeVideo(sent!)).toMatchObject({ codec: 'vp8', size: [320, 240] });
    expect(await getDigests(sent!)).toEqual(await getDigests(film));
  },
);
