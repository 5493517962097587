import { createHash } from 'node:crypto';
import type { PushKindName } from '#contract/push-kind-names.ts';
import { PUSH_KINDS } from '#contract/push-kinds.ts';
import type { PushSettings } from '#contract/records/push.ts';
import type { NotificationData } from '#contract/records/notifications.ts';
import { describeNews } from '#server/features/mail/news-text.ts';

/** A notification that a push announces. */
export interface Announced {
  id: number;
  kind: PushKindName;
  actorName: string;
  /** Whether the push may name the other person. */
  isNamed: boolean;
  data: NotificationData;
}

interface Envelope {
  /** Whom it is for. Somebody else may have signed in on the device meanwhile. */
  userId: number;
  alert: string;
  /** Address of this Callboard. */
  home: string;
  /** The number on the icon of the app. */
  badge: number;
  settings: PushSettings;
}

/** Together with the encryption it stays below the 4,096 bytes that every push service takes. */
export const MAX_PAYLOAD_BYTES = 3000;

/** 32 characters, the most that a push service takes. It names the event, so that a repeated push is the same. */
export const toTopic = (alert: string): string => createHash('sha256').update(alert).digest('base64url').slice(0, 32);

interface Shown {
  title: string;
  body: string;
  path: string;
  tag: string;
  kind: string;
}

/** As the service worker shows it, and as browsers with declarative pushes show it without the worker. */
function toPayload(
  { title, body, path, tag, kind }: Shown,
  { userId, alert, home, badge }: Omit<Envelope, 'settings'>,
): string {
  const notification = {
    title,
    body,
    navigate: `${home}${path}`,
    tag,
    lang: 'en',
    silent: false,
    data: { id: alert, kind, user: String(userId) },
  };
  return JSON.stringify({ web_push: 8030, notification, app_badge: badge });
}

const NAME = 'Callboard';

/** The page that a push opens, and the tag under which it replaces an earlier one. */
function getTarget(kind: PushKindName, data: NotificationData, id: number): Pick<Shown, 'path' | 'tag'> {
  const { opens } = PUSH_KINDS[kind];
  const { conversation_id, audition_id } = data;
  if (opens === 'conversation' && conversation_id !== undefined)
    return { path: `/messages/${conversation_id}`, tag: `c-${conversation_id}` };
  if (opens === 'audition' && audition_id !== undefined)
    return { path: `/auditions/${audition_id}`, tag: `a-${audition_id}` };
  return { path: '/notifications', tag: `n-${id}` };
}

/** What one push says. It never quotes what a person has written. */
export function composeOne({ id, kind, actorName, isNamed, data }: Announced, envelope: Envelope): string {
  const { body, anonymous } = PUSH_KINDS[kind];
  const hidesNames = envelope.settings.hide_names || !isNamed;
  return toPayload(
    {
      title: hidesNames ? NAME : actorName,
      body: hidesNames ? anonymous : body,
      ...getTarget(kind, data, id),
      kind,
    },
    envelope,
  );
}

/** What one push says for all those of quiet hours. */
export function composeSummary(announced: readonly Announced[], envelope: Envelope): string {
  const body = describeNews(announced.map(({ kind }) => kind));
  return toPayload(
    { title: NAME, body: `While it was quiet: ${body}`, path: '/notifications', tag: 'summary', kind: 'summary' },
    envelope,
  );
}

export const composeTest = (envelope: Omit<Envelope, 'settings'>): string =>
  toPayload(
    {
      title: NAME,
      body: 'The test has arrived. Notifications work here.',
      path: '/settings',
      tag: 'test',
      kind: 'test',
    },
    envelope,
  );
