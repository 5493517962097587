import type { FastifyBaseLogger } from 'fastify';
import { type Logger, pino } from 'pino';
import type { Config } from './config.ts';

/** The log methods that the server uses. */
export type Log = Pick<FastifyBaseLogger, 'debug' | 'info' | 'warn' | 'error'>;

interface Entry {
  level: number;
  msg?: string;
  err?: { stack?: string };
  /** What `describeFailure` says about an error. */
  code?: string;
  hint?: string;
}

const WARNING = 40;

/**
 * Writing each line by itself is a tenth of the processor time of a small request, so lines are written together. They are flushed when
 * the process exits; a process that is killed loses those of the last quarter of a second.
 */
const BUFFER_BYTES = 4096;
const FLUSH_INTERVAL_MS = 250;

/** Formats a JSON log line for a terminal: level and message, and what is known about an error. */
export function formatEntry(line: string): string {
  const { level, msg = '', err, code, hint } = JSON.parse(line) as Entry;
  const kind = level > WARNING ? 'Error: ' : level === WARNING ? 'Warning: ' : '';
  const failure = code === undefined ? '' : ` (${code}, ${hint})`;
  return `${kind}${msg}${failure}${err?.stack ? `\n${err.stack}` : ''}\n`;
}

/**
 * Opens the server's log. As JSON it includes a line per request. As text, for a terminal, it has warnings and errors only, and requests
 * when the level is 'debug'.
 */
export function openLog({ logLevel }: Pick<Config, 'logLevel'>, format: 'json' | 'text'): Logger {
  if (format === 'json')
    return pino(
      { level: logLevel, base: undefined },
      pino.destination({ minLength: BUFFER_BYTES, periodicFlush: FLUSH_INTERVAL_MS }),
    );
  const level = logLevel === 'info' ? 'warn' : logLevel;
  return pino({ level, base: undefined }, { write: (line) => process.stderr.write(formatEntry(line)) });
}
