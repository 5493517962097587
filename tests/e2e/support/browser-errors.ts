import type { BrowserContext, ConsoleMessage, Request, WebError } from '@playwright/test';

/** What a browser complained of: console errors, uncaught errors, breaches of the content policy, calls to other hosts. */
export interface Trouble {
  /** Complaints that are part of the story, e.g. /status of 422/. */
  expect(pattern: RegExp): void;
  /** Complaints nobody expected; a test with any fails. */
  found(): string[];
  /** Looks away: what comes from now on belongs to another test. */
  stop(): void;
}

/**
 * The browser reports every request that fails for want of a server; those are the story of most tests here. One that is
 * going down says so with 503 to who comes while it drains.
 */
const lostSignal =
  /net::ERR_(CONNECTION|INTERNET|EMPTY|SOCKET|NETWORK|ADDRESS|FAILED|ABORTED|INCOMPLETE)|(status of|response code:) 503\b/;

/**
 * An uncaught error as text. Errors of the browser's store and of Dexie have no stack: it is '', and their name says more
 * than their message, which is the name of a minified class.
 */
export const errorText = ({ name, message, stack }: Error): string => stack || `${name}: ${message}`;

/**
 * Collects what goes wrong in every page and worker of a context.
 * @param origins the only origins it may talk to
 * @param hadNoServer true when the server was away at some time, so that lost connections are no news
 */
export function collectTrouble(context: BrowserContext, origins: string[], hadNoServer: () => boolean): Trouble {
  const complaints: string[] = [];
  const expected: RegExp[] = [];

  const onConsole = (message: ConsoleMessage) => {
    if (message.type() !== 'error') return;
    const { url, lineNumber } = message.location();
    complaints.push(`console: ${message.text()} (${url}:${lineNumber})`);
  };
  const onError = (error: WebError) => void complaints.push(`uncaught: ${errorText(error.error())}`);
  const onRequest = (request: Request) => {
    const url = new URL(request.url());
    // What belongs to the browser itself, its viewer of PDFs among them, comes with it.
    if (['data:', 'blob:', 'chrome:', 'chrome-extension:', 'about:'].includes(url.protocol)) return;
    if (!origins.includes(url.origin)) complaints.push(`another host: ${request.method()} ${request.url()}`);
  };
  context.on('console', onConsole).on('weberror', onError).on('request', onRequest);

  return {
    expect: (pattern) => void expected.push(pattern),
    found: () =>
      complaints.filter((text) => {
        if (expected.some((pattern) => pattern.test(text))) return false;
        return !(lostSignal.test(text) && hadNoServer());
      }),
    stop: () => void context.off('console', onConsole).off('weberror', onError).off('request', onRequest),
  };
}
