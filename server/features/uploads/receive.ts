import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { newFileKey, type Storage } from '#server/platform/storage/storage.ts';
import { readRequestBody, type BodyReader } from './request-body.ts';
import type { Upload, UploadStore } from './store.ts';

/** Bytes are recorded at least this often, so that a killed server costs the sender no more than this again. */
const PART_BYTES = 1024 * 1024;
/** Far above what honest senders need for the largest upload, even when cut every few seconds. */
const MAX_PARTS = 2000;
const IDLE_TIMEOUT_MS = 20_000;
/** A connection this quiet may be dead without our knowing; whoever asks for its upload gets it. */
const TAKEOVER_IDLE_MS = 1_000;
/** Who asks where an upload stands waits at most so long for bytes that are still on their way. */
const STATUS_WAIT_MS = 3_000;

export type Receipt =
  /** All of the body; `upload` as it stands now. */
  | { kind: 'received'; upload: Upload }
  /** What came before the connection broke. */
  | { kind: 'cut'; upload: Upload }
  /** Another request is sending this upload right now. */
  | { kind: 'busy' }
  /** The sender is elsewhere than the record; nothing was taken. */
  | { kind: 'elsewhere'; offsetBytes: number }
  /** More bytes than announced; those within were taken up to the last recorded part. */
  | { kind: 'too many' }
  | { kind: 'gone' };

interface Receiving {
  arrival: BodyReader;
  done: Promise<unknown>;
}

/**
 * Takes the bytes of uploads. They are stored as parts: each a file of its own, written and synced first and then recorded
 * on the condition that the upload still stands where the part began. So whatever is recorded is safe, two senders can
 * never mix, on one node or on several, and a crash between file and record leaves a file that nobody knows.
 */
export function uploadReceiver(store: UploadStore, storage: Storage) {
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
      // An error here leaves the file: whether it was recorded is unknown, and the sweep will know.
      const next = arrival.ending === 'too many' ? null : await store.addPart(current, { key, sizeBytes });
      if (next === null) {
        await storage.remove(key);
        return arrival.ending === 'too many' ? { kind: 'too many' } : lost(current);
      }
      current = next;
    }
    if (arrival.ending === 'too many') return { kind: 'too many' };
    const now = await withDigest(current);
    return arrival.ending === 'whole' ? { kind: 'received', upload: now } : { kind: 'cut', upload: now };
  }

  async function lost(upload: Upload): Promise<Receipt> {
    const now = await store.find(upload.userId, upload.id);
    return now === null ? { kind: 'gone' } : { kind: 'elsewhere', offsetBytes: now.offsetBytes };
  }

  /** A complete upload says what arrived, so that the sender can compare. */
  async function withDigest(upload: Upload): Promise<Upload> {
    if (upload.offsetBytes < upload.lengthBytes || upload.sha256 !== null) return upload;
    const hash = createHash('sha256');
    for await (const chunk of read(upload)) hash.update(chunk);
    return store.seal(upload, hash.digest('hex'));
  }

  /** The bytes so far, from the first. */
  async function* read(upload: Upload): AsyncGenerator<Uint8Array> {
    for (const key of await store.partKeys(upload.id)) {
      const part = await storage.open(key);
      if (part === null) throw new Error(`Part ${key} of upload ${upload.id} is not in the store`);
      for await (const chunk of part) yield chunk as Uint8Array;
    }
  }

  /**
   * Waits for a sender whose connection broke to be recorded; false while another is alive and sending.
   * @param patienceMs how long a connection that seems alive may take to end or fall quiet
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

    /** The upload as it stands, everything counted that a broken connection brought; null when it is not this person's. */
    async look(userId: number, id: string): Promise<Upload | null> {
      if ((await store.find(userId, id)) === null) return null;
      // Who asks has lost the connection, most likely; that it ended is often heard a moment later.
      await waitForSender(id, STATUS_WAIT_MS);
      const upload = await store.find(userId, id);
      return upload === null ? null : withDigest(upload);
    },

    /** @param announcedBytes Content-Length, null where the sender does not say */
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
      if ((announcedBytes ?? 0) > limitBytes || upload.parts >= MAX_PARTS) return { kind: 'too many' };
      if (receiving.has(id)) return { kind: 'busy' };

      const arrival = readRequestBody(body, { limitBytes, idleTimeoutMs: IDLE_TIMEOUT_MS });
      const work = takeParts(upload, arrival).finally(() => {
        arrival.stop();
        receiving.delete(id);
      });
      receiving.set(id, { arrival, done: work.catch(() => undefined) });
      return work;
    },

    /** Ends an upload and removes its bytes; false when this person has none under that id. */
    async end(userId: number, id: string): Promise<boolean> {
      const keys = await store.end(userId, id);
      for (const key of keys ?? []) await storage.remove(key);
      return keys !== null;
    },

    /** Records what arrived so far of everything under way: the server is about to stop. */
    async stop(): Promise<void> {
      const all = [...receiving.values()];
      for (const { arrival } of all) arrival.stop();
      await Promise.all(all.map(({ done }) => done));
    },
  };
}

export type UploadReceiver = ReturnType<typeof uploadReceiver>;
