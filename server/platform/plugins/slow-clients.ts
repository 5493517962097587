import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** A body of which nothing came for so long is given up. */
const SILENT_MS = 20_000;
/** From then on a body must have come at this speed on average; uploads only have to keep moving. */
const GRACE_MS = 25_000;
const BYTES_PER_SECOND = 1024;
/** What is left of a body that was answered already is not waited for any longer. */
const ANSWERED_MS = 5_000;
const LOOK_EVERY_MS = 5_000;
const UPLOADS = /^(multipart\/|application\/offset\+octet-stream)/i;

interface Waiting {
  request: IncomingMessage;
  response: ServerResponse;
  startedAtMs: number;
  /** What the connection had brought when it last moved. */
  bytes: number;
  movedAtMs: number;
  bytesAtStart: number;
  answeredAtMs: number | null;
}

/** Requests whose body is still on its way. */
export class SlowBodies {
  readonly #waiting = new Map<IncomingMessage, Waiting>();
  readonly #now: () => number;

  /** @param now milliseconds, ever rising */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get size(): number {
    return this.#waiting.size;
  }

  watch(request: IncomingMessage, response: ServerResponse): void {
    if (request.complete) return;
    const now = this.#now();
    const bytes = request.socket.bytesRead;
    this.#waiting.set(request, {
      request,
      response,
      startedAtMs: now,
      bytes,
      movedAtMs: now,
      bytesAtStart: bytes,
      answeredAtMs: null,
    });
    request.once('end', () => this.#forget(request));
    // Heard on the request: many share a connection, which would keep a listener for each of them.
    request.once('close', () => this.#forget(request));
  }

  #forget(request: IncomingMessage): void {
    this.#waiting.delete(request);
  }

  /** Closes the connections of bodies that stand still or crawl. Done every five seconds. */
  closeSlow(): void {
    const now = this.#now();
    for (const each of this.#waiting.values()) {
      if (each.request.complete) this.#waiting.delete(each.request);
      else if (this.#isTooSlow(each, now)) each.request.socket.destroy();
    }
  }

  #isTooSlow(each: Waiting, now: number): boolean {
    const { request, response } = each;
    if (response.writableFinished) each.answeredAtMs ??= now;
    if (each.answeredAtMs !== null) return now - each.answeredAtMs >= ANSWERED_MS;
    const bytes = request.socket.bytesRead;
    // What waits to be read here is our slowness, not the sender's.
    if (bytes > each.bytes || request.readableLength >= request.readableHighWaterMark) {
      each.bytes = bytes;
      each.movedAtMs = now;
    }
    if (now - each.movedAtMs >= SILENT_MS) return true;
    if (UPLOADS.test(request.headers['content-type'] ?? '')) return false;
    const ageMs = now - each.startedAtMs;
    return ageMs >= GRACE_MS && ((bytes - each.bytesAtStart) / ageMs) * 1000 < BYTES_PER_SECOND;
  }
}

/** Lets nobody hold a connection by sending a body slowly. Uploads over a slow line go on as long as bytes move. */
export function closeSlowBodies(app: FastifyInstance): void {
  const bodies = new SlowBodies();
  const looking = setInterval(() => bodies.closeSlow(), LOOK_EVERY_MS);
  looking.unref();
  app.addHook('onClose', async () => clearInterval(looking));
  app.addHook('onRequest', async (request, reply) => {
    // Injected requests of tests have no connection.
    if (request.raw.socket.bytesRead !== undefined) bodies.watch(request.raw, reply.raw);
  });
}
