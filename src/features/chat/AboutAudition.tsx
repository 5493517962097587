import { Clapperboard } from 'lucide-react';
import type { AccountDb } from '#db/database.ts';
import { getRoleTitle } from '#db/casting.ts';
import { findRecord } from '#db/mirror.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { Link } from '#ui/router.tsx';

interface About {
  title: string;
  /** Where it is on this device: the audition of the performer, or the role of the side that casts. */
  path: string;
}

/** The audition or request under this id, as far as this device knows it. */
async function readAbout(db: AccountDb, id: string): Promise<About | null> {
  const audition = (await findRecord(db, 'audition', id))?.body;
  if (audition) return { title: getRoleTitle(audition.role, audition.project), path: `/auditions/${id}` };
  const request = (await findRecord(db, 'request', id))?.body;
  const role = request && (await findRecord(db, 'role', request.role_id))?.body;
  const project = role && (await findRecord(db, 'project', role.project_id))?.body;
  if (!role || !project) return null;
  return { title: getRoleTitle(role, project), path: `/casting/roles/${role.id}` };
}

/** Above a message that asks about an audition: which one, with a link. */
export const AboutAudition = ({ id }: { id: string | null | undefined }) => (id ? <AboutLink id={id} /> : null);

function AboutLink({ id }: { id: string }) {
  const about = useQuery((db) => readAbout(db, id), [id]);
  if (!about) return null;
  return (
    <Link
      to={about.path}
      className="mb-1 inline-flex min-h-11 max-w-[78%] items-center gap-2 text-sm font-semibold text-primary underline"
    >
      <Clapperboard className="ic size-4 shrink-0" aria-hidden />
      <span className="min-w-0 truncate">
        <span className="sr-only">Question about </span>
        {about.title}
      </span>
    </Link>
  );
}
