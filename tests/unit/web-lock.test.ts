import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { webLock } from '#lib/platform.ts';

/** The browser's locks, as far as one lock goes: who steals it makes the holder's request fail. */
function browserLocks() {
  let rob: (() => void) | null = null;
  const request = async (_name: string, { steal }: LockOptions, work: (lock: object | null) => Promise<void>) => {
    if (rob && !steal) return work(null);
    rob?.();
    const robbed = new Promise<never>((_, refuse) => {
      rob = () => refuse(new DOMException('Stolen', 'AbortError'));
    });
    const mine = rob;
    try {
      await Promise.race([work({}), robbed]);
    } finally {
      if (rob === mine) rob = null;
    }
  };
  return { request };
}

beforeEach(() => void vi.stubGlobal('navigator', { locks: browserLocks() }));
afterEach(() => void vi.unstubAllGlobals());

const gate = () => {
  let open = () => {};
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { open: () => open(), passed };
};

it('lets nobody else in while it is held', async () => {
  const { open, passed } = gate();
  const first = webLock('outbox').tryRun(() => passed);
  expect(await webLock('outbox').tryRun(() => Promise.reject(new Error('Let in')))).toBe(false);
  open();
  expect(await first).toBe(true);
});

it('tells the previous holder after a steal, and waits for its work', async () => {
  const { open, passed } = gate();
  const held: boolean[] = [];
  const first = webLock('outbox').tryRun(async (isHeld) => {
    held.push(isHeld());
    await passed;
    held.push(isHeld());
  });
  await webLock('outbox').tryRun(async (isHeld) => void held.push(isHeld()), { steal: true });
  open();
  expect(await first).toBe(true);
  expect(held).toEqual([true, true, false]);
});
