import { mediaListOf } from '#contract/media-types.ts';
import { sectionOf } from '#contract/sections/index.ts';
import type { OpKind, OutboxRow } from './rows.ts';
import { homeOf } from './canonical.ts';
import { CONNECTION } from './people.ts';

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** How a change reads in Waiting to send: 'Credit: The Long Monsoon'. `body` is the record under it, as far as known. */
export function describe(row: Pick<OutboxRow, 'kind' | 'type' | 'patch'>, body: Record<string, unknown> = {}): string {
  const whole = { ...body, ...row.patch };
  if (row.kind === 'avatar') return 'Profile photo';
  if (row.kind === 'send') return `Message to ${nameIn(row.patch)}`;
  if (row.type === 'conversation') return `${row.patch.saved ? 'Star' : 'Remove star:'} ${nameIn(row.patch.card)}`;
  if (row.kind === 'save') return `${row.patch.saved ? 'Save' : 'Remove from Saved:'} ${nameIn(row.patch.card)}`;
  if (row.kind === 'seen') return 'Notifications read';
  if (row.type === CONNECTION) return `${capital(String(row.patch.way))} ${nameIn(row.patch)}`;
  if (row.kind === 'connect') return `Connect with ${nameIn(row.patch)}`;
  if (row.kind === 'accept') return `Accept ${nameIn(row.patch)}`;
  if (row.type === 'media') {
    const noun = mediaListOf(whole.media_type)?.noun ?? 'media';
    return `${capital(noun)}: ${typeof whole.name === 'string' ? whole.name : 'no name'}`;
  }
  if (row.type === 'profile') {
    const section = sectionOf(subjectOf(row));
    if (section) return section.title;
    return typeof whole.stage_name === 'string' ? `Profile: ${whole.stage_name}` : 'Profile';
  }
  const section = sectionOf(row.type);
  if (section === undefined) return capital(row.type);
  const title = section.card(whole).title;
  return title ? `${capital(section.noun)}: ${title}` : capital(section.noun);
}

const nameIn = (value: unknown): string => {
  const { stage_name, name } = (value ?? {}) as { stage_name?: unknown; name?: unknown };
  return String(stage_name ?? name ?? 'someone');
};

/** What a change is about: its type, or the one-value section that is all it touches of a profile. */
export function subjectOf(row: Pick<OutboxRow, 'type' | 'patch'>): string {
  const homes = new Set(Object.keys(row.patch).map((field) => homeOf(row.type, field)));
  const [only] = homes;
  return homes.size === 1 && only !== undefined ? only : row.type;
}

/** The words shown when the server has acknowledged a change; `subject` as `subjectOf` gives it. */
export function savedTextOf(kind: OpKind, subject: string): string | undefined {
  if (kind === 'delete' || kind === 'upload') return undefined;
  if (kind === 'avatar') return 'Avatar uploaded!';
  if (kind === 'connect') return 'Connection request sent';
  if (kind === 'accept') return 'You’re connected';
  // The bookmark itself tells.
  if (kind === 'save' || kind === 'send' || kind === 'seen') return undefined;
  if (subject === 'profile') return kind === 'create' ? 'Profile created' : 'Profile updated';
  return sectionOf(subject)?.savedText;
}
