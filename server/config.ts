import path from 'node:path';
import * as z from 'zod';

/** A setting that cannot be used: the message is the one line the person who starts the server reads. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

const wholeNumber = (name: string, low: number, high: number) => {
  const message = `${name} must be a whole number from ${low} to ${high}`;
  return z.coerce.number({ error: message }).int(message).min(low, message).max(high, message);
};
const oneOrZero = (name: string) => z.enum(['0', '1'], { error: `${name} must be 0 or 1` }).transform((v) => v === '1');

const origin = (name: string) =>
  z.string().transform((value, context) => {
    const url = URL.canParse(value) ? new URL(value) : null;
    if (
      url === null ||
      !/^https?:$/.test(url.protocol) ||
      url.pathname !== '/' ||
      url.search !== '' ||
      url.hash !== ''
    ) {
      context.addIssue(`${name} must hold addresses such as https://callboard.example, got ${JSON.stringify(value)}`);
      return z.NEVER;
    }
    return url.origin;
  });

const environment = z.object({
  PORT: wholeNumber('PORT', 0, 65_535).default(3000),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/, 'HOST must be an address or host name')
    .default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'DATABASE_URL must start with postgres:// or postgresql://')
    .refine((value) => URL.canParse(value), 'DATABASE_URL is not a URL')
    .optional(),
  SEED_DEMO: oneOrZero('SEED_DEMO').default(false),
  MAX_UPLOAD_MB: z.coerce
    .number({ error: 'MAX_UPLOAD_MB must be a number' })
    .gt(0, 'MAX_UPLOAD_MB must be above 0')
    .max(10_000, 'MAX_UPLOAD_MB must be at most 10000')
    .default(10),
  ALLOWED_ORIGINS: z
    .string()
    .default('')
    .transform((value) => value.split(/[\s,]+/).filter((entry) => entry !== ''))
    .pipe(z.array(origin('ALLOWED_ORIGINS'))),
  RATE_LIMIT_SCALE: z.coerce
    .number({ error: 'RATE_LIMIT_SCALE must be a number' })
    .min(0, 'RATE_LIMIT_SCALE must be 0 or more')
    .max(1_000_000, 'RATE_LIMIT_SCALE must be at most 1000000')
    .default(1),
  TRUST_PROXY: z
    .string()
    .regex(/^(0|1|[\d.:a-fA-F/, ]+)$/, 'TRUST_PROXY must be 0, 1 or the addresses of your proxies')
    .default('0')
    .transform((value) => (value === '0' ? false : value === '1' ? true : value.split(/[\s,]+/))),
  PUBLIC_URL: origin('PUBLIC_URL').optional(),
  LOG_LEVEL: z
    .enum(['silent', 'error', 'warn', 'info', 'debug'], {
      error: 'LOG_LEVEL must be silent, error, warn, info or debug',
    })
    .default('info'),
});

/** Everything the server can be told from outside, checked. Sizes in bytes. */
export interface Config {
  port: number;
  host: string;
  /** Absolute. */
  dataDir: string;
  /** Absent: the embedded PostgreSQL in `dataDir`. */
  databaseUrl?: string;
  seedDemo: boolean;
  maxUploadBytes: number;
  allowedOrigins: string[];
  /** Multiplies every limit; 0 switches them off. */
  rateLimitScale: number;
  trustProxy: boolean | string[];
  publicUrl?: string;
  logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
}

/**
 * Reads the settings from the environment. An empty value counts as absent.
 * @throws ConfigError naming the first setting that cannot be used
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const read = environment.safeParse(given);
  if (!read.success) throw new ConfigError(read.error.issues[0]?.message ?? 'The settings cannot be read');
  const values = read.data;
  return {
    port: values.PORT,
    host: values.HOST,
    dataDir: path.resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    seedDemo: values.SEED_DEMO,
    maxUploadBytes: Math.round(values.MAX_UPLOAD_MB * 1024 * 1024),
    allowedOrigins: values.ALLOWED_ORIGINS,
    rateLimitScale: values.RATE_LIMIT_SCALE,
    trustProxy: values.TRUST_PROXY,
    publicUrl: values.PUBLIC_URL,
    logLevel: values.LOG_LEVEL,
  };
}
