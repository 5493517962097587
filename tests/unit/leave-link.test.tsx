import type { MouseEvent, ReactElement } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { LeaveLink } from '#shared/picked-files/LeaveLink.tsx';
import type { PickedFile } from '#shared/picked-files/picked-files.ts';
import { confirm } from '#ui/confirm.tsx';
import { navigate } from '#ui/router.tsx';

vi.mock('#ui/confirm.tsx', () => ({ confirm: vi.fn() }));
vi.mock('#ui/router.tsx', async (load) => ({ ...(await load<object>()), navigate: vi.fn() }));
beforeEach(() => void vi.mocked(navigate).mockClear());

const file: PickedFile = { key: 'a', name: 'a.mp4', title: 'a', sizeBytes: 4, state: 'storing', storedBytes: 1 };
const stored: PickedFile = { ...file, key: 'b', state: 'stored', mediaId: 'b' };

/** Taps a link beside these files. @returns whether it leaves at once, by itself */
async function tap(files: readonly PickedFile[], given: Partial<MouseEvent> = {}): Promise<boolean> {
  const link = LeaveLink({ files, to: '/booth', state: { from: 'tape' }, children: '' }) as ReactElement<{
    onClick: (event: object) => Promise<void>;
  }>;
  const preventDefault = vi.fn();
  await link.props.onClick({ button: 0, preventDefault, ...given });
  return preventDefault.mock.calls.length === 0;
}

test('a link out of a sheet asks before it ends the copy of a file', async () => {
  vi.mocked(confirm).mockResolvedValue(false);
  expect(await tap([stored, file])).toBe(false);
  expect(vi.mocked(confirm).mock.lastCall?.[0].text).toBe(
    '1 file is not stored yet. If you close this now, choose it again later.',
  );
  expect(navigate).not.toHaveBeenCalled();
  vi.mocked(confirm).mockResolvedValue(true);
  expect(await tap([file])).toBe(false);
  expect(navigate).toHaveBeenCalledWith('/booth', { state: { from: 'tape' } });
});

test('it leaves at once where every file is stored, and a new tab ends no copy', async () => {
  expect(await tap([stored])).toBe(true);
  expect(await tap([file], { ctrlKey: true })).toBe(true);
});
