import path from 'node:path';
import * as z from 'zod';
import type { MediaType } from '#contract/media-types.ts';

/** An invalid setting. The message is one line for the operator. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

const wholeNumber = (name: string, low: number, high: number) => {
  const message = `${name} must be a whole number from ${low} to ${high}`;
  return z.coerce.number({ error: message }).int(message).min(low, message).max(high, message);
};
const oneOrZero = (name: string) => z.enum(['0', '1'], { error: `${name} must be 0 or 1` }).transform((v) => v === '1');

const megabytes = (name: string, most: number) =>
  z.coerce
    .number({ error: `${name} must be a number` })
    .gt(0, `${name} must be above 0`)
    .max(most, `${name} must be at most ${most}`);

const hostName = (name: string) => z.string().regex(/^[\w.:-]+$/, `${name} must be an address or host name`);

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

/** An S3 service may have a path (`/storage/v1/s3`). Credentials have their own settings and are not allowed in the URL. */
function isServiceUrl(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : null;
  return url !== null && /^https?:$/.test(url.protocol) && `${url.search}${url.hash}${url.username}` === '';
}

/** Credentials are percent-encoded; `?tls=off` is for a mail server on the same machine. */
function isMailUrl(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : null;
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '' && /^(\?tls=off)?$/.test(url.search);
}

/** Push services write to this address when something is wrong; some refuse one that cannot be theirs to reach. */
function isContact(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url?.protocol === 'mailto:') return /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i.test(url.pathname);
  return url?.protocol === 'https:' && url.hostname.includes('.') && !url.hostname.endsWith('.localhost');
}

/** Time for a proxy that asks `/readyz` every second or two to send requests elsewhere. */
const PROXY_DRAIN_WAIT_S = 5;

const environment = z.object({
  PORT: wholeNumber('PORT', 0, 65_535).default(3000),
  HOST: hostName('HOST').default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'DATABASE_URL must start with postgres:// or postgresql://')
    .refine((value) => URL.canParse(value), 'DATABASE_URL is not a URL')
    .optional(),
  SEED_DEMO: oneOrZero('SEED_DEMO').default(false),
  JOBS: oneOrZero('JOBS').default(true),
  CONFIRM_EMAIL: oneOrZero('CONFIRM_EMAIL').default(true),
  CHALLENGE: oneOrZero('CHALLENGE').default(true),
  MIN_AGE: wholeNumber('MIN_AGE', 0, 18).default(13),
  MAX_UPLOAD_MB: z
    .never('MAX_UPLOAD_MB is no longer read: set MAX_PHOTO_MB, MAX_AUDIO_MB, MAX_VIDEO_MB and MAX_DOCUMENT_MB instead')
    .optional(),
  MAX_PHOTO_MB: megabytes('MAX_PHOTO_MB', 10_000).default(10),
  MAX_AUDIO_MB: megabytes('MAX_AUDIO_MB', 10_000).default(50),
  MAX_VIDEO_MB: megabytes('MAX_VIDEO_MB', 10_000).default(500),
  MAX_DOCUMENT_MB: megabytes('MAX_DOCUMENT_MB', 10_000).default(10),
  MAX_STORAGE_MB_PER_PERSON: megabytes('MAX_STORAGE_MB_PER_PERSON', 100_000_000).default(5000),
  MIN_FREE_DISK_MB: z.coerce
    .number({ error: 'MIN_FREE_DISK_MB must be a number' })
    .min(0, 'MIN_FREE_DISK_MB must be 0 or more')
    .max(100_000_000, 'MIN_FREE_DISK_MB must be at most 100000000')
    .default(500),
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
  MAX_CONNECTIONS_PER_ADDRESS: wholeNumber('MAX_CONNECTIONS_PER_ADDRESS', 1, 1_000_000).default(3000),
  TRUST_PROXY: z
    .string()
    .regex(/^(0|1|[\d.:a-fA-F/, ]+)$/, 'TRUST_PROXY must be 0, 1 or the addresses of your proxies')
    .default('0')
    .transform((value) => (value === '0' ? false : value === '1' ? true : value.split(/[\s,]+/))),
  DRAIN_WAIT_S: wholeNumber('DRAIN_WAIT_S', 0, 600).optional(),
  METRICS_PORT: wholeNumber('METRICS_PORT', 0, 65_535).optional(),
  METRICS_HOST: hostName('METRICS_HOST').default('127.0.0.1'),
  PUBLIC_URL: origin('PUBLIC_URL').optional(),
  S3_ENDPOINT: z.string().refine(isServiceUrl, 'S3_ENDPOINT must be an address such as https://s3.example').optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[\w.-]{3,63}$/, 'S3_BUCKET must be the name of a bucket')
    .optional(),
  S3_REGION: z
    .string()
    .regex(/^[\w-]+$/, 'S3_REGION must be a name such as eu-central-1')
    .optional(),
  S3_ACCESS_KEY_ID: z
    .string()
    .regex(/^[^\s/,]+$/, 'S3_ACCESS_KEY_ID must not hold spaces, commas or slashes')
    .optional(),
  S3_SECRET_ACCESS_KEY: z.string().regex(/^\S+$/, 'S3_SECRET_ACCESS_KEY must not hold spaces').optional(),
  S3_PATH_STYLE: oneOrZero('S3_PATH_STYLE').optional(),
  S3_PREFIX: z
    .string()
    .regex(/^([\w-][\w.-]*\/)+$/, 'S3_PREFIX must be a folder with a slash at its end, such as callboard/')
    .optional(),
  S3_PUBLIC_ENDPOINT: z
    .string()
    .refine(isServiceUrl, 'S3_PUBLIC_ENDPOINT must be an address such as https://s3.example')
    .optional(),
  DIRECT_UPLOADS: oneOrZero('DIRECT_UPLOADS').default(false),
  PUSHER_APP_ID: z
    .string()
    .regex(/^[\w-]+$/, 'PUSHER_APP_ID must hold letters and digits')
    .optional(),
  PUSHER_KEY: z
    .string()
    .regex(/^[\w-]+$/, 'PUSHER_KEY must hold letters and digits')
    .optional(),
  PUSHER_SECRET: z.string().regex(/^\S+$/, 'PUSHER_SECRET must not hold spaces').optional(),
  PUSHER_CLUSTER: z
    .string()
    .regex(/^[\w-]+$/, 'PUSHER_CLUSTER must be a name such as ap2')
    .optional(),
  PUSHER_HOST: z
    .string()
    .regex(/^[\w.:-]+$/, 'PUSHER_HOST must be a host name')
    .optional(),
  PUSHER_PORT: wholeNumber('PUSHER_PORT', 1, 65_535).optional(),
  PUSHER_SCHEME: z.enum(['http', 'https'], { error: 'PUSHER_SCHEME must be http or https' }).optional(),
  PUSHER_API_URL: origin('PUSHER_API_URL').optional(),
  PUSHER_EMBEDDED_API: oneOrZero('PUSHER_EMBEDDED_API').default(false),
  PUSHER_EMBEDDED_CLIENT_EVENTS: oneOrZero('PUSHER_EMBEDDED_CLIENT_EVENTS').default(false),
  PUSHER_EMBEDDED_SIGN_IN: oneOrZero('PUSHER_EMBEDDED_SIGN_IN').default(false),
  SMTP_URL: z
    .string()
    .refine(isMailUrl, 'SMTP_URL must be an address such as smtp://user:password@mail.example:587')
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^[^\r\n]*[^\s<>@]+@[^\s<>@]+>?$/,
      'MAIL_FROM must be an address such as Callboard <hello@callboard.example>',
    )
    .optional(),
  MAIL_WEBHOOK_SECRET: z
    .string()
    .regex(/^\S{16,200}$/, 'MAIL_WEBHOOK_SECRET must have 16 to 200 characters and no spaces')
    .optional(),
  PUSH_SUBJECT: z
    .string()
    .refine(
      isContact,
      'PUSH_SUBJECT must be an address such as mailto:ops@callboard.example or https://callboard.example',
    )
    .optional(),
  PUSH_HOSTS: z
    .string()
    .default('fcm.googleapis.com, *.push.services.mozilla.com, *.push.apple.com, *.notify.windows.com')
    .transform((value) => value.split(/[\s,]+/).filter((entry) => entry !== ''))
    .pipe(
      z.array(
        z
          .string()
          .regex(
            /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/,
            'PUSH_HOSTS must hold host names such as *.push.apple.com',
          ),
      ),
    ),
  PUSH_MAIL_AFTER_MIN: wholeNumber('PUSH_MAIL_AFTER_MIN', 1, 1440).default(30),
  LOG_LEVEL: z
    .enum(['silent', 'error', 'warn', 'info', 'debug'], {
      error: 'LOG_LEVEL must be silent, error, warn, info or debug',
    })
    .default('info'),
  LOG_FORMAT: z.enum(['json', 'text'], { error: 'LOG_FORMAT must be json or text' }).optional(),
});

/** A bucket of an S3-compatible service, and its credentials. */
export interface S3Settings {
  /** Absent: Amazon S3 in `region`. */
  endpoint?: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** URLs are `endpoint/bucket/key`, otherwise `bucket.endpoint/key`. */
  pathStyle: boolean;
  /** Prefix of every key: empty, or ending in a slash. */
  prefix: string;
  /** Present if devices send large videos to the bucket themselves. `endpoint`: where they reach it, if not where this server does. */
  direct?: { endpoint?: string | undefined } | undefined;
}

/** Live updates. Without a `service`, this server's own endpoint delivers them. */
export interface PusherSettings {
  appId: string;
  /** Absent: generated at the first start. */
  key?: string;
  secret?: string;
  service?: {
    cluster: string;
    host?: string;
    port?: number;
    tls: boolean;
    /** Origin of the service's API for this server, when it differs from the host that devices use. */
    apiUrl?: string;
  };
  /** For the endpoint: whether to serve the protocol's HTTP API, and whether sockets may send events to each other. */
  api: boolean;
  clientEvents: boolean;
  /** Whether sockets must sign in before they subscribe to private channels; for an endpoint that serves other nodes. */
  signInFirst: boolean;
}

/** The validated settings of the server. Sizes are in bytes. */
export interface Config {
  port: number;
  host: string;
  /** Absolute. */
  dataDir: string;
  /** Absent: the embedded PostgreSQL in `dataDir`. */
  databaseUrl?: string;
  /** Absent: files are stored in `dataDir`. */
  s3?: S3Settings;
  seedDemo: boolean;
  /** Whether this process runs background jobs. At least one node must. */
  runsJobs: boolean;
  /** Under this age, the address of an account must be the guardian's own. */
  minAge: number;
  /** Whether others see new people, and hear from them, only once their address is confirmed. */
  mustConfirmEmail: boolean;
  /** Whether a device solves a challenge before it registers somebody. */
  asksChallenge: boolean;
  /** The largest file of each kind. */
  maxFileBytes: Record<MediaType, number>;
  /** Maximum total size of one person's files. */
  maxStorageBytes: number;
  /** Uploads are refused while the disk of `dataDir` has less free space than this; 0 disables the check. */
  minFreeDiskBytes: number;
  allowedOrigins: string[];
  /** Multiplies every rate limit; 0 disables them. */
  rateLimitScale: number;
  /** Maximum connections per IPv4 address or IPv6 /64 prefix. */
  connectionsPerAddress: number;
  trustProxy: boolean | string[];
  /** How long everything is served after a signal to stop, so that the proxy learns of it first. */
  drainWaitMs: number;
  /** Where the metrics are served. Absent: nowhere. */
  metrics?: { port: number; host: string };
  publicUrl?: string;
  /** The mail server. Absent: mails are written to files. */
  smtp?: { url: string; from: string };
  /** With which the mail service reports bounces. Absent: it cannot. */
  mailWebhookSecret?: string;
  /** Pushes to devices. Absent: none are sent. */
  push?: { subject: string; hosts: string[] };
  /** How long a device has to take a push before its news is told by mail. */
  newsMailAfterMs: number;
  pusher: PusherSettings;
  logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
  /** Null: text at a terminal, otherwise JSON. */
  logFormat: 'json' | 'text' | null;
}

/** S3 settings must be absent or complete: incomplete ones would silently store files on disk. */
function readS3Settings(values: z.output<typeof environment>): S3Settings | undefined {
  const given = Object.entries(values).find(([name, value]) => name.startsWith('S3_') && value !== undefined)?.[0];
  if (given === undefined) {
    if (values.DIRECT_UPLOADS) throw new ConfigError('S3_BUCKET is missing, which DIRECT_UPLOADS needs');
    return undefined;
  }
  const requireSetting = (name: 'S3_BUCKET' | 'S3_REGION' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY') => {
    const value = values[name];
    if (value === undefined) throw new ConfigError(`${name} is missing, while ${given} says that files go to S3`);
    return value;
  };
  const { S3_ENDPOINT: endpoint } = values;
  return {
    endpoint,
    bucket: requireSetting('S3_BUCKET'),
    // Services without regions accept this default. Amazon's host name contains the region, so there it is required.
    region: endpoint === undefined ? requireSetting('S3_REGION') : (values.S3_REGION ?? 'us-east-1'),
    accessKeyId: requireSetting('S3_ACCESS_KEY_ID'),
    secretAccessKey: requireSetting('S3_SECRET_ACCESS_KEY'),
    pathStyle: values.S3_PATH_STYLE ?? endpoint !== undefined,
    prefix: values.S3_PREFIX ?? '',
    direct: values.DIRECT_UPLOADS ? { endpoint: values.S3_PUBLIC_ENDPOINT } : undefined,
  };
}

/** Mails have a sender and links, so a mail server needs both of these. */
function readSmtpSettings(values: z.output<typeof environment>): Config['smtp'] {
  const { SMTP_URL: url, MAIL_FROM: from, PUBLIC_URL: publicUrl } = values;
  if (url === undefined) return undefined;
  if (from === undefined) throw new ConfigError('MAIL_FROM is missing, while SMTP_URL says that mail is sent');
  if (publicUrl === undefined) throw new ConfigError('PUBLIC_URL is missing, which the links in mails need');
  return { url, from };
}

/** A service is configured by its host or its cluster, and needs all three credentials. */
function readPusherSettings(values: z.output<typeof environment>): PusherSettings {
  const own = {
    appId: values.PUSHER_APP_ID ?? 'callboard',
    key: values.PUSHER_KEY,
    secret: values.PUSHER_SECRET,
    api: values.PUSHER_EMBEDDED_API,
    clientEvents: values.PUSHER_EMBEDDED_CLIENT_EVENTS,
    signInFirst: values.PUSHER_EMBEDDED_SIGN_IN,
  };
  if ((own.key === undefined) !== (own.secret === undefined)) {
    throw new ConfigError('PUSHER_KEY and PUSHER_SECRET belong together');
  }
  const named = (['PUSHER_HOST', 'PUSHER_CLUSTER'] as const).find((name) => values[name] !== undefined);
  if (named === undefined) {
    if (values.PUSHER_API_URL === undefined) return own;
    throw new ConfigError('PUSHER_HOST is missing, while PUSHER_API_URL says that live updates come from a service');
  }
  const missing = (['PUSHER_APP_ID', 'PUSHER_KEY', 'PUSHER_SECRET'] as const).find(
    (name) => values[name] === undefined,
  );
  if (missing)
    throw new ConfigError(`${missing} is missing, while ${named} says that live updates come from a service`);
  const service = {
    cluster: values.PUSHER_CLUSTER ?? 'ap2',
    host: values.PUSHER_HOST,
    port: values.PUSHER_PORT,
    tls: values.PUSHER_SCHEME !== 'http',
    apiUrl: values.PUSHER_API_URL,
  };
  return { ...own, service };
}

/** The public address is a contact too, if it is a real one. */
function readPushSettings(values: z.output<typeof environment>): Config['push'] {
  const { PUSH_SUBJECT, PUBLIC_URL, PUSH_HOSTS: hosts } = values;
  const subject = PUSH_SUBJECT ?? (PUBLIC_URL !== undefined && isContact(PUBLIC_URL) ? PUBLIC_URL : undefined);
  return subject === undefined ? undefined : { subject, hosts };
}

const toBytes = (megabytes: number) => Math.round(megabytes * 1024 * 1024);

/**
 * Reads the settings from the environment. An empty value counts as absent.
 * @throws ConfigError naming the first invalid setting
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
    s3: readS3Settings(values),
    seedDemo: values.SEED_DEMO,
    runsJobs: values.JOBS,
    minAge: values.MIN_AGE,
    mustConfirmEmail: values.CONFIRM_EMAIL,
    asksChallenge: values.CHALLENGE,
    maxFileBytes: {
      image: toBytes(values.MAX_PHOTO_MB),
      audio: toBytes(values.MAX_AUDIO_MB),
      video: toBytes(values.MAX_VIDEO_MB),
      document: toBytes(values.MAX_DOCUMENT_MB),
    },
    maxStorageBytes: toBytes(values.MAX_STORAGE_MB_PER_PERSON),
    minFreeDiskBytes: toBytes(values.MIN_FREE_DISK_MB),
    allowedOrigins: values.ALLOWED_ORIGINS,
    rateLimitScale: values.RATE_LIMIT_SCALE,
    connectionsPerAddress: values.MAX_CONNECTIONS_PER_ADDRESS,
    trustProxy: values.TRUST_PROXY,
    drainWaitMs: 1000 * (values.DRAIN_WAIT_S ?? (values.TRUST_PROXY === false ? 0 : PROXY_DRAIN_WAIT_S)),
    metrics: values.METRICS_PORT === undefined ? undefined : { port: values.METRICS_PORT, host: values.METRICS_HOST },
    publicUrl: values.PUBLIC_URL,
    smtp: readSmtpSettings(values),
    mailWebhookSecret: values.MAIL_WEBHOOK_SECRET,
    push: readPushSettings(values),
    newsMailAfterMs: 60_000 * values.PUSH_MAIL_AFTER_MIN,
    pusher: readPusherSettings(values),
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT ?? null,
  };
}
