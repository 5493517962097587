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
const said = () => toast.mock.calls.map(([{ text }]) => text);
const settled = () => vi.waitFor(() => expect(toast).toHaveBeenCalled());

beforeEach(() => {
  vi.resetAllMocks();
});

describe('blocking a person', () => {
  it('says that they are blocked once the change is stored', async () => {
    confirm.mockResolvedValue(true);
    engine.disconnect.mockResolvedValue({ op: 'op-1', mayBeThere: false });
    expect(await usePeopleActions().block(meera, '9')).toBe(true);
    expect(engine.disconnect).toHaveBeenCalledWith(meera, 'block', '9');
    expect(said()).toEqual(['You blocked Meera Kulkarni']);
  });

  it('says nothing of the kind where the change could not be stored', async () => {
    confirm.mockResolvedValue(true);
    engine.disconnect.mockRejectedValue(new Error('No room'));
    const tellReport = vi.fn();
    vi.stubGlobal('reportError', tellReport);
    expect(await usePeopleActions().block(meera, '9')).toBe(false);
    expect(said()).not.toContain('You blocked Meera Kulkarni');
    vi.unstubAllGlobals();
  });

  it('does nothing without a yes', async () => {
    confirm.mockResolvedValue(false);
    expect(await usePeopleActions().block(meera, '9')).toBe(false);
    expect(engine.disconnect).not.toHaveBeenCalled();
    expect(said()).toEqual([]);
  });
});

describe('withdrawing a request', () => {
  it('says that it is withdrawn when it never left this device', async () => {
    engine.disconnect.mockResolvedValue({ op: null, mayBeThere: false });
    usePeopleActions().withdraw(meera, null);
    await settled();
    expect(said()).toEqual(['Request to Meera Kulkarni withdrawn']);
    expect(toast.mock.calls[0]?.[0].action).toBeUndefined();
  });

  it('says that it may have arrived when its answer was lost', async () => {
    engine.disconnect.mockResolvedValue({ op: 'op-1', mayBeThere: true });
    usePeopleActions().withdraw(meera, null);
    await settled();
    expect(said()).toEqual(['Your request may have reached Meera Kulkarni. It will be withdrawn']);
  });

  it('says when Undo comes too late', async () => {
    engine.disconnect.mockResolvedValue({ op: 'op-1', mayBeThere: false });
    engine.undo.mockResolvedValue(false);
    usePeopleActions().withdraw(meera, '9');
    await settled();
    toast.mock.calls[0]?.[0].action?.onSelect();
    await vi.waitFor(() => expect(toast).toHaveBeenCalledTimes(2));
    expect(said()[1]).toBe('It was already sent and can’t be undone');
  });

  it('says nothing more when Undo comes in time', async () => {
    engine.disconnect.mockResolvedValue({ op: 'op-1', mayBeThere: false });
    const undone = Promise.resolve(true);
    engine.undo.mockReturnValue(undone);
    usePeopleActions().withdraw(meera, '9');
    await settled();
    toast.mock.calls[0]?.[0].action?.onSelect();
    await undone;
    expect(engine.undo).toHaveBeenCalledWith('op-1');
    expect(said()).toHaveLength(1);
  });
});
