import { expect, it } from 'vitest';
import type { RequestView } from '#db/casting-role.ts';
import { owesTape } from '#features/casting/request/owes-tape.ts';

const AT = '2026-11-20T10:00:00Z';
const request = (item: object = {}, body: object = {}) =>
  ({
    state: 'saved',
    serverId: '4',
    isReplaced: false,
    ...item,
    body: {
      performer: { name: 'Meera' },
      confirmed_at: null,
      declined_at: null,
      announced_at: null,
      withdrawn_at: null,
      answers: [],
      ...body,
    },
  }) as unknown as RequestView;

it.each<[string, RequestView]>([
  ['was asked', request()],
  ['is asked by a request that waits on this device', request({ serverId: null, state: 'phone' }, { performer: null })],
  ['has said yes after a no', request({}, { declined_at: AT, confirmed_at: '2026-11-20T11:00:00Z' })],
])('whoever %s owes a tape', (_, item) => {
  expect(owesTape(item)).toBe(true);
});

it.each<[string, RequestView]>([
  ['has announced one', request({}, { announced_at: AT })],
  ['has declined', request({}, { declined_at: AT })],
  ['is no longer asked', request({}, { withdrawn_at: AT })],
  ['is asked for another one, of a later round', request({ isReplaced: true })],
  ['has left', request({}, { performer: null })],
  ['is asked by a request that was refused', request({ serverId: null, state: 'needs' })],
  ...(['callback', 'pencil', 'cast', 'no_thank_you'] as const).map((kind): [string, RequestView] => [
    `has the answer ${kind}`,
    request({}, { answers: [{ kind, text: null, at: AT }] }),
  ]),
])('whoever %s owes no tape', (_, item) => {
  expect(owesTape(item)).toBe(false);
});
