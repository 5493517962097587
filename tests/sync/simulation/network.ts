import type { WireAnswer, WireRequest } from '#net/wire.ts';
import type { Transport } from '#sync/ports.ts';
import type { Prng } from './prng.ts';
import type { Scheduler } from './scheduler.ts';
import type { FakeServer } from './server/fake-server.ts';
import { markersOf, type ServerAnswer, type ServerRequest } from './server/wire.ts';

/** What can happen to one request. Numbers are HTTP statuses of the contract. */
export const FAULTS = [
  'lost',
  'answer lost',
  'twice',
  'late after a retry',
  'reordered',
  'html',
  'redirect',
  '401',
  '409 in progress',
  '412',
  '413',
  '422',
  '403',
  '400',
  '429',
  '503 quiet',
  '500',
  '500 burst',
  '502 after commit',
  'slow body',
  'timeout',
  'cut',
  'upload forgotten',
  'offset forgotten',
  'poison',
  'answer lost, then 401',
  'damaged',
  'cursor forgotten',
] as const;
/** A captive portal's page with a status that would have a meaning if it came from the server. */
export const PORTAL_PAGES = ['html 401', 'html 403', 'html 404', 'html 429', 'html 503'] as const;
export type Fault = (typeof FAULTS)[number] | (typeof PORTAL_PAGES)[number];

/** The fault that a captive portal causes, by the status of its page. */
const PORTAL_FAULTS: Record<number, Fault> = {
  200: 'html',
  401: 'html 401',
  403: 'html 403',
  404: 'html 404',
  429: 'html 429',
  503: 'html 503',
};
export const PORTAL_STATUSES = Object.keys(PORTAL_FAULTS).map(Number);

export interface Session {
  token: string;
  userId: string;
}

/** A run of the app that sends requests. */
export interface Sender {
  readonly device: {
    readonly name: string;
    session: Session | null;
    isOnline: boolean;
    /** Status of the captive portal's sign-in page, or null without a captive portal. */
    portal: number | null;
  };
  readonly isAlive: boolean;
  /** Delays the call while the page is frozen. */
  whenAwake(call: () => void): void;
}

export interface Exchange {
  ordinal: number;
  sender: Sender;
  userId: string;
  request: ServerRequest;
  fault: Fault | null;
  /** The engine's request before it is encoded for the wire. */
  wireRequest: WireRequest;
}

interface Hooks {
  /** Called before the first byte is sent. */
  onSend(exchange: Exchange): void;
  /** Called after the server handled the request, possibly for the second time. */
  onHandled(exchange: Exchange, answer: ServerAnswer, asSent: ServerRequest): void;
  /** Called when the engine receives the response or the error. */
  onReceived(exchange: Exchange, answer: WireAnswer): void;
}

/** Carries requests between devices and server and injects the planned faults. */
export class Network {
  readonly #scheduler: Scheduler;
  readonly #server: FakeServer;
  readonly #prng: Prng;
  readonly #hooks: Hooks;
  /** Fault by the ordinal of the request. */
  readonly plan: Map<number, Fault>;
  isHealthy = false;
  /** Bytes of a piece that arrive before the connection is cut. Null draws a number each time. */
  cutAt: number | null = null;
  ordinal = 0;
  inFlight = 0;

  constructor(parts: { scheduler: Scheduler; server: FakeServer; prng: Prng; plan: Map<number, Fault>; hooks: Hooks }) {
    this.#scheduler = parts.scheduler;
    this.#server = parts.server;
    this.#prng = parts.prng;
    this.#hooks = parts.hooks;
    this.plan = parts.plan;
  }

  transport(sender: Sender): Transport {
    return {
      send: (wireRequest, { userId }) =>
        new Promise<WireAnswer>((resolve) => {
          if (!sender.isAlive) return;
          const { session } = sender.device;
          const ordinal = this.ordinal++;
          const isOwn = session !== null && session.userId === userId;
          const deliver = (exchange: Exchange, answer: WireAnswer) =>
            sender.whenAwake(() => {
              if (!sender.isAlive) return;
              this.#hooks.onReceived(exchange, answer);
              resolve(answer);
            });
          const request = encodeRequest(wireRequest, session?.token ?? null);
          const fault = this.isHealthy ? null : (this.plan.get(ordinal) ?? null);
          const exchange: Exchange = { ordinal, sender, userId, request, fault, wireRequest };
          if (!isOwn) {
            this.#scheduler.after(1, () => deliver(exchange, { status: 0, reason: 'signed out' }));
            return;
          }
          if (!sender.device.isOnline) {
            this.#scheduler.after(1, () => deliver(exchange, { status: 0, reason: 'network' }));
            return;
          }
          this.#hooks.onSend(exchange);
          this.#carry(exchange, (answer) => deliver(exchange, answer));
        }),
    };
  }

  #carry(exchange: Exchange, answer: (received: WireAnswer) => void): void {
    const { request, wireRequest } = exchange;
    const { portal } = exchange.sender.device;
    const fault = portal === null ? exchange.fault : PORTAL_FAULTS[portal]!;
    const up = 5 + this.#prng.int(60);
    const down = 5 + this.#prng.int(60);
    // A slow refusal arrives after the person has continued to write.
    const slowly = down + this.#prng.int(2) * 1500;
    const after = (ms: number, call: () => void) => {
      this.inFlight += 1;
      this.#scheduler.after(ms, () => {
        this.inFlight -= 1;
        call();
      });
    };
    const handle = (asSent = request): ServerAnswer => {
      const { lane } = this.#scheduler;
      this.#scheduler.lane = 'simulation';
      const given = this.#server.handle(asSent, exchange.sender.device.name);
      this.#hooks.onHandled(exchange, given, asSent);
      this.#scheduler.lane = lane;
      return given;
    };
    const fail = (reason: 'network' | 'timeout') => answer({ status: 0, reason });
    const whole = (ms = down) => {
      const given = handle();
      after(ms, () => answer(toWireAnswer(given)));
    };
    const instead = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      after(up + down, () => answer(toWireAnswer({ status, headers, body })));
    const session = exchange.sender.device.session!;
    // Requests still under way must not revoke tokens after the network is healthy again.
    const revoke = () => {
      if (!this.isHealthy) this.#server.revoke(session.token);
    };
    switch (fault) {
      case null:
        after(up, () => whole());
        return;
      case 'lost':
        after(up, () => fail('network'));
        return;
      case 'timeout':
        after(wireRequest.timeoutMs, () => fail('timeout'));
        return;
      case 'answer lost':
        after(up, () => {
          handle();
          after(down, () => fail('network'));
        });
        return;
      case 'twice':
        after(up, () => whole());
        after(up + 1 + this.#prng.int(400), () => void handle());
        return;
      case 'late after a retry':
        after(up, () => fail('network'));
        after(500 + this.#prng.int(20_000), () => void handle());
        return;
      case 'reordered':
        after(up, () => whole(1000 + this.#prng.int(8000)));
        return;
      case 'slow body':
        after(up, () => {
          handle();
          after(Math.max(1, wireRequest.timeoutMs - up), () => fail('timeout'));
        });
        return;
      case 'html':
      case 'html 401':
      case 'html 403':
      case 'html 404':
      case 'html 429':
      case 'html 503': {
        const status = Number(fault.split(' ')[1] ?? 200);
        const headers = { 'content-type': 'text/html', 'retry-after': '3600' };
        after(up + down, () => answer(toWireAnswer({ status, headers, body: undefined })));
        return;
      }
      case 'redirect':
        after(up + down, () =>
          answer({
            ...(toWireAnswer({ status: 200, headers: {}, body: {} }) as object),
            redirected: true,
          } as WireAnswer),
        );
        return;
      case '401':
        after(up, () => {
          revoke();
          whole(slowly);
        });
        return;
      case 'answer lost, then 401':
        after(up, () => {
          handle();
          revoke();
          after(down, () => fail('network'));
        });
        return;
      case 'cursor forgotten':
        if (request.path.startsWith('/sync')) this.#server.store.cursorGeneration += 1;
        break;
      case 'damaged': {
        if (request.body.kind !== 'bytes' || request.body.bytes.length === 0) break;
        const bytes = Buffer.from(request.body.bytes);
        bytes[this.#prng.int(bytes.length)]! ^= 1;
        after(up, () => {
          const given = handle({ ...request, body: { kind: 'bytes', bytes } });
          after(down, () => answer(toWireAnswer(given)));
        });
        return;
      }
      case '409 in progress':
        if (request.method === 'GET') break;
        instead(409, { message: 'Still at it' }, { 'retry-after': '1' });
        return;
      case '412':
        after(up, () => {
          this.#touchTarget(request, session.userId);
          whole();
        });
        return;
      case '413':
      case '422':
      case '403':
      case '400': {
        const [marker] = markersOf(request);
        if (marker === undefined) break;
        after(up, () => {
          this.#server.refusals.set(marker, { status: Number(fault) as 400 | 403 | 413 | 422 });
          whole(slowly);
        });
        return;
      }
      case 'poison': {
        const [marker] = markersOf(request);
        if (marker === undefined) break;
        this.#server.poison.add(marker);
        break;
      }
      case '429':
        after(up, () => {
          this.#server.rateLimitedUntil.set(session.userId, this.#scheduler.now + 3000 + this.#prng.int(60_000));
          whole();
        });
        return;
      case '503 quiet':
        instead(503, { message: 'Back soon' }, { 'retry-after': String(1 + this.#prng.int(30)) });
        return;
      case '500':
        instead(500, { message: 'Something broke', request_id: 'x' });
        return;
      case '500 burst':
        this.#server.burst += 2 + this.#prng.int(12);
        break;
      case '502 after commit':
        after(up, () => {
          handle();
          after(down, () => answer(toWireAnswer({ status: 502, headers: {}, body: undefined })));
        });
        return;
      case 'cut': {
        if (request.body.kind !== 'bytes') break;
        const { bytes } = request.body;
        const part = bytes.subarray(0, Math.min(this.cutAt ?? this.#prng.int(bytes.length), bytes.length));
        after(up, () => {
          handle({ ...request, body: { kind: 'bytes', bytes: part } });
          fail('network');
        });
        return;
      }
      case 'offset forgotten': {
        // The server crashes after it stores the bytes and before it stores the offset: the earlier offset counts.
        if (request.body.kind !== 'bytes') break;
        const upload = this.#server.store.uploads.get(request.path.split('/').at(-1) ?? '');
        const before = upload?.bytes;
        after(up, () => {
          handle();
          if (upload && before) upload.bytes = before;
          fail('network');
        });
        return;
      }
      case 'upload forgotten':
        after(up, () => {
          for (const upload of [...this.#server.store.uploads.values()]) {
            if (upload.userId === session.userId) this.#server.store.uploads.delete(upload.id);
          }
          whole();
        });
        return;
    }
    after(up, () => whole());
  }

  /** Changes another field of the row from another device just before this request arrives. */
  #touchTarget(request: ServerRequest, userId: string): void {
    const { store } = this.#server;
    const id = /\/(\d+)$/.exec(request.path)?.[1];
    const row = [...store.rows.values()].find((one) =>
      request.path === '/profile/update' ? one.type === 'profile' && one.userId === userId : one.id === id,
    );
    if (!row) return;
    const fields: Record<string, string> = { profile: 'per_day', experience: 'start_month', media: 'position' };
    const field = fields[row.type] ?? 'level';
    if (field in row.body) store.change(row, { [field]: 1 + this.#prng.int(3) }, 'web');
  }
}

/** Converts the server's response to the one that the engine receives. */
export function toWireAnswer(answer: ServerAnswer): WireAnswer {
  return {
    status: answer.status,
    header: (name) => answer.headers[name] ?? null,
    body: answer.body === undefined ? undefined : (JSON.parse(JSON.stringify(answer.body)) as unknown),
    redirected: false,
  };
}

/** Encodes a request for the wire. */
export function encodeRequest(wireRequest: WireRequest, token: string | null): ServerRequest {
  const headers = Object.fromEntries(
    Object.entries(wireRequest.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const { body } = wireRequest;
  const encoded: ServerRequest['body'] =
    body === undefined
      ? { kind: 'none' }
      : body.kind === 'json'
        ? { kind: 'json', text: JSON.stringify(body.value) }
        : body.kind === 'bytes'
          ? { kind: 'bytes', bytes: Buffer.from(body.value.slice(0)) }
          : {
              kind: 'form',
              fields: body.fields.map(([name, value]) => [name, value]),
              files: body.files.map((file) => ({
                field: file.field,
                name: file.name,
                bytes: Buffer.concat(file.parts.map((part) => Buffer.from(part))),
              })),
            };
  return { method: wireRequest.method, path: wireRequest.path, headers, token, body: encoded };
}
