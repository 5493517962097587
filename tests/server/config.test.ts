import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '#server/platform/config.ts';

test('has a default for everything', () => {
  expect(readConfig({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    databaseUrl: undefined,
    s3: undefined,
    seedDemo: false,
    maxUploadBytes: 10 * 1024 * 1024,
    allowedOrigins: [],
    rateLimitScale: 1,
    trustProxy: false,
  });
});

test('takes what is given, and an empty value for none', () => {
  const config = readConfig({
    PORT: '0',
    ALLOWED_ORIGINS: 'https://a.example, http://localhost:5173',
    TRUST_PROXY: '1',
    PUBLIC_URL: 'https://callboard.example',
    MAX_UPLOAD_MB: '2.5',
    HOST: '',
  });
  expect(config).toMatchObject({
    port: 0,
    host: '127.0.0.1',
    allowedOrigins: ['https://a.example', 'http://localhost:5173'],
    trustProxy: true,
    publicUrl: 'https://callboard.example',
    maxUploadBytes: 2_621_440,
  });
});

describe('a bad value stops with one line that names it', () => {
  test.each([
    ['PORT', 'eighty'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['HOST', 'a b'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_URL', 'postgres://[broken'],
    ['SEED_DEMO', 'yes'],
    ['MAX_UPLOAD_MB', '0'],
    ['MAX_UPLOAD_MB', 'ten'],
    ['ALLOWED_ORIGINS', '*'],
    ['ALLOWED_ORIGINS', 'https://a.example/path'],
    ['ALLOWED_ORIGINS', 'a.example'],
    ['RATE_LIMIT_SCALE', '-1'],
    ['TRUST_PROXY', 'maybe'],
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

describe('a service for live updates', () => {
  const given = { PUSHER_APP_ID: 'callboard', PUSHER_KEY: 'key', PUSHER_SECRET: 'secret' };

  test('may be called elsewhere than where devices find it', () => {
    const read = readConfig({ ...given, PUSHER_HOST: 'callboard.example', PUSHER_API_URL: 'http://live:3000' });
    expect(read.pusher.service).toEqual({
      cluster: 'ap2',
      host: 'callboard.example',
      port: undefined,
      tls: true,
      apiUrl: 'http://live:3000',
    });
  });

  test('is named to devices, too', () => {
    const read = () => readConfig({ ...given, PUSHER_API_URL: 'http://live:3000' });
    expect(read).toThrow(/^PUSHER_HOST is missing, while PUSHER_API_URL says/);
  });
});

describe('files on S3', () => {
  const key = { S3_BUCKET: 'callboard', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };

  test('with a service of one’s own the bucket stands in the path, and no region is needed', () => {
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

  test('at Amazon the region says where', () => {
    const { s3 } = readConfig({ ...key, S3_REGION: 'eu-central-1', S3_PREFIX: 'stage/' });
    expect(s3).toMatchObject({ endpoint: undefined, region: 'eu-central-1', pathStyle: false, prefix: 'stage/' });
    expect(() => readConfig(key)).toThrow('S3_REGION is missing, while S3_BUCKET says that files go to S3');
  });

  test('where the bucket stands can be said', () => {
    const given = { ...key, S3_ENDPOINT: 'https://s3.example', S3_PATH_STYLE: '0' };
    expect(readConfig(given).s3?.pathStyle).toBe(false);
  });

  test.each(Object.keys(key))('is not half given: without %s the start ends with a line that names it', (name) => {
    const read = () => readConfig({ ...key, S3_ENDPOINT: 'https://s3.example', [name]: '' });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(new RegExp(`^${name} is missing, while S3_ENDPOINT [^\n]*$`));
  });
});
