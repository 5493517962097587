import { EllipsisVertical } from 'lucide-react';
import type { DeskActName } from '#contract/desk-acts.ts';
import type { DeskPerson } from '#contract/records/desk.ts';
import { Menu } from '#ui/Menu.tsx';
import type { PlannedAct } from './ActSheet.tsx';

interface OperatorMenuProps {
  person: DeskPerson;
  reportId: string | null;
  canRemove: boolean;
  reason: PlannedAct['reason'];
  onPlan: (plan: PlannedAct) => void;
}

/** What only operators may do about a person. */
export function OperatorMenu({ person, reportId, reason, canRemove, onPlan }: OperatorMenuProps) {
  const self: PlannedAct['target'] = { type: 'user', id: person.id };
  const toItem = (act: DeskActName, label: string, target = self) => ({
    label,
    onSelect: () => onPlan({ act, title: label, target, person, reportId, reason }),
  });
  return (
    <Menu
      label="More acts"
      triggerClass="btn btn-line"
      trigger={
        <>
          <EllipsisVertical className="ic" aria-hidden />
          More
        </>
      }
      items={[
        person.office
          ? toItem('office.revoke', 'Take the badge back', { type: 'office', id: person.office.id })
          : toItem('office.verify', 'Verify as an office'),
        toItem('sessions.end', 'Sign out everywhere'),
        toItem('reset.send', 'Send a reset link'),
        ...(person.role === 'moderator' ? [toItem('moderator.unmake', 'End as moderator')] : []),
        ...(person.role === 'person' ? [toItem('moderator.make', 'Make a moderator')] : []),
        ...(canRemove ? [toItem('account.remove', 'Remove the account')] : []),
      ]}
    />
  );
}
