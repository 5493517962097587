import type { AuditRecord, DeskReport } from '#contract/records/desk.ts';
import type { ReportTarget } from '#contract/report-targets.ts';
import { detectScamSign } from '#contract/scam-words.ts';

const TARGETS: Record<ReportTarget, string> = {
  user: 'Person',
  profile: 'Profile',
  media: 'File',
  message: 'Message',
  feedback: 'Feedback',
  request: 'Request',
  audition: 'Audition',
};
export const getTargetWord = ({ target_type }: Pick<DeskReport, 'target_type'>): string => TARGETS[target_type];

const ACTS: Record<string, string> = {
  look: 'looked at this',
  hide: 'hid it',
  'hide.undo': 'showed it again',
  suspend: 'suspended the person',
  'suspend.undo': 'lifted the suspension',
  'report.close': 'closed the report',
  'report.close.undo': 'opened the report again',
  'appeal.answer': 'answered the appeal',
  'appeal.answer.undo': 'took the answer back',
  'sessions.end': 'signed the person out everywhere',
  'reset.send': 'sent a link for a new password',
  'account.remove': 'removed the account',
  'account.remove.undo': 'gave the account back',
  'moderator.make': 'made the person a moderator',
  'moderator.make.undo': 'took that back',
  'moderator.unmake': 'ended the work as a moderator',
  'moderator.unmake.undo': 'took that back',
  'office.verify': 'verified the office',
  'office.verify.undo': 'took the badge back',
  'office.revoke': 'took the badge back',
  'office.revoke.undo': 'gave the badge back',
  'age.grant': 'corrected the date of birth',
  'age.grant.undo': 'took the correction back',
  'age.decline': 'declined to correct the date of birth',
  'age.decline.undo': 'opened the request again',
  'operator.make': 'made the person an operator',
  'operator.unmake': 'ended the work as an operator',
};
/** What somebody did, after their name. */
export const getActWords = ({ act }: Pick<AuditRecord, 'act'>): string => ACTS[act] ?? act;

/** The sentences of a text; suspicious ones are marked. */
export const splitSentences = (text: string): { words: string; isSuspicious: boolean }[] =>
  (text.match(/[^.!?\n]*[.!?\n]*\s*/g) ?? [])
    .filter((words) => words !== '')
    .map((words) => ({ words, isSuspicious: detectScamSign(words) !== null }));

/** '16 Nov 2026, 16:02', in the device's time zone. */
export const momentText = (at: string): string =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }).format(
    new Date(at),
  );
