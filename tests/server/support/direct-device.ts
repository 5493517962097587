import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import type { Media } from '#contract/records/media.ts';
import { DirectPhone } from './direct-phone.ts';
import { useTwoPerformers } from './files.ts';
import { mp4 } from './media-files.ts';
import { startS3Server } from './s3-server.ts';
import { isPresigned } from './s3-signature.ts';
import { toEnv } from './store.ts';

export const MIB = 1024 * 1024;

/** What becomes of the n-th request of a device to the bucket; false lets it through. */
export type Disturbance = (n: number, destroy: () => void, answer: (status: number) => void) => boolean;

/** Whether this answers a device, not the server. */
export const isByDevice = ({ req }: ServerResponse) => isPresigned(req.url ?? '');

/** A server with a bucket, and before each test a phone with nothing on it that may send large videos there. */
export async function useDirectDevice() {
  const s3 = await startS3Server();
  const testServer = useTwoPerformers({ env: toEnv({ ...s3.settings, direct: {} }) });
  /** Four parts of 5 MiB, the last of them smaller. */
  const film = mp4({ pictures: randomBytes(17 * MIB) });
  const device = {
    s3,
    testServer,
    film,
    phone: null as unknown as DirectPhone,
    /** Waits until everything is sent. @param during runs again and again meanwhile */
    waitUntilSent: (during: () => Promise<unknown> = () => Promise.resolve()) =>
      expect
        .poll(
          async () => {
            await during();
            device.phone.engine.wake('online');
            return device.phone.db.outbox.count();
          },
          { timeout: 60_000, interval: 100 },
        )
        .toBe(0),
    /** The stored film of the newest item in the portfolio. */
    async fetchNewest(): Promise<Buffer> {
      const { nell } = testServer;
      const { body } = await testServer.call<Media[]>(`GET /media/video?profile_id=${nell.profileId}`, nell);
      const newest = body.toSorted((one, other) => Number(other.id) - Number(one.id))[0]!;
      const answer = await fetch(testServer.url + newest.path, { headers: { authorization: `Bearer ${nell.token}` } });
      return Buffer.from(await answer.arrayBuffer());
    },
    /** The numbers of the parts that were sent, in order. */
    sentParts: () => s3.direct.map(({ url }) => Number(new URL(url, 'http://s3').searchParams.get('partNumber'))),
    countPieces: () => device.phone.requests.filter((request) => request === 'PATCH uploads').length,
    /** Refuses the bytes of devices as `how` says, until it returns false. */
    disturb(how: Disturbance): void {
      let n = 0;
      s3.intercept = ({ response }) => {
        if (!isByDevice(response)) return false;
        n += 1;
        return how(
          n,
          () => void response.socket?.destroy(),
          (status) => void response.writeHead(status).end(),
        );
      };
    },
  };
  beforeEach(async () => {
    s3.intercept = () => false;
    s3.now = () => new Date();
    s3.direct.length = 0;
    const phone = new DirectPhone(testServer.nell, testServer.url);
    device.phone = phone;
    // A server that is quick: the file is checked before the device wants to attach it.
    phone.onComplete = () => testServer.runJobs();
    phone.open();
    await phone.engine.pull();
    await phone.learnLimits();
  });
  afterEach(() => device.phone.close());
  afterAll(() => s3.close());
  return device;
}
