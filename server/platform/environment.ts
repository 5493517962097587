import * as z from 'zod';

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
export function isContact(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url?.protocol === 'mailto:') return /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i.test(url.pathname);
  return url?.protocol === 'https:' && url.hostname.includes('.') && !url.hostname.endsWith('.localhost');
}

/** The environment variables that the server reads, as texts. Each message names its variable and is for the operator. */
export const environment = z.object({
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

export type Environment = z.output<typeof environment>;
