import sharp from 'sharp';
import { randomBytes } from 'node:crypto';
import { startTcpProxy } from '#tests/e2e/support/tcp-proxy.ts';
import { makePerson, makeProfile } from '../tests/e2e/support/people.ts';
import { appServer } from '../tests/e2e/support/server.ts';
import { openEngine } from './engine-browser.ts';
import { atMost, type Figure, spread } from './figures.ts';

const CUTS = 3;
const SIDE = 1860;
/** A good mobile uplink. Without a limit, a whole chunk would be sent before a response could stop it. */
const BYTES_PER_SECOND = 2_000_000;

/** A picture of nearly 10 MB: noise does not compress. */
function makePicture(): Promise<Buffer> {
  const raw = { width: SIDE, height: SIDE, channels: 3 } as const;
  return sharp(randomBytes(SIDE * SIDE * 3), { raw })
    .png({ compressionLevel: 0 })
    .toBuffer();
}

/** Bytes sent to the server until the picture was attached, including the engine page and its other requests. */
async function sendThrough(port: number, picture: Buffer, cuts: number[]): Promise<number> {
  const tcpProxy = await startTcpProxy(port, BYTES_PER_SECOND);
  const person = await makePerson(tcpProxy.url);
  const profile = await makeProfile(person);
  const { device, page } = await openEngine(tcpProxy.url, person, { 'picture.png': picture });
  try {
    const before = tcpProxy.sentBytes();
    tcpProxy.cutAfterBytes(...cuts);
    await page.evaluate((id) => window.enginePage.upload(id, '/bench/picture.png'), String(profile.id));
    if (tcpProxy.cutCount() !== cuts.length) throw new Error(`${tcpProxy.cutCount()} of ${cuts.length} cuts were made`);
    const kept = await person.call<{ size: number }[]>('GET', `/media?profile_id=${profile.id}`);
    if (kept.body.length !== 1) throw new Error(`The server has ${kept.body.length} pictures in place of one`);
    return tcpProxy.sentBytes() - before;
  } finally {
    await device.dispose();
    await tcpProxy.close();
  }
}

/**
 * Measures the cost of interruptions: a 10 MB picture whose connection is destroyed three times within a chunk, against
 * one without.
 */
export async function measureUploading({ runs }: { runs: number }): Promise<Figure[]> {
  const server = await appServer();
  await server.start();
  const picture = await makePicture();
  const share = (bytes: number) => ((bytes - picture.length) * 100) / picture.length;
  const ours: number[] = [];
  const bare: number[] = [];
  try {
    for (let run = 0; run < runs; run += 1) {
      // No two runs cut at the same byte, and no cut falls between two chunks.
      const cuts = Array.from({ length: CUTS }, (_, n) => 1_700_000 + 450_001 * n + 70_001 * run);
      ours.push(share(await sendThrough(server.port, picture, cuts)));
      bare.push(share(await sendThrough(server.port, picture, [])));
    }
  } finally {
    await server.dispose();
  }
  return [
    {
      part: `Uploading ${(picture.length / 1_000_000).toFixed(1)} MB at ${BYTES_PER_SECOND / 1_000_000} MB/s`,
      name: `sent beyond the file's bytes, ${CUTS} cuts inside a piece`,
      unit: '%',
      value: spread(ours),
      peer: { name: 'no cut', value: spread(bare) },
      bar: atMost(5),
    },
  ];
}
