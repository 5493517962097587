import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

const UPGRADE_HEADERS = new Set(['upgrade', 'http2-settings']);

/** The head of a request as it came, without the wish for another protocol. */
function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const [name = '', value = ''] = rawHeaders.slice(n, n + 2);
    if (UPGRADE_HEADERS.has(name.toLowerCase())) continue;
    const kept =
      name.toLowerCase() === 'connection'
        ? value
            .split(',')
            .filter((option) => !UPGRADE_HEADERS.has(option.trim().toLowerCase()))
            .join(',')
        : value;
    if (kept.trim() !== '') lines.push(`${name}: ${kept}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/**
 * Serves a request that would rather speak another protocol (curl offers h2c) as if it had not said so, as the standard asks.
 * Node takes every such request out of HTTP once sockets listen for upgrades, so its bytes are read once more.
 */
export function serveWithoutUpgrade(server: Server, request: IncomingMessage, line: Duplex, head: Buffer): void {
  line.removeAllListeners('error');
  line.unshift(Buffer.concat([Buffer.from(headWithoutUpgrade(request), 'latin1'), head]));
  server.emit('connection', line);
}

export const isWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket';
