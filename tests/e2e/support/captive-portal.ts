import { type IncomingMessage, type ServerResponse, request } from 'node:http';
import { type HttpProxy, startHttpProxy } from './http-proxy.ts';

/** The server behind the sign-in page of a Wi-Fi, which answers 200 with a page of its own to whatever it catches. */
export interface CaptivePortal extends HttpProxy {
  /** From now on requests of which this is true get the sign-in page; null lets everything through. */
  interceptRequests(shouldIntercept: ((request: IncomingMessage) => boolean) | null): void;
}

/** A page that caches may keep, as some portals send it. */
const SIGN_IN_PAGE = '<!doctype html><title>Hotel Wi-Fi</title><h1>Sign in to the hotel Wi-Fi</h1>';
const HEADERS = { 'content-type': 'text/html', 'cache-control': 'public, max-age=3600' };

/** Answers whatever was asked with the sign-in page. */
export const sendSignInPage = (outgoing: ServerResponse) => void outgoing.writeHead(200, HEADERS).end(SIGN_IN_PAGE);

/** Stands in front of `port` on this machine. */
export async function startCaptivePortal(port: number): Promise<CaptivePortal> {
  let isCaught: ((request: IncomingMessage) => boolean) | null = null;
  const proxy = await startHttpProxy((incoming, outgoing) => {
    if (isCaught?.(incoming)) return sendSignInPage(outgoing);
    const { method, url: path, headers } = incoming;
    const upstream = request({ port, host: '127.0.0.1', method, path, headers });
    upstream.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    upstream.on('error', () => outgoing.destroy());
    incoming.pipe(upstream);
  });
  return { ...proxy, interceptRequests: (which) => void (isCaught = which) };
}
