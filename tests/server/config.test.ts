import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '#server/platform/config.ts';

const MB = 1024 * 1024;

test('has a default for every setting', () => {
  expect(readConfig({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    databaseUrl: undefined,
    s3: undefined,
    seedDemo: false,
    maxFileBytes: { image: 10 * MB, audio: 50 * MB, video: 500 * MB, document: 10 * MB },
    maxStorageBytes: 5000 * MB,
    allowedOrigins: [],
    rateLimitScale: 1,
    trustProxy: false,
    drainWaitMs: 0,
    metrics: undefined,
  });
});

test('serves metrics only where a port is given, and only to this machine by default', () => {
  expect(readConfig({ METRICS_HOST: '0.0.0.0' }).metrics).toBeUndefined();
  expect(readConfig({ METRICS_PORT: '9464' }).metrics).toEqual({ port: 9464, host: '127.0.0.1' });
});

test('waits for a proxy when it stops, unless another time is set', () => {
  expect(readConfig({ TRUST_PROXY: '1' }).drainWaitMs).toBe(5000);
  expect(readConfig({ TRUST_PROXY: '10.0.0.1', DRAIN_WAIT_S: '0' }).drainWaitMs).toBe(0);
  expect(readConfig({ DRAIN_WAIT_S: '12' }).drainWaitMs).toBe(12_000);
});

test('reads given values and treats an empty value as unset', () => {
  const config = readConfig({
    PORT: '0',
    ALLOWED_ORIGINS: 'https://a.example, http://localhost:5173',
    TRUST_PROXY: '1',
    PUBLIC_URL: 'https://callboard.example',
    MAX_PHOTO_MB: '2.5',
    MAX_UPLOAD_MB: '',
    HOST: '',
  });
  expect(config).toMatchObject({
    port: 0,
    host: '127.0.0.1',
    allowedOrigins: ['https://a.example', 'http://localhost:5173'],
    trustProxy: true,
    publicUrl: 'https://callboard.example',
    maxFileBytes: { image: 2_621_440 },
  });
});

describe('reports a bad value in one line that names the setting', () => {
  test.each([
    ['PORT', 'eighty'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['HOST', 'a b'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_URL', 'postgres://[broken'],
    ['SEED_DEMO', 'yes'],
    ['JOBS', 'off'],
    ['PUSH_SUBJECT', 'mailto:ops@localhost'],
    ['PUSH_SUBJECT', 'https://localhost:3000'],
    ['PUSH_SUBJECT', 'ops@callboard.example'],
    ['PUSH_HOSTS', 'https://fcm.googleapis.com'],
    ['PUSH_HOSTS', '*'],
    ['SMTP_URL', 'mail.example'],
    ['SMTP_URL', 'https://mail.example'],
    ['SMTP_URL', 'smtp://mail.example?tls=maybe'],
    ['MAIL_FROM', 'Callboard'],
    ['MAIL_FROM', 'a@b.example\nBcc: c@d.example'],
    ['MAX_PHOTO_MB', '0'],
    ['MAX_AUDIO_MB', 'ten'],
    ['MAX_VIDEO_MB', '10001'],
    ['MAX_DOCUMENT_MB', '-1'],
    ['ALLOWED_ORIGINS', '*'],
    ['ALLOWED_ORIGINS', 'https://a.example/path'],
    ['ALLOWED_ORIGINS', 'a.example'],
    ['RATE_LIMIT_SCALE', '-1'],
    ['TRUST_PROXY', 'maybe'],
    ['DRAIN_WAIT_S', 'long'],
    ['METRICS_PORT', '70000'],
    ['METRICS_HOST', 'a b'],
    ['PUBLIC_URL', 'callboard.example'],
    ['PUSHER_API_URL', 'live:6001'],
    ['PUSHER_API_URL', 'http://live:6001/apps'],
    ['LOG_LEVEL', 'loud'],
    ['LOG_FORMAT', 'xml'],
    ['S3_ENDPOINT', 's3.example'],
    ['S3_ENDPOINT', 'https://key:secret@s3.example'],
    ['S3_ENDPOINT', 'https://s3.example/?x=1'],
    ['S3_BUCKET', 'a/b'],
    ['S3_REGION', 'eu central'],
    ['S3_ACCESS_KEY_ID', 'a/b'],
    ['S3_SECRET_ACCESS_KEY', 'a b'],
    ['S3_PATH_STYLE', 'yes'],
    ['S3_PREFIX', 'callboard'],
    ['S3_PREFIX', '../'],
  ])('%s=%s', (name, value) => {
    const read = () => readConfig({ [name]: value });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(new RegExp(`^${name}[^\n]*$`));
  });
});

test('names the settings that replace the single limit of earlier releases', () => {
  expect(() => readConfig({ MAX_UPLOAD_MB: '10', MAX_VIDEO_MB: '700' })).toThrow(
    /^MAX_UPLOAD_MB [^\n]*MAX_PHOTO_MB, MAX_AUDIO_MB, MAX_VIDEO_MB and MAX_DOCUMENT_MB[^\n]*$/,
  );
});

describe('a mail server', () => {
  const given = { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'a@b.example', PUBLIC_URL: 'https://callboard.example' };

  test('requires a sender, and an address for the links', () => {
    expect(readConfig(given).smtp).toEqual({ url: 'smtp://mail.example', from: 'a@b.example' });
    expect(() => readConfig({ ...given, MAIL_FROM: '' })).toThrow(/^MAIL_FROM is missing/);
    expect(() => readConfig({ ...given, PUBLIC_URL: '' })).toThrow(/^PUBLIC_URL is missing/);
  });
});

describe('external service for live updates', () => {
  const given = { PUSHER_APP_ID: 'callboard', PUSHER_KEY: 'key', PUSHER_SECRET: 'secret' };

  test('allows an API URL that differs from the public host', () => {
    const read = readConfig({ ...given, PUSHER_HOST: 'callboard.example', PUSHER_API_URL: 'http://live:3000' });
    expect(read.pusher.service).toEqual({
      cluster: 'ap2',
      host: 'callboard.example',
      port: undefined,
      tls: true,
      apiUrl: 'http://live:3000',
    });
  });

  test('requires the public host with an API URL', () => {
    const read = () => readConfig({ ...given, PUSHER_API_URL: 'http://live:3000' });
    expect(read).toThrow(/^PUSHER_HOST is missing, while PUSHER_API_URL says/);
  });
});

describe('files on S3', () => {
  const key = { S3_BUCKET: 'callboard', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };

  test('uses path-style addressing and no region with a custom endpoint', () => {
    const { s3 } = readConfig({ ...key, S3_ENDPOINT: 'https://s3.example/storage' });
    expect(s3).toEqual({
      endpoint: 'https://s3.example/storage',
      bucket: 'callboard',
      region: 'us-east-1',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
      pathStyle: true,
      prefix: '',
    });
  });

  test('requires a region on AWS', () => {
    const { s3 } = readConfig({ ...key, S3_REGION: 'eu-central-1', S3_PREFIX: 'stage/' });
    expect(s3).toMatchObject({ endpoint: undefined, region: 'eu-central-1', pathStyle: false, prefix: 'stage/' });
    expect(() => readConfig(key)).toThrow('S3_REGION is missing, while S3_BUCKET says that files go to S3');
  });

  test('lets S3_PATH_STYLE override the addressing style', () => {
    const given = { ...key, S3_ENDPOINT: 'https://s3.example', S3_PATH_STYLE: '0' };
    expect(readConfig(given).s3?.pathStyle).toBe(false);
  });

  test.each(Object.keys(key))('fails with one line that names the missing %s', (name) => {
    const read = () => readConfig({ ...key, S3_ENDPOINT: 'https://s3.example', [name]: '' });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(new RegExp(`^${name} is missing, while S3_ENDPOINT [^\n]*$`));
  });
});

test('sends pushes with a contact: the given one, or the public address', () => {
  expect(readConfig({}).push).toBeUndefined();
  expect(readConfig({ PUBLIC_URL: 'http://callboard.example' }).push).toBeUndefined();
  expect(readConfig({ PUBLIC_URL: 'https://callboard.example' }).push?.subject).toBe('https://callboard.example');
  const env = { PUBLIC_URL: 'https://callboard.example', PUSH_SUBJECT: 'mailto:ops@callboard.example' };
  expect(readConfig({ ...env, PUSH_HOSTS: '*.push.example,localhost:4430' }).push).toEqual({
    subject: 'mailto:ops@callboard.example',
    hosts: ['*.push.example', 'localhost:4430'],
  });
});
