import { expect, test } from 'vitest';
import { keepRequest } from '#shared/forms/kept-request.ts';

test('an unchanged form sends the same request again, with the times of the first', () => {
  let now = 1;
  const request = keepRequest<{ until: number }>();
  const first = request({ days: '7' }, () => ({ until: now }));
  now = 2;
  expect(request({ days: '7' }, () => ({ until: now }))).toEqual(first);
  expect(first.body).toEqual({ until: 1 });
});

test('a changed form sends another request under another key', () => {
  const request = keepRequest<{ name: string }>();
  const send = (name: string) => request({ name }, () => ({ name }));
  const mistyped = send('Kabir Anandd');
  const corrected = send('Kabir Anand');
  expect(corrected.body).toEqual({ name: 'Kabir Anand' });
  expect(corrected.key).not.toBe(mistyped.key);
});
