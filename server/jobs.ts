import type { Deps } from './platform/deps.ts';
import { protectKnownMinors, tellOfAge } from './features/account/age.ts';
import { deleteOldAgeRequests } from './features/account/age-requests.ts';
import { remindPerformers } from './features/auditions/remind.ts';
import { deleteOldTapes } from './features/auditions/tapes-tidy.ts';
import { deletePastDays, endExpiredDays } from './features/availability/tidy.ts';
import { deleteUnusedSides } from './features/casting/sides.ts';
import { remindGuardians } from './features/account/guardian.ts';
import { ERASE_ACCOUNT, eraseAccount } from './features/account/erase.ts';
import { deleteOldChallenges } from './features/account/challenges.ts';
import { noteErasure } from './features/account/erasure-file.ts';
import { deleteOldDevices } from './features/account/devices.ts';
import { deleteOldNetworks } from './features/account/known-devices.ts';
import { endExpiredSessions } from './features/account/store.ts';
import { finishRemoval, REMOVE_ACCOUNT } from './features/desk/acts/account.ts';
import { endSuspension, SUSPENSION_ENDED } from './features/desk/acts/suspend.ts';
import { deleteOldReports } from './features/desk/reports.ts';
import { judgeDeskMailOf, mailDesk } from './features/desk/waiting-mail.ts';
import { deleteOldLinks } from './features/mail/links.ts';
import { SEND_MAIL } from './features/mail/queue.ts';
import { DESK_WAITING } from './features/mail/templates/desk-waiting.ts';
import { NEWS } from './features/mail/templates/news.ts';
import { sendMail, tidyMails, type MailParts } from './features/mail/send.ts';
import { deleteOldNotifications } from './features/notifications/store.ts';
import { releasePushes } from './features/push/hold.ts';
import { judgeNewsOf, mailNews } from './features/push/news-mail.ts';
import { FAN_OUT_PUSH, fanOutPush, RELEASE_PUSHES, SEND_PUSH } from './features/push/queue.ts';
import { sendPush, type PushParts } from './features/push/send.ts';
import { deleteOldDeliveries } from './features/push/tidy.ts';
import { checkUpload } from './features/media/direct/check.ts';
import { CHECK_UPLOAD } from './features/uploads/direct.ts';
import { sweepFiles } from './features/uploads/sweep.ts';
import { deleteEndedWindows } from './platform/http/shared-limiter.ts';
import { everyFiveMinutes, everyHour, handleJob, type JobHandler } from './platform/jobs/handlers.ts';
import { deleteIdleSockets } from './platform/live/socket-registry.ts';
import { REMOVE_FILES } from './platform/storage/remove-files.ts';
import { removeUnreferenced } from './platform/storage/sweep.ts';
import { prepareInsights } from './read-models/insights/store.ts';
import { deleteUnusedTerms } from './read-models/search/indexer.ts';
import { deleteOldResponses, deleteOldTombstones, trimOldMessages } from './read-models/sync/retention.ts';

type Senders = Pick<MailParts, 'mailer' | 'home'> & { pushSender?: PushParts['sender'] };

/** Every background job. Each works in steps that hold locks for at most a second, and can be interrupted between steps. */
export function jobHandlers(
  deps: Pick<Deps, 'config' | 'db' | 'storage' | 'clock' | 'metrics' | 'log' | 'inspector' | 'floor'>,
  { pushSender = null, ...mail }: Senders,
): JobHandler[] {
  const { config, db, storage, clock, metrics, log } = deps;
  const now = () => clock.now();
  const judges = { [NEWS.name]: judgeNewsOf(db), [DESK_WAITING.name]: judgeDeskMailOf(db) };
  return [
    handleJob(ERASE_ACCOUNT, async ({ user }) => {
      await noteErasure(db, config.dataDir, user, now());
      await eraseAccount(db, user);
    }),
    handleJob(SEND_MAIL, (payload) => sendMail({ db, clock, metrics, judges, ...mail }, payload.mail)),
    everyFiveMinutes('desk.mail', () => mailDesk({ db, clock })),
    everyFiveMinutes('news.mail', ({ signal }) => mailNews({ db, clock, afterMs: config.newsMailAfterMs }, signal)),
    everyFiveMinutes('auditions.remind', () => remindPerformers(db, now())),
    everyFiveMinutes('availability.expire', () => endExpiredDays(db, now())),
    handleJob(FAN_OUT_PUSH, ({ alert }) => fanOutPush(db, alert, now())),
    handleJob(SEND_PUSH, (payload, run) =>
      sendPush({ db, clock, log, metrics, sender: pushSender, home: mail.home }, payload, run),
    ),
    handleJob(RELEASE_PUSHES, ({ subscription }) => releasePushes(db, subscription, now())),
    handleJob(SUSPENSION_ENDED, ({ act }) => endSuspension(db, act, now())),
    handleJob(REMOVE_ACCOUNT, ({ act }) => finishRemoval(db, act, now())),
    handleJob(CHECK_UPLOAD, ({ upload }) => checkUpload(deps, upload)),
    handleJob(REMOVE_FILES, ({ keys }) => removeUnreferenced(db, storage, keys)),
    everyHour('guardian.remind', 1, () => remindGuardians(db, now())),
    everyHour('age.turned', 3, async () => {
      await protectKnownMinors(db, now());
      await tellOfAge(db, now());
    }),
    everyHour('insights.prepare', 2, () => prepareInsights(db, now())),
    everyHour('tidy.limits', 4, () => deleteEndedWindows(db, now())),
    everyHour('tidy.challenges', 5, () => deleteOldChallenges(db, now())),
    everyHour('tidy.sessions', 7, () => endExpiredSessions(db, now())),
    everyHour('tidy.devices', 9, () => deleteOldDevices(db, now())),
    everyHour('tidy.tombstones', 12, () => deleteOldTombstones(db, now())),
    everyHour('tidy.availability', 13, () => deletePastDays(db, now())),
    everyHour('tidy.tapes', 14, () => deleteOldTapes(db, now())),
    everyHour('tidy.sides', 15, () => deleteUnusedSides(db, now())),
    everyHour('tidy.feeds', 17, () => trimOldMessages(db, now())),
    everyHour('tidy.answers', 22, () => deleteOldResponses(db, now())),
    everyHour('tidy.notifications', 27, () => deleteOldNotifications(db, now())),
    everyHour('tidy.networks', 32, () => deleteOldNetworks(db, now())),
    everyHour('tidy.sockets', 37, () => deleteIdleSockets(db, now())),
    everyHour('tidy.words', 42, () => deleteUnusedTerms(db)),
    everyHour('tidy.deliveries', 50, () => deleteOldDeliveries(db, now())),
    everyHour('tidy.mails', 52, () => tidyMails(db, now())),
    everyHour('tidy.links', 57, () => deleteOldLinks(db, now())),
    everyHour('tidy.reports', 59, () => deleteOldReports(db, now())),
    everyHour('tidy.ages', 54, () => deleteOldAgeRequests(db, now())),
    everyHour('tidy.files', 47, () => sweepFiles({ db, storage, clock })),
  ];
}
