import type { PushKindName } from './push-kind-names.ts';
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
  opens: 'conversation' | 'audition' | 'notifications';
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
  audition: {
    notification: 'audition.requested',
    label: 'Auditions',
    hint: 'When somebody asks you to tape',
    isOnByDefault: true,
    body: 'Asks you to audition',
    anonymous: 'You have a new audition',
    nouns: ['audition', 'auditions'],
    urgency: 'high',
    ttlS: DAY_S,
    opens: 'audition',
  },
  audition_changed: {
    notification: 'audition.changed',
    label: 'Changed auditions',
    hint: 'When the deadline, the pages or the instructions change',
    isOnByDefault: true,
    body: 'Changed what to tape',
    anonymous: 'An audition has changed',
    nouns: ['changed audition', 'changed auditions'],
    urgency: 'high',
    ttlS: DAY_S,
    opens: 'audition',
  },
  audition_reminder: {
    notification: 'audition.reminder',
    label: 'Reminders of tapes',
    hint: 'A day and two hours before a tape is due',
    isOnByDefault: true,
    body: 'Needs your tape soon',
    anonymous: 'A tape is due soon',
    nouns: ['reminder of a tape', 'reminders of tapes'],
    urgency: 'high',
    ttlS: DAY_S,
    opens: 'audition',
  },
  audition_withdrawn: {
    notification: 'audition.withdrawn',
    label: 'Withdrawn auditions',
    hint: 'When you no longer have to tape',
    isOnByDefault: true,
    body: 'Withdrew an audition',
    anonymous: 'An audition was withdrawn',
    nouns: ['withdrawn audition', 'withdrawn auditions'],
    urgency: 'high',
    ttlS: DAY_S,
    opens: 'audition',
  },
  audition_answered: {
    notification: 'audition.answered',
    label: 'Answers to auditions',
    hint: 'When you hear back',
    isOnByDefault: true,
    body: 'Answered your audition',
    anonymous: 'An audition was answered',
    nouns: ['answer to an audition', 'answers to auditions'],
    urgency: 'high',
    ttlS: DAY_S,
    opens: 'audition',
  },
  audition_watched: {
    notification: 'audition.watched',
    label: 'Watched tapes',
    hint: 'When your tape is watched for the first time',
    isOnByDefault: true,
    body: 'Watched your tape',
    anonymous: 'Your tape was watched',
    nouns: ['watched tape', 'watched tapes'],
    urgency: 'normal',
    ttlS: DAY_S,
    opens: 'audition',
  },
  tape_arrived: {
    notification: 'casting.tape_arrived',
    label: 'Tapes',
    hint: 'When the tape of somebody you asked has arrived',
    isOnByDefault: true,
    body: 'Sent a tape',
    anonymous: 'A tape has arrived',
    nouns: ['tape', 'tapes'],
    urgency: 'normal',
    ttlS: DAY_S,
    opens: 'notifications',
  },
  question: {
    notification: 'casting.question',
    label: 'Questions',
    hint: 'When somebody you asked to tape has a question',
    isOnByDefault: true,
    body: 'Has a question about an audition',
    anonymous: 'You have a question about an audition',
    nouns: ['question', 'questions'],
    urgency: 'high',
    ttlS: DAY_S,
    opens: 'conversation',
  },
  audition_declined: {
    notification: 'audition.declined',
    label: 'Declined auditions',
    hint: 'When somebody you asked says no',
    isOnByDefault: true,
    body: 'Declined to audition',
    anonymous: 'Somebody declined to audition',
    nouns: ['declined audition', 'declined auditions'],
    urgency: 'normal',
    ttlS: DAY_S,
    opens: 'notifications',
  },
  project_invited: {
    notification: 'project.invited',
    label: 'Invitations to projects',
    hint: 'When somebody wants you to watch tapes with them',
    isOnByDefault: true,
    body: 'Invites you to a project',
    anonymous: 'You are invited to a project',
    nouns: ['invitation to a project', 'invitations to projects'],
    urgency: 'normal',
    ttlS: DAY_S,
    opens: 'notifications',
  },
  project_removed: {
    notification: 'project.removed',
    label: 'Ended projects',
    hint: 'When you are no longer in somebody’s project',
    isOnByDefault: true,
    body: 'Removed you from a project',
    anonymous: 'You are no longer in a project',
    nouns: ['project that you are no longer in', 'projects that you are no longer in'],
    urgency: 'normal',
    ttlS: DAY_S,
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
} as const satisfies Record<PushKindName, PushKind>;
