import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** A body that receives nothing for this long is aborted. */
const IDLE_TIMEOUT_MS = 20_000;
/** After this time, a body must have arrived at `MIN_BYTES_PER_SECOND` on average. Uploads only have to make progress. */
const GRACE_MS = 25_000;
const MIN_BYTES_PER_SECOND = 1024;
/** How long to wait for the rest of a body after the response was sent. */
const AFTER_RESPONSE_MS = 5_000;
const CHECK_INTERVAL_MS = 5_000;
const UPLOADS = /^(multipart\/|application\/offset\+octet-stream)/i;

interface PendingBody {
  request: IncomingMessage;
  response: ServerResponse;
  startedAtMs: number;
  /** Bytes received by the connection at its last progress. */
  bytes: number;
  progressAtMs: number;
  bytesAtStart: number;
  respondedAtMs: number | null;
}

/** Tracks requests whose body is still arriving. */
export class SlowBodies {
  readonly #pending = new Map<IncomingMessage, PendingBody>();
  readonly #now: () => number;

  /** @param now monotonic clock, in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get size(): number {
    return this.#pending.size;
  }

  watch(request: IncomingMessage, response: ServerResponse): void {
    if (request.complete) return;
    const now = this.#now();
    const bytes = request.socket.bytesRead;
    this.#pending.set(request, {
      request,
      response,
      startedAtMs: now,
      bytes,
      progressAtMs: now,
      bytesAtStart: bytes,
      respondedAtMs: null,
    });
    request.once('end', () => this.#forget(request));
    // Listen on the request: a keep-alive connection would collect a listener for each of its requests.
    request.once('close', () => this.#forget(request));
  }

  #forget(request: IncomingMessage): void {
    this.#pending.delete(request);
  }

  /** Closes the connections of bodies that have stalled or are too slow. Runs every five seconds. */
  closeSlow(): void {
    const now = this.#now();
    for (const each of this.#pending.values()) {
      if (each.request.complete) this.#pending.delete(each.request);
      else if (this.#isTooSlow(each, now)) each.request.socket.destroy();
    }
  }

  #isTooSlow(each: PendingBody, now: number): boolean {
    const { request, response } = each;
    if (response.writableFinished) each.respondedAtMs ??= now;
    if (each.respondedAtMs !== null) return now - each.respondedAtMs >= AFTER_RESPONSE_MS;
    const bytes = request.socket.bytesRead;
    // A full read buffer means that the server is slow, not the client.
    if (bytes > each.bytes || request.readableLength >= request.readableHighWaterMark) {
      each.bytes = bytes;
      each.progressAtMs = now;
    }
    if (now - each.progressAtMs >= IDLE_TIMEOUT_MS) return true;
    if (UPLOADS.test(request.headers['content-type'] ?? '')) return false;
    const ageMs = now - each.startedAtMs;
    return ageMs >= GRACE_MS && ((bytes - each.bytesAtStart) / ageMs) * 1000 < MIN_BYTES_PER_SECOND;
  }
}

/** Closes connections that send a body too slowly (slowloris). Uploads over a slow network continue as long as bytes arrive. */
export function closeSlowBodies(app: FastifyInstance): void {
  const bodies = new SlowBodies();
  const timer = setInterval(() => bodies.closeSlow(), CHECK_INTERVAL_MS);
  timer.unref();
  app.addHook('onClose', async () => clearInterval(timer));
  app.addHook('onRequest', async (request, reply) => {
    // Requests injected by tests have no connection.
    if (request.raw.socket.bytesRead !== undefined) bodies.watch(request.raw, reply.raw);
  });
}
