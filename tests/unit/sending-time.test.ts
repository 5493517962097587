import { beforeEach, describe, expect, it, vi } from 'vitest';
import { formatSendingTime, rememberSpeed } from '#ui/sending-time.ts';

const DAY_MS = 86_400_000;

describe('the time that a tape will take to send', () => {
  const stored = new Map<string, string>();
  beforeEach(() => {
    stored.clear();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    });
  });

  it('names the speed that it assumes while none was measured', () => {
    expect(formatSendingTime(45_000_000, 0)).toBe('About 6 min to send at 1 Mbit/s');
    expect(formatSendingTime(1000, 0)).toBe('A few seconds to send at 1 Mbit/s');
  });

  it('uses the speed of the last upload for a day', () => {
    rememberSpeed(250_000, 0);
    expect(formatSendingTime(45_000_000, DAY_MS - 1)).toBe('About 3 min to send at the speed of your last upload');
    expect(formatSendingTime(45_000_000, DAY_MS)).toBe('About 6 min to send at 1 Mbit/s');
  });

  it('ignores what cannot be read', () => {
    stored.set('upload-speed', 'fast');
    expect(formatSendingTime(45_000_000, 0)).toBe('About 6 min to send at 1 Mbit/s');
  });
});
