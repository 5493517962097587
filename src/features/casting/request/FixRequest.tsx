import { readRole } from '#db/casting-role.ts';
import type { WaitingItem } from '#db/views.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { getPerformer } from '../performer.ts';
import { ChangeSheet } from './ChangeSheet.tsx';

/** Corrects a change of a request that the server refused. */
export function FixRequest({ waiting: { row }, onClose }: { waiting: WaitingItem; onClose: () => void }) {
  const roleId = row.parent ?? '';
  const view = useQuery((db) => readRole(db, roleId), [roleId]);
  const item = view?.requests.find(({ id, serverId }) => id === row.target || serverId === row.target);
  if (!view || item === undefined) return null;
  const { role, project } = view;
  return <ChangeSheet item={item} role={role} project={project} name={getPerformer(item).name} onClose={onClose} />;
}
