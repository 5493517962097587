import type { FastifyBaseLogger } from 'fastify';
import { type Logger, pino } from 'pino';
import type { Config } from './config.ts';

/** What is written down as the server goes along. */
export type Log = Pick<FastifyBaseLogger, 'debug' | 'info' | 'warn' | 'error'>;

interface Entry {
  level: number;
  msg?: string;
  err?: { stack?: string };
}

const WARNING = 40;

/** One entry as a person reads it: no JSON, no identifiers, but all of what went wrong. */
export function readableEntry(line: string): string {
  const { level, msg = '', err } = JSON.parse(line) as Entry;
  const kind = level > WARNING ? 'Error: ' : level === WARNING ? 'Warning: ' : '';
  return `${kind}${msg}${err?.stack ? `\n${err.stack}` : ''}\n`;
}

/**
 * The server's log. For machines it is JSON, a line for each request included. A person at a terminal reads warnings and
 * errors in words; requests only when the level is 'debug'.
 */
export function openLog({ logLevel }: Pick<Config, 'logLevel'>, format: 'json' | 'text'): Logger {
  if (format === 'json') return pino({ level: logLevel, base: undefined });
  const level = logLevel === 'info' ? 'warn' : logLevel;
  return pino({ level, base: undefined }, { write: (line) => process.stderr.write(readableEntry(line)) });
}
