import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '#server/config.ts';

test('has a default for everything', () => {
  expect(readConfig({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    databaseUrl: undefined,
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
    ['LOG_LEVEL', 'loud'],
  ])('%s=%s', (name, value) => {
    const read = () => readConfig({ [name]: value });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(new RegExp(`^${name}[^\n]*$`));
  });
});
