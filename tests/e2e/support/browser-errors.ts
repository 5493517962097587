import type { BrowserContext, ConsoleMessage, Request, WebError } from '@playwright/test';

/** What a browser complained of: console errors, uncaught errors, breaches of the content policy, calls to other hosts. */
export interface BrowserErrors {
  /** Complaints that are part of the story, e.g. /status of 422/. */
  allow(pattern: RegExp): void;
  /** Complaints nobody expected; a test with any fails. */
  getUnexpected(): string[];
  /** Looks away: what comes from now on belongs to another test. */
  stop(): void;
}

/**
 * The browser reports every request that fails for want of a server; those are the story of most tests here. One that is
 * going down says so with 503 to who comes while it drains.
 */
const CONNECTION_ERROR =
  /net::ERR_(CONNECTION|INTERNET|EMPTY|SOCKET|NETWORK|ADDRESS|FAILED|ABORTED|INCOMPLETE)|(status of|response code:) 503\b/;

/**
 * An uncaught error as text. Errors of the browser's store and of Dexie have no stack: it is '', and their name says more
 * than their message, which is the name of a minified class.
 */
export const toErrorText = ({ name, message, stack }: Error): string => stack || `${name}: ${message}`;

/**
 * Collects what goes wrong in every page and worker of a context.
 * @param origins the only origins it may talk to
 * @param wasServerDown true when the server was away at some time, so that lost connections are no news
 */
export function collectBrowserErrors(
  context: BrowserContext,
  origins: string[],
  wasServerDown: () => boolean,
): BrowserErrors {
  const complaints: string[] = [];
  const expected: RegExp[] = [];

  const onConsole = (message: ConsoleMessage) => {
    if (message.type() !== 'error') return;
    const { url, lineNumber } = message.location();
    complaints.push(`console: ${message.text()} (${url}:${lineNumber})`);
  };
  const onError = (error: WebError) => void complaints.push(`uncaught: ${toErrorText(error.error())}`);
  const onRequest = (request: Request) => {
    const url = new URL(request.url());
    // What belongs to the browser itself, its viewer of PDFs among them, comes with it.
    if (['data:', 'blob:', 'chrome:', 'chrome-extension:', 'about:'].includes(url.protocol)) return;
    if (!origins.includes(url.origin)) complaints.push(`another host: ${request.method()} ${request.url()}`);
  };
  context.on('console', onConsole).on('weberror', onError).on('request', onRequest);

  return {
    allow: (pattern) => void expected.push(pattern),
    getUnexpected: () =>
      complaints.filter((text) => {
        if (expected.some((pattern) => pattern.test(text))) return false;
        return !(CONNECTION_ERROR.test(text) && wasServerDown());
      }),
    stop: () => void context.off('console', onConsole).off('weberror', onError).off('request', onRequest),
  };
}
