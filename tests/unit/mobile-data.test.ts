import { afterEach, expect, it, vi } from 'vitest';
import { canTellMobileData, isOnMobileData, watchMobileData } from '#lib/mobile-data.ts';

afterEach(() => vi.unstubAllGlobals());

function stubConnection(type?: string) {
  const connection = Object.assign(new EventTarget(), { type });
  vi.stubGlobal('navigator', { connection });
  const moveTo = (next: string) => {
    connection.type = next;
    connection.dispatchEvent(new Event('change'));
  };
  return { moveTo };
}

it.each([
  ['cellular', true, true],
  ['bluetooth', true, true],
  ['wifi', false, true],
  ['ethernet', false, true],
  ['none', false, true],
  ['unknown', false, false],
  [undefined, false, false],
])('knows of the connection %s whether it is mobile data', (type, isMobile, canTell) => {
  stubConnection(type);
  expect([isOnMobileData(), canTellMobileData()]).toEqual([isMobile, canTell]);
});

it('cannot tell in a browser without the interface', () => {
  vi.stubGlobal('navigator', {});
  expect([isOnMobileData(), canTellMobileData()]).toEqual([false, false]);
  expect(() => watchMobileData(() => undefined, new AbortController().signal)).not.toThrow();
});

it('reports only moves to mobile data and away from it, until it is told to stop', () => {
  const { moveTo } = stubConnection('wifi');
  const control = new AbortController();
  const listener = vi.fn();
  watchMobileData(listener, control.signal);
  moveTo('ethernet');
  expect(listener).not.toHaveBeenCalled();
  moveTo('cellular');
  moveTo('cellular');
  expect(listener).toHaveBeenCalledTimes(1);
  moveTo('wifi');
  expect(listener).toHaveBeenCalledTimes(2);
  control.abort();
  moveTo('cellular');
  expect(listener).toHaveBeenCalledTimes(2);
});
