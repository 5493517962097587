import { PROJECT_FORM } from '#contract/casting/project.ts';
import { ROLE_FORM } from '#contract/casting/role.ts';
import type { WaitingItem } from '#db/views.ts';
import { FixLink } from './links/FixLink.tsx';
import { RecordSheet } from './RecordSheet.tsx';

interface FixProps {
  waiting: WaitingItem;
  onClose: () => void;
}

/** Corrects a project, a role or a share link that the server refused. */
export const FixRecord = (props: FixProps) =>
  props.waiting.row.type === 'link' ? <FixLink {...props} /> : <FixForm {...props} />;

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
