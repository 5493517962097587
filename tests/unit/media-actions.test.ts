import { expect, it, vi } from 'vitest';

const said = vi.hoisted(() => [] as string[]);
vi.mock('#ui/confirm.tsx', () => ({ confirm: () => Promise.resolve(true) }));
vi.mock('#ui/pass-focus.ts', () => ({ findNextRow: () => () => undefined }));
vi.mock('#ui/Toast.tsx', () => ({ toast: ({ text }: { text: string }) => said.push(text) }));

const { deleteMedium } = await import('#features/media/media-actions.ts');
type Engine = Parameters<typeof deleteMedium>[0];

it('reports a failed deletion when the device cannot store it', async () => {
  const engine = { remove: () => Promise.reject(new Error('no store')) } as Partial<Engine> as Engine;
  const reported = vi.fn();
  vi.stubGlobal('reportError', reported);
  expect(await deleteMedium(engine, { id: '7' })).toBe(false);
  expect(said).toEqual(['Failed to delete media. Please try again.']);
  expect(reported).toHaveBeenCalledOnce();
});
