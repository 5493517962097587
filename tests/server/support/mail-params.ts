/** What each kind of mail needs, for kinds that need anything. */
export const MAIL_PARAMS: Readonly<Record<string, Record<string, unknown>>> = {
  'password.changed': { at: '2026-11-21T09:00:00Z' },
  'email.changed': { at: '2026-11-21T09:00:00Z', to: 'noor@callboard.example' },
  'signin.new': { at: '2026-11-21T09:00:00Z', device: 'Chrome on Android', timeZone: 'Asia/Kolkata' },
  news: { news: [{ alert: '2f1c1a52-6a57-4a0f-9c86-0d3f6f3f8b11', kind: 'request' }] },
  'passkey.added': { at: '2026-11-21T09:00:00Z', name: 'Studio laptop', passkey: 'id' },
  'passkey.removed': { at: '2026-11-21T09:00:00Z', name: 'Studio laptop' },
  'passkey.refused': { at: '2026-11-21T09:00:00Z', name: 'Studio laptop' },
  'recovery.used': { at: '2026-11-21T09:00:00Z', device: 'Chrome on Android', left: 9 },
  'account.deleted': { name: 'Ila' },
  'moderation.hidden': { noun: 'photo', words: 'It shows somebody who did not agree to it.' },
  'moderation.removed': { words: 'It belongs to somebody else.', at: '2026-11-28T09:00:00Z' },
  'moderation.suspended': { words: 'You wrote the same message to forty people.', until: null },
  'age.granted': { isAdult: true },
  'age.declined': { words: 'We could not find anything that confirms this date.' },
  'guardian.done': { state: 'agreed' },
  'guardian.told': { state: 'withdrawn' },
};
