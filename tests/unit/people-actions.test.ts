import { beforeEach, describe, expect, it, vi } from 'vitest';
import { usePeopleActions } from '#shared/people/use-people-actions.ts';

const { toast, confirm, engine } = vi.hoisted(() => ({
  toast: vi.fn<(content: { text: string; action?: { label: string; onSelect: () => void } }) => void>(),
  confirm: vi.fn<() => Promise<boolean>>(),
  engine: { disconnect: vi.fn(), undo: vi.fn() },
}));
vi.mock('#ui/Toast.tsx', () => ({ toast }));
vi.mock('#ui/confirm.tsx', () => ({ confirm }));
vi.mock('#session/session.tsx', () => ({ useAccount: () => ({ engine }) }));

const meera = { userId: '3', name: 'Meera Kulkarni' };
const getToastTexts = () => toast.mock.calls.map(([{ text }]) => text);
const waitForToast = () => vi.waitFor(() => expect(toast).toHaveBeenCalled());

beforeEach(() => {
  vi.resetAllMocks();
});

describe('blocking a person', () => {
  it('confirms the block after the change is stored', async () => {
    confirm.mockResolvedValue(true);
    engine.disconnect.mockResolvedValue({ op: 'op-1', mayBeThere: false });
    expect(await usePeopleActions().block(meera, '9')).toBe(true);
    expect(engine.disconnect).toHaveBeenCalledWith(meera, 'block', '9');
    expect(getToastTexts()).toEqual(['You blocked Meera Kulkarni']);
  });

  it('does not confirm the block if the change cannot be stored', async () => {
    confirm.mockResolvedValue(true);
    engine.disconnect.mockRejectedValue(new Error('No room'));
    const reportError = vi.fn();
    vi.stubGlobal('reportError', reportError);
    expect(await usePeopleActions().block(meera, '9')).toBe(false);
    expect(getToastTexts()).not.toContain('You blocked Meera Kulkarni');
    vi.unstubAllGlobals();
  });

  it('does nothing if the user declines', async () => {
    confirm.mockResolvedValue(false);
    expect(await usePeopleActions().block(meera, '9')).toBe(false);
    expect(engine.disconnect).not.toHaveBeenCalled();
    expect(getToastTexts()).toEqual([]);
  });
});

describe('withdrawing a request', () => {
  it('confirms that a request that never left this device is withdrawn', async () => {
    engine.disconnect.mockResolvedValue({ op: null, mayBeThere: false });
    usePeopleActions().withdraw(meera, null);
    await waitForToast();
    expect(getToastTexts()).toEqual(['Request to Meera Kulkarni withdrawn']);
    expect(toast.mock.calls[0]?.[0].action).toBeUndefined();
  });

  it('explains that the request may have arrived if its response was lost', async () => {
    engine.disconnect.mockResolvedValue({ op: 'op-1', mayBeThere: true });
    usePeopleActions().withdraw(meera, null);
    await waitForToast();
    expect(getToastTexts()).toEqual(['Your request may have reached Meera Kulkarni. It will be withdrawn']);
  });

  it('reports an Undo that comes too late', async () => {
    engine.disconnect.mockResolvedValue({ op: 'op-1', mayBeThere: false });
    engine.undo.mockResolvedValue(false);
    usePeopleActions().withdraw(meera, '9');
    await waitForToast();
    toast.mock.calls[0]?.[0].action?.onSelect();
    await vi.waitFor(() => expect(toast).toHaveBeenCalledTimes(2));
    expect(getToastTexts()[1]).toBe('It was already sent and can’t be undone');
  });

  it('shows no further toast when Undo comes in time', async () => {
    engine.disconnect.mockResolvedValue({ op: 'op-1', mayBeThere: false });
    const undone = Promise.resolve(true);
    engine.undo.mockReturnValue(undone);
    usePeopleActions().withdraw(meera, '9');
    await waitForToast();
    toast.mock.calls[0]?.[0].action?.onSelect();
    await undone;
    expect(engine.undo).toHaveBeenCalledWith('op-1');
    expect(getToastTexts()).toHaveLength(1);
  });
});
