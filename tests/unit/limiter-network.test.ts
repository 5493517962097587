import { expect, test } from 'vitest';
import { toNetwork } from '#server/platform/http/rate-limiter.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('the address %s counts as %s', (ip, network) => {
  expect(toNetwork(ip)).toBe(network);
});

test('a client that has disconnected has no address, and does not throw', () => {
  expect(toNetwork(undefined)).toBe('unknown');
});
