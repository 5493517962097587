import { SKILL_LEVELS } from '#contract/sections/skill.ts';
import type { Person } from '../e2e/support/people.ts';
import type { Fact, ServerState } from './ledger.ts';

interface Message {
  seq: number;
  sender_id: string;
  message: string;
}

/** Message texts by sender; no two senders share a text. */
export const PHRASES = {
  phone: ['On my way', 'Running late', 'Which gate?', 'Yes'],
  desktop: ['The call sheet is in', 'Lunch at one', 'Costume fitting has moved', 'OK'],
  friend: ['Where are you?', 'Gate 3', 'Thanks'],
} as const;

const getSender = (text: string) =>
  Object.entries(PHRASES).find(([, texts]) => (texts as readonly string[]).includes(text))?.[0] ?? 'nobody';

/** Reads a whole conversation in order, directly from the server. */
export async function readConversation(person: Person, conversation: string): Promise<Message[]> {
  const messages: Message[] = [];
  for (;;) {
    const part = `/chat/${conversation}?after_seq=${messages.at(-1)?.seq ?? 0}&limit=100`;
    const { body } = await person.call<{ messages: Message[]; has_more: boolean }>('GET', part);
    messages.push(...body.messages);
    if (!body.has_more) return messages;
  }
}

/** Describes a stored photo's file: its dimensions, or the status if the server does not serve it. */
async function describeFile(url: string, { path, width, height }: { path: string; width: number; height: number }) {
  const file = await fetch(new URL(path, url));
  const isImage = file.headers.get('content-type')?.startsWith('image/') === true;
  const bytes = await file.arrayBuffer();
  return file.ok && isImage && bytes.byteLength > 0 ? `${width} × ${height}` : `a file answered with ${file.status}`;
}

/** Reads everything of a member that a round can change, directly from the server. */
export async function readMember(
  url: string,
  person: Person,
  profileId: string,
  conversation: string,
  strangers: readonly { person: Person; profileId: string }[],
): Promise<ServerState> {
  const get = async <T>(path: string) => {
    const { status, body } = await person.call<T>('GET', path);
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  const facts: Fact[] = [];
  const add = (kind: string, name: string, value: string | null) => {
    if (value !== null) facts.push({ kind, name, value });
  };

  const { location, title } = await get<{ location: string; title: string }>(`/profile/details/${profileId}`);
  add('profile', 'city', location);
  add('profile', 'title', title);
  const about = await get<{ description?: string | null } | null>(`/profile/aboutme/${profileId}`);
  add('profile', 'about', about?.description ?? null);
  for (const { name, level } of await get<{ name: string; level: number }[]>(`/profiles/${profileId}/skills`)) {
    add('skill', name, SKILL_LEVELS.find(({ value }) => value === level)?.label ?? String(level));
  }
  type Credit = { experience_title: string; details: string; production_details: string };
  for (const credit of await get<Credit[]>(`/profile/experiences/${profileId}`)) {
    add('role in', credit.experience_title, credit.details);
    add('director of', credit.experience_title, credit.production_details);
  }
  for (const photo of await get<{ name: string; path: string; width: number; height: number }[]>('/media')) {
    add('photo', photo.name, await describeFile(url, photo));
  }
  for (const stranger of strangers) {
    const { is_saved } = await get<{ is_saved: 0 | 1 }>(`/profile/details/${stranger.profileId}`);
    add('saved', stranger.person.name, is_saved === 1 ? 'yes' : null);
  }
  const lists = { 'requests/sent': 'pending', 'requests/received': 'asked', accepted: 'accepted' };
  for (const [list, value] of Object.entries(lists)) {
    for (const { name } of await get<{ name: string }[]>(`/connections/${list}`)) add('connection', name, value);
  }

  const messages = new Map<string, string[]>();
  for (const { message, sender_id } of await readConversation(person, conversation)) {
    if (sender_id !== String(person.id)) continue;
    messages.set(getSender(message), [...(messages.get(getSender(message)) ?? []), message]);
  }
  return { facts, messages };
}
