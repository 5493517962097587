import { Ban, Flag, MessageSquarePlus, UserMinus, UserX } from 'lucide-react';
import { useState } from 'react';
import type { ConnectionStatus } from '#db/saved-and-connected.ts';
import type { Person } from '#sync/queue/connections.ts';
import { Dots } from '#ui/Dots.tsx';
import { Menu, type MenuItem } from '#ui/Menu.tsx';
import { ConnectSheet } from './ConnectSheet.tsx';
import { ReportSheet } from './ReportSheet.tsx';
import { usePeopleActions } from './use-people-actions.ts';

interface PersonMenuProps {
  whom: Person;
  tie: ConnectionStatus;
  triggerClass?: string;
  /** What else can be done where it stands; on top. */
  before?: readonly MenuItem[];
  /** They are blocked now. */
  onBlocked?: () => void;
}

/** Everything else one may do about somebody: a request with a note, taking it back, declining, parting, blocking, reporting. */
export function PersonMenu({ whom, tie, triggerClass = 'tap', before = [], onBlocked }: PersonMenuProps) {
  const acts = usePeopleActions();
  const [open, setOpen] = useState<'connect' | 'report' | null>(null);
  const { value, syncState, connectionId } = tie;
  // On its way and without an id: there is nothing yet that could be taken back.
  const isFlying = connectionId === null && syncState === 'sending';
  const ways: Record<ConnectionStatus['value'], MenuItem[]> = {
    none: [{ label: 'Connect with a note', icon: MessageSquarePlus, onSelect: () => setOpen('connect') }],
    asked: [{ label: 'Ignore', icon: UserX, onSelect: () => acts.decline(whom, connectionId) }],
    pending: isFlying
      ? []
      : [{ label: 'Withdraw request', icon: UserMinus, onSelect: () => acts.withdraw(whom, connectionId) }],
    connected: [{ label: 'Remove connection', icon: UserMinus, onSelect: () => acts.remove(whom, connectionId) }],
  };
  const block = async () => {
    if (await acts.block(whom, connectionId)) onBlocked?.();
  };
  return (
    <>
      <Menu
        label={`More for ${whom.name}`}
        trigger={<Dots />}
        triggerClass={triggerClass}
        items={[
          ...before,
          ...ways[value],
          { label: 'Block', icon: Ban, danger: true, onSelect: () => void block() },
          { label: 'Report', icon: Flag, danger: true, onSelect: () => setOpen('report') },
        ]}
      />
      {open === 'connect' && <ConnectSheet whom={whom} onClose={() => setOpen(null)} />}
      {open === 'report' && <ReportSheet whom={whom} onClose={() => setOpen(null)} />}
    </>
  );
}
