import type { Conversation, Message } from '#contract/records/chat.ts';
import { PLAIN_MESSAGE } from '#contract/records/chat.ts';
import type { Media } from '#contract/records/media.ts';
import type { Notification } from '#contract/records/notifications.ts';
import type { Connection } from '#contract/records/people.ts';
import type { Profile } from '#contract/records/profile.ts';
import type { AnyRow, Section } from '#contract/section.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import type { MirrorRecord, OutboxRow } from '#db/rows.ts';
import { outboxRow } from '../support/outbox-row.ts';

/** Sample records from the server and rows of the outbox, for the fixtures. */

/** As the server describes somebody whom it asks nothing. */
export const PERSON = {
  id: '1',
  name: 'Meera Kulkarni',
  email: 'meera@callboard.example',
  asks: null,
  hidden_by_desk: [],
};
export const PROFILE_ID = '10';
const MADE_AT = '2026-03-02T09:30:00.000Z';

/** Longer than any real name, but every card must fit it. */
export const LONG_NAME = 'Venkatanarasimharajuvaripeta Chandrasekharan Subramaniam-Bhattacharya';
export const LONG_WORD = 'Donaudampfschifffahrtsgesellschaftskapitänskajütentürschloss';
/** Arabic and Hebrew run from right to left, beside Latin words that do not. */
export const RIGHT_TO_LEFT = { name: 'ليلى الحسيني', title: 'ممثلة مسرح وسينما · Stage', place: 'חיפה' };

const ACTOR = { id: '1', name: 'Actor / Performer', slug: 'actor-performer' };

export const getPortraitPath = (name: string): string => `/storage/faces/${name}.jpg`;

const record = (type: string, parent: string | null, body: { id: string | null; version?: number }): MirrorRecord => ({
  type,
  id: String(body.id),
  parent,
  body: body as Record<string, unknown>,
  version: body.version ?? null,
});

export function profileBody(given: Partial<Profile> = {}): Profile {
  return {
    id: PROFILE_ID,
    user_id: PERSON.id,
    user: { id: PERSON.id, name: PERSON.name },
    stage_name: PERSON.name,
    slug: 'meera-kulkarni',
    status: 'active',
    profile_type: ACTOR,
    title: 'Stage and screen actor',
    location: 'Mumbai',
    per_day: 18_000,
    dob: '1996-08-14',
    min_age_range: 22,
    max_age_range: 40,
    profile_industry_id: '1',
    profile_photo: getPortraitPath('bun-8'),
    is_saved: 0,
    connection: null,
    version: 3,
    updated_at: MADE_AT,
    ...given,
  };
}

/** A profile without any optional field. */
export const makeEmptyProfile = (): Profile =>
  profileBody({
    title: null,
    location: null,
    per_day: null,
    dob: null,
    min_age_range: null,
    max_age_range: null,
    profile_industry_id: null,
    profile_photo: null,
  });

export const profileRecord = (given: Partial<Profile> = {}): MirrorRecord =>
  record('profile', null, profileBody(given));

/** A row of a section: its example, with other values if given. */
export function sectionRecord(section: Section, at: number, values: AnyRow = {}): MirrorRecord {
  const body = { ...section.example, ...values, id: `${section.key}-${at}`, profile_id: PROFILE_ID, version: 1 };
  return record(section.key, PROFILE_ID, { ...body, ...(section.key === 'feedback' && FEEDBACK) });
}
const FEEDBACK = { from_user_id: '2', from_user_name: 'Arjun Nair', status: 'approved' };

/** Rows of every section. */
export function sectionRecords(rows: number, values: AnyRow = {}): MirrorRecord[] {
  return SECTIONS.flatMap((section) => {
    if (section.cardinality === 'one') {
      return [record(section.key, PROFILE_ID, { ...section.example, id: PROFILE_ID, version: 1 } as never)];
    }
    if (section.set) {
      return section.set.rowsOf(section.example as never).map((row, at) => {
        const named = section.key === 'language' && { name: ['Hindi', 'Marathi'][at], icon_img: '/icons/icon.svg' };
        return record(section.key, PROFILE_ID, { ...row, ...named, id: `${section.key}-${at}`, version: 1 } as never);
      });
    }
    const count = Math.min(rows, section.maxItems ?? rows);
    return Array.from({ length: count }, (_, at) => sectionRecord(section, at, values));
  });
}

export function mediaBody(id: string, kind: Media['media_type'], given: Partial<Media> = {}): Media {
  const isPicture = kind === 'image';
  return {
    id,
    profile_id: PROFILE_ID,
    media_type: kind,
    file_path: `media/${id}`,
    path: isPicture ? getPortraitPath('bob-11') : `/storage/media/${id}`,
    name: isPicture ? 'Headshot' : kind === 'audio' ? 'Narration, Hindi' : kind === 'video' ? 'Showreel' : 'CV',
    format: isPicture ? 'jpg' : kind === 'audio' ? 'mp3' : kind === 'video' ? 'mp4' : 'pdf',
    size: 1_400_000,
    duration: kind === 'audio' || kind === 'video' ? 74 : null,
    width: isPicture ? 800 : null,
    height: isPicture ? 1000 : null,
    thumb_path: isPicture ? getPortraitPath('bob-11') : null,
    renditions: [],
    peaks: kind === 'audio' ? Array.from({ length: 60 }, (_, at) => Math.abs(Math.sin(at / 3))) : null,
    position: null,
    is_hidden: false,
    is_primary: false,
    version: 1,
    client_id: null,
    is_saved: 0,
    metadata: [],
    created_at: MADE_AT,
    ...given,
  };
}
export const mediaRecord = (id: string, kind: Media['media_type'], given: Partial<Media> = {}): MirrorRecord =>
  record('media', PROFILE_ID, mediaBody(id, kind, given));

interface Other {
  id: string;
  name: string;
  title?: string | null;
  place?: string | null;
  picture?: string | null;
}
export const OTHERS: readonly Other[] = [
  {
    id: '2',
    name: 'Arjun Nair',
    title: 'Actor and movement performer',
    place: 'Kochi',
    picture: getPortraitPath('curly-7'),
  },
  { id: '3', name: LONG_NAME, title: `Casting for ${LONG_WORD}`, place: LONG_WORD, picture: null },
  { id: '4', ...RIGHT_TO_LEFT, picture: getPortraitPath('long-9') },
];

/** @param state accepted, or whose response is pending */
export function connectionRecord(other: Other, state: 'accepted' | 'ours' | 'theirs', message?: string): MirrorRecord {
  const own = { id: PERSON.id, name: PERSON.name };
  const them = { id: other.id, name: other.name };
  const [sender, receiver] = state === 'theirs' ? [own, them] : [them, own];
  const body: Connection = {
    id: `c${other.id}`,
    status: state === 'accepted' ? 'accepted' : 'pending',
    sender,
    receiver,
    user_id: sender.id,
    connected_user_id: receiver.id,
    name: other.name,
    title: other.title ?? null,
    address: other.place ?? null,
    profile_photo: other.picture ?? null,
    slug: `person-${other.id}`,
    profile_type: ACTOR,
    industry_ids: ['1'],
    conversation_id: state === 'accepted' ? `t${other.id}` : null,
    message: message ?? null,
    client_id: null,
    updated_at: MADE_AT,
  };
  return record('connection', null, body);
}

export function message(other: Other, seq: number, text: string, isOwn: boolean): Message {
  const [from, to] = isOwn ? [PERSON.id, other.id] : [other.id, PERSON.id];
  return {
    id: `m${other.id}-${seq}`,
    client_id: null,
    conversation_id: `t${other.id}`,
    seq,
    sender_id: from,
    receiver_id: to,
    message: text,
    ...PLAIN_MESSAGE,
    created_at: new Date(Date.parse(MADE_AT) + seq * 60_000).toISOString(),
  };
}

export function conversationRecord(other: Other, last: Message | null, unread = 0): MirrorRecord {
  const body: Conversation = {
    conversation_id: `t${other.id}`,
    connection_id: `c${other.id}`,
    connected: true,
    audition: null,
    other: {
      user_id: other.id,
      name: other.name,
      title: other.title ?? null,
      profile_photo: other.picture ?? null,
      slug: `person-${other.id}`,
    },
    last_message: last,
    unread_count: unread,
    read_seq: (last?.seq ?? 0) - unread,
    other_delivered_seq: last?.seq ?? null,
    other_read_seq: last?.seq ?? null,
    starred: false,
    pinned: false,
  };
  return record('conversation', null, { ...body, id: body.conversation_id } as never);
}

export function notificationRecord(at: number, type: Notification['type'], other: Other, isRead = false): MirrorRecord {
  const body: Notification = {
    id: `n${at}`,
    type,
    actor: {
      user_id: other.id,
      name: other.name,
      title: other.title ?? null,
      profile_photo: other.picture ?? null,
      slug: `person-${other.id}`,
      profile_type: ACTOR,
    },
    data: { text: 'Prepared, punctual and generous with the scene.', connection_id: `c${other.id}` },
    read_at: isRead ? MADE_AT : null,
    created_at: MADE_AT,
  };
  return record('notification', null, body);
}

let ops = 0;

/** A queued change. Its target is a new record unless given. */
export function makeOutboxRow(given: Partial<OutboxRow> & Pick<OutboxRow, 'kind' | 'type'>): Omit<OutboxRow, 'seq'> {
  ops += 1;
  const target = given.target ?? `L_${ops}`;
  const { seq: _seq, ...row } = outboxRow({
    op: `00000000-0000-4000-8000-${String(ops).padStart(12, '0')}`,
    parent: PROFILE_ID,
    target,
    lane: `${given.type}:${target}`,
    createdAt: Date.parse(MADE_AT),
    ...given,
  });
  return row;
}
