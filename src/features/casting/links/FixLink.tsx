import { readRole } from '#db/casting-role.ts';
import { listLinks } from '#db/casting-links.ts';
import type { WaitingItem } from '#db/views.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { isTaped } from '../taped.ts';
import { LinkSheet } from './LinkSheet.tsx';

/** Corrects a share link that the server refused. */
export function FixLink({ waiting: { row }, onClose }: { waiting: WaitingItem; onClose: () => void }) {
  const roleId = row.parent ?? '';
  const found = useQuery(
    async (db) => ({
      link: (await listLinks(db, roleId)).find(({ id }) => id === row.target),
      tapes: (await readRole(db, roleId))?.requests.filter(isTaped) ?? [],
    }),
    [roleId, row.target],
  );
  if (found?.link === undefined) return null;
  return <LinkSheet roleId={roleId} tapes={found.tapes} link={found.link} onClose={onClose} />;
}
