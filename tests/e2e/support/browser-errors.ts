import type { BrowserContext, ConsoleMessage, Request, WebError } from '@playwright/test';

/** Collects console errors, uncaught errors, violations of the content security policy, and requests to other hosts. */
export interface BrowserErrors {
  /** Allows errors that the test expects, e.g. /status of 422/. */
  allow(pattern: RegExp): void;
  /** Errors that were not allowed; any of them fails the test. */
  getUnexpected(): string[];
  /** Stops collecting, since later errors belong to another test. */
  stop(): void;
}

/**
 * The browser reports every request that fails without a server, as most tests here intend. A server that is shutting down
 * answers 503 while it drains, and closes the socket, to which pusher-js writes a moment after it found it open.
 */
const CONNECTION_ERROR =
  /net::ERR_(CONNECTION|INTERNET|EMPTY|SOCKET|NETWORK|ADDRESS|FAILED|ABORTED|INCOMPLETE)|(status of|response code:) 503\b|WebSocket is already in CLOSING or CLOSED state/;

/**
 * Converts an uncaught error to text. IndexedDB and Dexie errors have an empty stack, and their name says more than their
 * message, which is the name of a minified class.
 */
export const toErrorText = ({ name, message, stack }: Error): string => stack || `${name}: ${message}`;

/**
 * Collects errors of every page and worker of a context.
 * @param origins that requests may go to
 * @param wasServerDown true once the server was down: connection errors are then expected
 */
export function collectBrowserErrors(
  context: BrowserContext,
  origins: string[],
  wasServerDown: () => boolean,
): BrowserErrors {
  const errors: string[] = [];
  const expected: RegExp[] = [];

  const onConsole = (message: ConsoleMessage) => {
    if (message.type() !== 'error') return;
    const { url, lineNumber } = message.location();
    errors.push(`console: ${message.text()} (${url}:${lineNumber})`);
  };
  const onError = (error: WebError) => void errors.push(`uncaught: ${toErrorText(error.error())}`);
  const onRequest = (request: Request) => {
    const url = new URL(request.url());
    // Resources of the browser itself, such as its PDF viewer, are not requests to a host.
    if (['data:', 'blob:', 'chrome:', 'chrome-extension:', 'about:'].includes(url.protocol)) return;
    if (!origins.includes(url.origin)) errors.push(`another host: ${request.method()} ${request.url()}`);
  };
  context.on('console', onConsole).on('weberror', onError).on('request', onRequest);

  return {
    allow: (pattern) => void expected.push(pattern),
    getUnexpected: () =>
      errors.filter((text) => {
        if (expected.some((pattern) => pattern.test(text))) return false;
        return !(CONNECTION_ERROR.test(text) && wasServerDown());
      }),
    stop: () => void context.off('console', onConsole).off('weberror', onError).off('request', onRequest),
  };
}
