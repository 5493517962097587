/** The kinds of push, by their names in the settings and in the order in which Settings lists them. Apart from their words, which few pages need. */
export const PUSH_KIND_NAMES = [
  'message',
  'request',
  'accepted',
  'feedback',
  'audition',
  'audition_changed',
  'audition_reminder',
  'audition_withdrawn',
  'audition_answered',
  'audition_watched',
  'tape_arrived',
  'question',
  'audition_declined',
  'project_invited',
  'project_removed',
  'saved',
] as const;
export type PushKindName = (typeof PUSH_KIND_NAMES)[number];
