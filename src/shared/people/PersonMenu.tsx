import { Ban, Flag, ListPlus, MessageSquarePlus, UserMinus, UserX } from 'lucide-react';
import { useState } from 'react';
import type { PerformerCard } from '#db/casting.ts';
import { hasProjects } from '#db/has-projects.ts';
import type { ConnectionStatus } from '#db/saved-and-connected.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import type { Person } from '#sync/queue/connections.ts';
import { Dots } from '#ui/Dots.tsx';
import { lazyPart } from '#ui/lazy-part.ts';
import { Menu, type MenuItem } from '#ui/Menu.tsx';
import { ConnectSheet } from './ConnectSheet.tsx';
import type { Reported } from './ReportSheet.tsx';
import { usePeopleActions } from './use-people-actions.ts';

const ReportSheet = lazyPart(async () => (await import('./ReportSheet.tsx')).ReportSheet);

const AddToShortlist = lazyPart(async () => (await import('../casting/AddToShortlist.tsx')).AddToShortlist);

interface PersonMenuProps {
  person: Person;
  connection: ConnectionStatus;
  triggerClass?: string;
  /** Further items, shown first. */
  before?: readonly MenuItem[] | undefined;
  /** What 'Report' is about: the request or page beside the menu. By default the person. */
  about?: Reported | undefined;
  /** The person’s profile beside the menu: people with projects can put it on a shortlist. */
  performer?: PerformerCard;
  /** Called after the person was blocked. */
  onBlocked?: () => void;
}

/** The menu of a person: connect with a note, withdraw, ignore, remove the connection, block, report. */
export function PersonMenu({
  person,
  connection,
  triggerClass = 'tap',
  before = [],
  about,
  performer,
  onBlocked,
}: PersonMenuProps) {
  const acts = usePeopleActions();
  const [open, setOpen] = useState<'connect' | 'shortlist' | 'report' | null>(null);
  const isCasting = useQuery(hasProjects, []);
  const { value, syncState, connectionId } = connection;
  // The request is being sent and has no id yet, so it cannot be withdrawn.
  const isBeingSent = connectionId === null && syncState === 'sending';
  const itemsByState: Record<ConnectionStatus['value'], MenuItem[]> = {
    none: [{ label: 'Connect with a note', icon: MessageSquarePlus, onSelect: () => setOpen('connect') }],
    asked: [{ label: 'Ignore', icon: UserX, onSelect: () => acts.decline(person, connectionId) }],
    pending: isBeingSent
      ? []
      : [{ label: 'Withdraw request', icon: UserMinus, onSelect: () => acts.withdraw(person, connectionId) }],
    connected: [{ label: 'Remove connection', icon: UserMinus, onSelect: () => acts.remove(person, connectionId) }],
  };
  const block = async () => {
    if (await acts.block(person, connectionId)) onBlocked?.();
  };
  return (
    <>
      <Menu
        label={`More for ${person.name}`}
        trigger={<Dots />}
        triggerClass={triggerClass}
        items={[
          ...before,
          ...itemsByState[value],
          ...(performer && isCasting
            ? [{ label: 'Add to shortlist…', icon: ListPlus, onSelect: () => setOpen('shortlist') }]
            : []),
          { label: 'Block', icon: Ban, danger: true, onSelect: () => void block() },
          { label: 'Report', icon: Flag, danger: true, onSelect: () => setOpen('report') },
        ]}
      />
      {open === 'connect' && <ConnectSheet person={person} onClose={() => setOpen(null)} />}
      {open === 'shortlist' && performer && <AddToShortlist performer={performer} onClose={() => setOpen(null)} />}
      {open === 'report' && <ReportSheet person={person} about={about} onClose={() => setOpen(null)} />}
    </>
  );
}
