import { PROJECT_FORM } from '#contract/casting/project.ts';
import { ROLE_FORM } from '#contract/casting/role.ts';
import type { WaitingItem } from '#db/views.ts';
import { FixLink } from './links/FixLink.tsx';
import { FixRequest } from './request/FixRequest.tsx';
import { RecordSheet } from './RecordSheet.tsx';

interface FixProps {
  waiting: WaitingItem;
  onClose: () => void;
}

/** Corrects a project, a role, a change of a request or a share link that the server refused. */
export function FixRecord(props: FixProps) {
  switch (props.waiting.row.type) {
    case 'link':
      return <FixLink {...props} />;
    case 'request':
      return <FixRequest {...props} />;
    default:
      return <FixForm {...props} />;
  }
}

function FixForm({ waiting: { row, under }, onClose }: FixProps) {
  const type = row.type === 'project' ? 'project' : 'role';
  const { lastError, reason } = row;
  return (
    <RecordSheet
      type={type}
      form={type === 'project' ? PROJECT_FORM : ROLE_FORM}
      title={`Edit ${type}`}
      parent={row.parent}
      item={{
        id: row.target,
        body: { ...under, ...row.patch },
        op: row.op,
        ...(reason && { reason }),
        ...(lastError && { error: lastError }),
      }}
      onClose={onClose}
    />
  );
}
