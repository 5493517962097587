import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '#server/platform/db/connect.ts';
import { newFileKey, type Storage } from '#server/platform/storage/storage.ts';
import { removeUnreferenced } from '#server/platform/storage/sweep.ts';
import { readRequestBody, type BodyReader } from './request-body.ts';
import type { Upload, UploadStore } from './store.ts';

/** Received bytes are recorded in parts of this size, so that after a crash the sender repeats at most one part. */
const PART_BYTES = 1024 * 1024;
/** Far more parts than an upload of this length needs, even if the connection breaks every few seconds. */
const getMaxParts = ({ lengthBytes }: Upload) => 2000 + Math.ceil((4 * lengthBytes) / PART_BYTES);
const IDLE_TIMEOUT_MS = 20_000;
/** A connection this idle may be dead; another request may then take over its upload. */
const TAKEOVER_IDLE_MS = 1_000;
/** A status request waits at most this long for bytes that are still being received. */
const STATUS_WAIT_MS = 3_000;

export type Receipt =
  /** The whole body was received; `upload` is the current state. */
  | { kind: 'received'; upload: Upload }
  /** The connection broke; bytes before that were recorded. */
  | { kind: 'cut'; upload: Upload }
  /** Another request is currently sending this upload. */
  | { kind: 'busy' }
  /** The request's offset differs from the upload's; nothing was recorded. */
  | { kind: 'elsewhere'; offsetBytes: number }
  /** More bytes than announced; parts within the announced length were recorded. */
  | { kind: 'too many' }
  | { kind: 'gone' };

interface Receiving {
  arrival: BodyReader;
  done: Promise<unknown>;
}

/**
 * Receives the bytes of uploads and stores them as parts. Each part is a file that is written and synced first, and then recorded on
 * condition that the upload's offset is still where the part begins. Recorded bytes are therefore durable, two senders can
 * never interleave, on one node or several, and a crash between file and record only leaves an unreferenced file.
 */
export function uploadReceiver(db: Db, store: UploadStore, storage: Storage) {
  const receiving = new Map<string, Receiving>();

  async function* nextPart(arrival: BodyReader) {
    let left = PART_BYTES;
    while (left > 0) {
      const bytes = await arrival.read(left);
      if (bytes === null) return;
      left -= bytes.byteLength;
      yield bytes;
    }
  }

  async function takeParts(upload: Upload, arrival: BodyReader): Promise<Receipt> {
    let current = upload;
    while (await arrival.hasMore()) {
      const key = newFileKey();
      const sizeBytes = await storage.write(key, nextPart(arrival));
      // On an error the file stays: it is unknown whether it was recorded, and the sweep removes it if it was not.
      const next = arrival.ending === 'too many' ? null : await store.addPart(current, { key, sizeBytes });
      if (next === null) {
        await storage.remove(key);
        return arrival.ending === 'too many' ? { kind: 'too many' } : lost(current);
      }
      current = next;
    }
    if (arrival.ending === 'too many') return { kind: 'too many' };
    const now = await withDigest(current);
    if (now === null) return { kind: 'gone' };
    return arrival.ending === 'whole' ? { kind: 'received', upload: now } : { kind: 'cut', upload: now };
  }

  async function lost(upload: Upload): Promise<Receipt> {
    const now = await store.find(upload.userId, upload.id);
    return now === null ? { kind: 'gone' } : { kind: 'elsewhere', offsetBytes: now.offsetBytes };
  }

  /** Adds the digest to a complete upload, so that the sender can compare. Null if another request consumed the upload meanwhile. */
  async function withDigest(upload: Upload): Promise<Upload | null> {
    if (upload.offsetBytes < upload.lengthBytes || upload.sha256 !== null) return upload;
    const hash = createHash('sha256');
    try {
      for await (const chunk of read(upload)) hash.update(chunk);
    } catch (error) {
      if ((await store.find(upload.userId, upload.id)) === null) return null;
      throw error;
    }
    return store.seal(upload, hash.digest('hex'));
  }

  /**
   * Streams the recorded bytes from the start.
   * @throws if not all of them are there (any more): another request may have consumed the upload
   */
  async function* read(upload: Upload): AsyncGenerator<Uint8Array> {
    let readBytes = 0;
    for (const key of await store.partKeys(upload.id)) {
      const part = await storage.open(key);
      if (part === null) throw new Error(`Part ${key} of upload ${upload.id} is not in the store`);
      for await (const chunk of part) {
        yield chunk as Uint8Array;
        readBytes += (chunk as Uint8Array).byteLength;
      }
    }
    if (readBytes !== upload.offsetBytes)
      throw new Error(`Upload ${upload.id} has ${readBytes} bytes instead of ${upload.offsetBytes}`);
  }

  /**
   * Waits until the bytes of a disconnected sender are recorded; false while another sender is active.
   * @param patienceMs how long to wait for a seemingly live connection to end or become idle
   */
  async function waitForSender(id: string, patienceMs = 0): Promise<boolean> {
    const giveUpAt = performance.now() + patienceMs;
    for (let other = receiving.get(id); other !== undefined; other = receiving.get(id)) {
      const { arrival, done } = other;
      const leftMs = giveUpAt - performance.now();
      if (arrival.ending !== null || arrival.idleMs() >= TAKEOVER_IDLE_MS) {
        arrival.stop();
        await done;
      } else if (leftMs <= 0) return false;
      else
        await Promise.race([
          done,
          wait(Math.min(leftMs, TAKEOVER_IDLE_MS - arrival.idleMs()), undefined, { ref: false }),
        ]);
    }
    return true;
  }

  return {
    read,

    /** Returns the current upload, including bytes from a broken connection; null if it is not this person's. */
    async look(userId: number, id: string): Promise<Upload | null> {
      if ((await store.find(userId, id)) === null) return null;
      // The client most likely asks because it lost its connection, which the server often notices a moment later.
      await waitForSender(id, STATUS_WAIT_MS);
      const upload = await store.find(userId, id);
      return upload === null ? null : withDigest(upload);
    },

    /** @param announcedBytes Content-Length, or null if absent */
    async receive(
      userId: number,
      id: string,
      offsetBytes: number,
      body: Readable,
      announcedBytes: number | null,
    ): Promise<Receipt> {
      if ((await store.find(userId, id)) === null) return { kind: 'gone' };
      if (!(await waitForSender(id))) return { kind: 'busy' };
      const upload = await store.find(userId, id);
      if (upload === null) return { kind: 'gone' };
      if (upload.offsetBytes !== offsetBytes) return { kind: 'elsewhere', offsetBytes: upload.offsetBytes };
      const limitBytes = upload.lengthBytes - offsetBytes;
      if ((announcedBytes ?? 0) > limitBytes || upload.parts >= getMaxParts(upload)) return { kind: 'too many' };
      if (receiving.has(id)) return { kind: 'busy' };

      const arrival = readRequestBody(body, { limitBytes, idleTimeoutMs: IDLE_TIMEOUT_MS });
      const work = takeParts(upload, arrival).finally(() => {
        arrival.stop();
        receiving.delete(id);
      });
      receiving.set(id, { arrival, done: work.catch(() => undefined) });
      return work;
    },

    /** Deletes an upload and its bytes; false if this person has no such upload. */
    async end(userId: number, id: string): Promise<boolean> {
      const keys = await store.end(userId, id);
      await removeUnreferenced(db, storage, keys ?? []);
      return keys !== null;
    },

    /** Records the received bytes of all uploads in progress, before the server stops. */
    async stop(): Promise<void> {
      const all = [...receiving.values()];
      for (const { arrival } of all) arrival.stop();
      await Promise.all(all.map(({ done }) => done));
    },
  };
}

export type UploadReceiver = ReturnType<typeof uploadReceiver>;
