import { PROJECT_FORM } from '#contract/casting/project.ts';
import { ROLE_FORM } from '#contract/casting/role.ts';
import type { WaitingItem } from '#db/views.ts';
import { RecordSheet } from './RecordSheet.tsx';

/** Corrects a project or a role that the server refused. */
export function FixRecord({ waiting: { row, under }, onClose }: { waiting: WaitingItem; onClose: () => void }) {
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
