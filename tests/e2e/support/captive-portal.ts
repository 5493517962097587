import { type IncomingMessage, type ServerResponse, request } from 'node:http';
import { type HttpProxy, startHttpProxy } from './http-proxy.ts';

/** A proxy that behaves like a captive portal: it answers intercepted requests with 200 and its sign-in page. */
export interface CaptivePortal extends HttpProxy {
  /** Sends the sign-in page to requests for which this returns true; null forwards everything. */
  interceptRequests(shouldIntercept: ((request: IncomingMessage) => boolean) | null): void;
}

/** A cacheable page, as some portals send it. */
const SIGN_IN_PAGE = '<!doctype html><title>Hotel Wi-Fi</title><h1>Sign in to the hotel Wi-Fi</h1>';
const HEADERS = { 'content-type': 'text/html', 'cache-control': 'public, max-age=3600' };

/** Answers any request with the sign-in page. */
export const sendSignInPage = (outgoing: ServerResponse) => void outgoing.writeHead(200, HEADERS).end(SIGN_IN_PAGE);

/** Starts a captive portal in front of `port` on localhost. */
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
