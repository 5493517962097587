import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

const UPGRADE_HEADERS = new Set(['upgrade', 'http2-settings']);

/** The request stream and headers as received, without the headers that request another protocol. */
function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const [name = '', value = ''] = rawHeaders.slice(n, n + 2);
    if (UPGRADE_HEADERS.has(name.toLowerCase())) continue;
    const filtered =
      name.toLowerCase() === 'connection'
        ? value
            .split(',')
            .filter((option) => !UPGRADE_HEADERS.has(option.trim().toLowerCase()))
            .join(',')
        : value;
    if (filtered.trim() !== '') lines.push(`${name}: ${filtered}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/**
 * Ignores a request's offer of another protocol (curl offers h2c), as RFC 9110 allows, and serves it over HTTP/1.1. Once a server handles
 * upgrades, Node hands every such request to that handler, so the request is fed to the parser again.
 */
export function serveWithoutUpgrade(server: Server, request: IncomingMessage, stream: Duplex, head: Buffer): void {
  stream.removeAllListeners('error');
  stream.unshift(Buffer.concat([Buffer.from(headWithoutUpgrade(request), 'latin1'), head]));
  server.emit('connection', stream);
}

export const isWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket';
