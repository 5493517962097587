import path from 'node:path';
import type { MediaType } from '#contract/media-types.ts';
import { environment, isContact, type Environment } from './environment.ts';

/** An invalid setting. The message is one line for the operator. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Time for a proxy that asks `/readyz` every second or two to send requests elsewhere. */
const PROXY_DRAIN_WAIT_S = 5;

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
function readS3Settings(values: Environment): S3Settings | undefined {
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
function readSmtpSettings(values: Environment): Config['smtp'] {
  const { SMTP_URL: url, MAIL_FROM: from, PUBLIC_URL: publicUrl } = values;
  if (url === undefined) return undefined;
  if (from === undefined) throw new ConfigError('MAIL_FROM is missing, while SMTP_URL says that mail is sent');
  if (publicUrl === undefined) throw new ConfigError('PUBLIC_URL is missing, which the links in mails need');
  return { url, from };
}

/** A service is configured by its host or its cluster, and needs all three credentials. */
function readPusherSettings(values: Environment): PusherSettings {
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
function readPushSettings(values: Environment): Config['push'] {
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
