import { expect, it } from 'vitest';
import { TAKE_STRIP_BASE64_CHARS } from '#contract/casting/take-strip.ts';
import { announceBody } from '#contract/records/tapes.ts';
import { sendTape } from '#sync/queue/tapes.ts';
import { mediaFile } from '../support/media-file.ts';
import { bodyOf, useSendingDevice } from './sending-device.ts';

const device = useSendingDevice();
const SMALL = crypto.randomUUID();
const LARGE = crypto.randomUUID();
const PLAIN = crypto.randomUUID();

async function putFile(id: string, thumbBytes: number | null, stripBytes?: number): Promise<void> {
  const file = mediaFile({ id, name: 'take.mp4', type: 'video/mp4', size: 2500 });
  const toPicture = (bytes: number) => new Uint8Array(bytes).fill(255).buffer;
  const thumb = thumbBytes === null ? {} : { thumb: toPicture(thumbBytes) };
  const strip = stripBytes === undefined ? {} : { strip: toPicture(stripBytes) };
  await device.db.media.put({ ...file, ...thumb, ...strip });
}

it('sends the pictures of each take with the announcement, but no poster of more than 60 kB', async () => {
  await putFile(SMALL, 60_000, 40_000);
  await putFile(LARGE, 60_001);
  await putFile(PLAIN, null);
  const takes = [SMALL, LARGE, PLAIN].map((mediaId) => ({ mediaId, name: 'take.mp4', label: null }));
  await sendTape(device.ports, {
    auditionId: '3',
    takes,
    cv: null,
    note: null,
    noLinks: false,
    title: 'Naseem, The Salt Road',
  });
  device.answer = () => ({ status: 503, body: { message: 'Later' } });
  await device.drain();
  const [announcement] = device.sent.filter(({ path }) => path === '/auditions/tapes');
  const sent = announceBody.parse(bodyOf(announcement!));
  expect(sent.takes.map(({ upload_id, poster, strip }) => [upload_id, poster?.length, strip?.length])).toEqual([
    [SMALL, 80_000, TAKE_STRIP_BASE64_CHARS],
    [LARGE, undefined, undefined],
    [PLAIN, undefined, undefined],
  ]);
  // What waits on the device has no copies of the pictures.
  expect(JSON.stringify(await device.rows()).length).toBeLessThan(10_000);
});

it('leaves a tape alone that the server knows already, for which there is no update', async () => {
  await putFile(SMALL, null);
  const takes = [{ mediaId: SMALL, name: 'take.mp4', label: null }];
  const note = 'The second one is better.';
  await sendTape(device.ports, { auditionId: '3', takes, cv: null, note, noLinks: true, title: 'Naseem' });
  device.answer = ({ path }) => {
    if (path !== '/auditions/tapes') return { status: 503, body: { message: 'Later' } };
    const kept = { id: '9', request_id: '3', client_id: null, version: 1, note: null };
    return { status: 200, body: { message: 'Announced', data: { ...kept, takes: [{ id: '1', name: 'take.mp4' }] } } };
  };
  await device.drain();
  expect((await device.rows()).map(({ kind, type }) => `${kind} ${type}`)).toEqual(['upload upload', 'act tape']);
});
