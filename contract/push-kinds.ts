import type { NotificationType } from './records/notifications.ts';

/** A kind of push: what it says, how urgent it is, and the switch that turns it off. */
export interface PushKind {
  /** The notification that it announces. */
  notification: NotificationType;
  /** The switch in Settings. */
  label: string;
  hint: string;
  isOnByDefault: boolean;
  /** Below the name of the person. */
  body: string;
  /** In place of name and body, for those who want no names on the lock screen. */
  anonymous: string;
  /** For several pushes that are gathered in one: one of them, and more. */
  nouns: readonly [one: string, more: string];
  urgency: 'high' | 'normal';
  /** A push that cannot be delivered within this time is worth nothing. */
  ttlS: number;
  /** What a tap opens. */
  opens: 'conversation' | 'notifications';
}

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

/** Every kind of push, by its name in the settings. */
export const PUSH_KINDS = {
  message: {
    notification: 'message.received',
    label: 'Messages',
    hint: 'From people you are connected with',
    isOnByDefault: true,
    body: 'Sent you a message',
    anonymous: 'You have a new message',
    nouns: ['message', 'messages'],
    urgency: 'high',
    ttlS: DAY_S,
    opens: 'conversation',
  },
  request: {
    notification: 'connection.requested',
    label: 'Requests',
    hint: 'When somebody wants to connect',
    isOnByDefault: true,
    body: 'Wants to connect with you',
    anonymous: 'You have a new request',
    nouns: ['request', 'requests'],
    urgency: 'high',
    ttlS: DAY_S,
    opens: 'notifications',
  },
  accepted: {
    notification: 'connection.accepted',
    label: 'Accepted requests',
    hint: 'When somebody accepts your request',
    isOnByDefault: true,
    body: 'Accepted your request',
    anonymous: 'Your request was accepted',
    nouns: ['accepted request', 'accepted requests'],
    urgency: 'normal',
    ttlS: HOUR_S,
    opens: 'notifications',
  },
  feedback: {
    notification: 'feedback.received',
    label: 'Feedback',
    hint: 'When somebody writes on your profile',
    isOnByDefault: true,
    body: 'Left you feedback',
    anonymous: 'You have new feedback',
    nouns: ['piece of feedback', 'pieces of feedback'],
    urgency: 'normal',
    ttlS: HOUR_S,
    opens: 'notifications',
  },
  saved: {
    notification: 'profile.saved',
    label: 'Saved profile',
    hint: 'When somebody saves your profile',
    isOnByDefault: false,
    body: 'Saved your profile',
    anonymous: 'Your profile was saved',
    nouns: ['save of your profile', 'saves of your profile'],
    urgency: 'normal',
    ttlS: HOUR_S,
    opens: 'notifications',
  },
} as const satisfies Record<string, PushKind>;

export type PushKindName = keyof typeof PUSH_KINDS;

export const PUSH_KIND_NAMES = Object.keys(PUSH_KINDS) as PushKindName[];
