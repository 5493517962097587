import { type IncomingMessage, type ServerResponse, request } from 'node:http';
import { type Door, openDoor } from './http-proxy.ts';

/** The server behind the sign-in page of a Wi-Fi, which answers 200 with a page of its own to whatever it catches. */
export interface CaptivePortal extends Door {
  /** From now on requests of which this is true get the sign-in page; null lets everything through. */
  catchRequests(isCaught: ((request: IncomingMessage) => boolean) | null): void;
}

/** A page that caches may keep, as some portals send it. */
const SIGN_IN = '<!doctype html><title>Hotel Wi-Fi</title><h1>Sign in to the hotel Wi-Fi</h1>';
const HEADERS = { 'content-type': 'text/html', 'cache-control': 'public, max-age=3600' };

/** Answers whatever was asked with the sign-in page. */
export const answerAsPortal = (outgoing: ServerResponse) => void outgoing.writeHead(200, HEADERS).end(SIGN_IN);

/** Stands in front of `port` on this machine. */
export async function captivePortal(port: number): Promise<CaptivePortal> {
  let isCaught: ((request: IncomingMessage) => boolean) | null = null;
  const door = await openDoor((incoming, outgoing) => {
    if (isCaught?.(incoming)) return answerAsPortal(outgoing);
    const { method, url: path, headers } = incoming;
    const upstream = request({ port, host: '127.0.0.1', method, path, headers });
    upstream.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    upstream.on('error', () => outgoing.destroy());
    incoming.pipe(upstream);
  });
  return { ...door, catchRequests: (which) => void (isCaught = which) };
}
