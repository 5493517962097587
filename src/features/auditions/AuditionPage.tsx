import { CalendarPlus, Clock, Hand } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { getRequestState, isAnsweredFinally, isDeclined, isOver } from '#contract/casting/state.ts';
import { findPack } from '#contract/rules/index.ts';
import { type AuditionView, type CastingItem, getRoleTitle, readAudition } from '#db/casting.ts';
import { countTakesByAudition } from '#db/takes.ts';
import { calendarFile } from '#lib/calendar-file.ts';
import { isOtherTime, lowerFirst, momentText, timeLeftText, zoneText } from '#lib/deadline.ts';
import { useAccount } from '#session/session.tsx';
import { CastingPageFrame } from '#shared/casting/CastingPageFrame.tsx';
import { Facts } from '#shared/casting/Facts.tsx';
import { LocalTakesPill } from '#shared/casting/LocalTakesPill.tsx';
import { Notices } from '#shared/casting/Notices.tsx';
import { Refused } from '#shared/casting/Refused.tsx';
import { RequestPill } from '#shared/casting/RequestPill.tsx';
import { projectFacts, roleFacts } from '#shared/casting/role-text.ts';
import { RequestTerms } from '#shared/casting/RequestTerms.tsx';
import { hasTape, whyNoTape } from '#shared/casting/takes-tape.ts';
import { toastOnError } from '#shared/error-text.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { PersonLine } from '#shared/people/PersonLine.tsx';
import { Button, IconButton } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { IconDisc } from '#ui/IconDisc.tsx';
import { useParams } from '#ui/router.tsx';
import { saveAs } from '#ui/save-as.ts';
import { toast } from '#ui/Toast.tsx';
import { useNow } from '#ui/use-now.ts';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { DeclineSheet } from './DeclineSheet.tsx';
import { getUnsentTakes, withTapeState } from './groups.ts';
import { History } from './History.tsx';
import { MovedDeadline } from '#shared/casting/MovedDeadline.tsx';
import { NoticeChanges } from './NoticeChanges.tsx';
import { PreparedTape } from './PreparedTape.tsx';
import { QuestionsCard } from './QuestionsCard.tsx';
import { QuestionSheet } from './QuestionSheet.tsx';
import { ShootDays } from './ShootDays.tsx';
import { TapeCard } from './TapeCard.tsx';
import { TapeSheet } from './TapeSheet.tsx';

/** What the performer is asked, and what they say to it. */
export function AuditionPage() {
  const { id = '' } = useParams();
  return (
    <CastingPageFrame
      title="Audition"
      query={(db) => readAudition(db, id)}
      deps={[id]}
      signInText="Auditions are for you alone."
      noun="audition"
    >
      {(item) => <AuditionDetails item={item} />}
    </CastingPageFrame>
  );
}

/** How long the page has to be in view until the sender is told that it was seen. */
const SEEN_AFTER_MS = 1000;

/** Tells the sender that the request was seen, once somebody can have read it. */
function useTellSeen({ id, body }: CastingItem<'audition'>): void {
  const { engine } = useAccount();
  const isNew = body.seen_at === null && body.withdrawn_at === null;
  const title = getRoleTitle(body.role, body.project);
  const tell = useEffectEvent(() => {
    const at = new Date().toISOString();
    engine.act({ type: 'audition', id, act: 'seen', fields: { at }, title }).catch(reportError);
  });
  useEffect(() => {
    if (!isNew) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watch = () => {
      clearTimeout(timer);
      if (document.visibilityState === 'visible') timer = setTimeout(tell, SEEN_AFTER_MS);
    };
    watch();
    document.addEventListener('visibilitychange', watch);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', watch);
    };
  }, [id, isNew]);
}

function saveCalendarFile(item: CastingItem<'audition'>): void {
  const { id, body } = item;
  const title = getRoleTitle(body.role, body.project);
  const file = calendarFile({
    id: `audition-${id}@${location.host}`,
    title: `Tape due: ${title}`,
    text: [body.casting.name, body.instructions].filter(Boolean).join('\n'),
    at: Date.parse(body.deadline_at),
    url: `${location.origin}/auditions/${id}`,
    writtenAt: Date.now(),
  });
  saveAs(new Blob([file], { type: 'text/calendar' }), 'audition.ics');
}

function AuditionDetails({ item }: { item: AuditionView }) {
  const { engine } = useAccount();
  const now = useNow();
  const declining = useSheetParam('decline');
  const taping = useSheetParam('tape');
  const asking = useSheetParam('question');
  useTellSeen(item);
  const takesOf = useQuery(countTakesByAudition, []);
  const localTakes = getUnsentTakes(item, takesOf);
  const { id, body, tapes } = item;
  const { role, project, casting } = body;
  const state = getRequestState(body);
  const due = Date.parse(body.deadline_at);
  const isOpen = !isOver(body, role.status) && !isAnsweredFinally(body.answers);
  const obstacle = whyNoTape(item, now);
  const isTaped = hasTape(item);
  const title = getRoleTitle(role, project);
  const newNotices = body.notice_changes.at(-1);
  const change = newNotices?.confirmed_at === null ? newNotices : undefined;
  const confirm = async () => {
    // Whoever says yes has read the words that are shown above.
    const read = change && { notices_at: change.at };
    const fields = { at: new Date().toISOString(), ...read };
    await engine.act({ type: 'audition', id, act: 'confirm', fields, title });
    toast({ text: `You said yes to ${role.name}` });
  };
  const pack = findPack(body.rules.pack);
  return (
    <div className="mx-auto grid max-w-[672px] grid-cols-1 gap-3 px-3 pt-1 pb-28 md:pt-6">
      <section className="notice flex items-center gap-3 p-4">
        <IconDisc icon={Clock} className="size-6" />
        <div className="min-w-0 grow">
          <p className="text-[1.0625rem] font-bold first-letter:uppercase">Due {lowerFirst(momentText(due, now))}</p>
          <MovedDeadline body={body} now={now} />
          <p className="text-sm text-muted">
            {timeLeftText(due, now)}
            {isOtherTime(due, body.time_zone) &&
              `. ${momentText(due, now, body.time_zone)} in ${zoneText(body.time_zone)}`}
          </p>
        </div>
        <IconButton label="Add the deadline to a calendar" icon={CalendarPlus} onClick={() => saveCalendarFile(item)} />
      </section>
      {change && state !== 'withdrawn' && (
        <NoticeChanges
          change={change}
          now={now}
          sender={casting.name}
          hasTape={isTaped}
          hasConfirmed={body.confirmed_at !== null && !isDeclined(body)}
          onConfirm={isOver(body, role.status) ? undefined : () => void toastOnError(confirm())}
        />
      )}
      {state === 'withdrawn' && (
        <section className="rounded-box bg-needs-tint p-4 break-words text-needs">
          <p className="font-bold">{casting.name} withdrew this request</p>
          <p className="text-sm">{body.withdraw_text ?? 'No tape is needed.'}</p>
        </section>
      )}
      <ShootDays id={id} audition={body} isOpen={isOpen && !isDeclined(body)} now={now} />
      <section className="notice px-4 pt-3 pb-4 md:px-5">
        <div className="flex items-start gap-2">
          <div className="min-w-0 grow">
            <h1 className="text-2xl font-bold break-words">{role.name}</h1>
            {body.round === 'callback' && <p className="font-semibold">Callback</p>}
            <p className="break-words text-muted">
              {project.title}, {projectFacts(project)}
            </p>
          </div>
          {localTakes ? <LocalTakesPill takes={localTakes} /> : <RequestPill item={withTapeState(item)} isPerformer />}
        </div>
        <Refused item={item} />
        {role.description && <p className="mt-2 leading-relaxed break-words whitespace-pre-line">{role.description}</p>}
        <Facts facts={roleFacts(role, project, body.shoot_dates)} />
        {project.synopsis && (
          <p className="mt-3 text-sm leading-relaxed break-words whitespace-pre-line text-muted">{project.synopsis}</p>
        )}
        <div className="mt-3 border-t border-base-300 pt-3">
          <PersonLine person={{ ...casting, address: null }} />
        </div>
      </section>
      <section className="notice px-4 pb-3 md:px-5">
        <Notices title="Good to know before you say yes" notices={body.notices} emptyText="Nothing special." />
        <ul>
          {body.rules.breaches.map(({ rule, text }) => (
            <li key={rule} className="flex gap-3 border-t border-base-300 py-2.5">
              <Hand className="ic mt-0.5 text-needs" aria-hidden />
              <span className="min-w-0">
                <b className="block leading-snug font-semibold">{text}</b>
                <span className="block text-sm break-words text-muted">
                  {casting.name} wrote: “{body.rules.waivers.find((waiver) => waiver.rule === rule)?.text}”
                </span>
              </span>
            </li>
          ))}
          <li className="border-t border-base-300 py-2.5 text-sm text-muted">
            Nobody may ask for nudity or for money in an audition. Rules of this request:{' '}
            {pack?.name ?? body.rules.pack}.
          </li>
        </ul>
      </section>
      <Card title="Sides and what to send">
        <RequestTerms terms={body} areSidesKept />
      </Card>
      <QuestionsCard audition={body} now={now} onAsk={() => asking.open()} />
      <TapeCard
        audition={body}
        tapes={tapes}
        now={now}
        localTakes={localTakes}
        isOpen={obstacle === null}
        onRecord={() => taping.open()}
      />
      {obstacle !== null && <PreparedTape auditionId={id} />}
      <History body={body} now={now} />
      {isOpen && !isTaped && (
        <div className="fixed inset-x-0 bottom-[calc(4.25rem+env(safe-area-inset-bottom))] z-10 border-t border-base-300 bg-base-100/98 px-3 py-2 md:bottom-0">
          <div className="mx-auto flex max-w-[648px] gap-2">
            <Button look="line" className="flex-1" disabled={isDeclined(body)} onClick={() => declining.open()}>
              {isDeclined(body) ? 'You declined' : 'Decline'}
            </Button>
            {state === 'confirmed' && !change ? (
              <span className="grid flex-1 place-items-center text-sm font-semibold text-saved">You said yes</span>
            ) : (
              <Button className="flex-1" onClick={() => void toastOnError(confirm())}>
                {isDeclined(body) ? 'Say yes after all' : state === 'confirmed' ? 'Confirm again' : 'Confirm'}
              </Button>
            )}
          </div>
        </div>
      )}
      {asking.isOpen && <QuestionSheet id={id} title={title} sender={casting} onClose={asking.close} />}
      {taping.isOpen && <TapeSheet item={item} obstacle={obstacle} onClose={taping.close} />}
      {declining.isOpen && <DeclineSheet id={id} title={title} sender={casting.name} onClose={declining.close} />}
    </div>
  );
}
