import type { Audition } from '#contract/records/casting.ts';
import { getRoleTitle, readAudition } from '#db/casting.ts';
import type { AccountDb } from '#db/database.ts';
import type { Take } from '#db/rows.ts';
import { count } from '#lib/text.ts';
import type { BriefSettings } from './settings.ts';

/** What an audition asks of the takes that are recorded for it. */
export interface Brief {
  auditionId: string;
  /** What takes are linked to. */
  audition: NonNullable<Take['audition']>;
  /** The name of the role. */
  role: string;
  /** 'Up to 3 takes of 5 min' */
  wanted: string;
  /** What the other side calls the files is made of it. */
  naming: Pick<Audition, 'naming' | 'role' | 'project'>;
  settings: BriefSettings;
}

/** Turns an audition into what the booth shows of it. @param id the audition's server id */
export function toBrief(id: string, body: Audition): Brief {
  const { role, project, takes, max_minutes, shot, slate, sides_text } = body;
  return {
    auditionId: id,
    audition: { id, title: getRoleTitle(role, project) },
    role: role.name,
    wanted: `Up to ${count(takes, 'take')} of ${max_minutes} min`,
    naming: body,
    settings: {
      shot,
      hasSlate: slate,
      slateText: `${role.name}\n${project.title}`,
      script: sides_text ?? '',
    },
  };
}

/** Reads what an audition asks; null if this device does not have it. */
export async function readBrief(db: AccountDb, id: string): Promise<Brief | null> {
  const audition = await readAudition(db, id);
  return audition && toBrief(audition.id, audition.body);
}
