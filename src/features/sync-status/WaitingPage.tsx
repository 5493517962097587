import { getEffect } from '#db/effects.ts';
import { Check, Hand } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link, useNavigate } from '#ui/router.tsx';
import { queueSummary } from '#db/queue-summary.ts';
import { listWaiting } from '#sync/queue/waiting.ts';
import type { WaitingItem } from '#db/views.ts';
import { clockText } from '#lib/dates.ts';
import { CAPTIVE_PORTAL_MESSAGE } from '#lib/captive-portal.ts';
import { count } from '#lib/text.ts';
import { useAccount } from '#session/session.tsx';
import { useOnline } from '#shared/queries/use-online.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { Button } from '#ui/Button.tsx';
import { evictsAfterSevenDays } from '#lib/seven-day-eviction.ts';
import { deviceWord, isInstalledApp } from '#ui/device.ts';
import { usePageTitle } from '#ui/page-title.ts';
import { DeviceIcon } from '#ui/StatePill.tsx';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { KindIcon } from './KindIcon.tsx';
import { PendingRow } from './PendingRow.tsx';
import { AttentionRow } from './AttentionRow.tsx';
import { getQueueOutlook, getQueueTitle } from './waiting-text.ts';
import { SealedFileCard } from './SealedFileCard.tsx';
import { SupportDetails } from './SupportDetails.tsx';
import { lazyPart } from '#ui/lazy-part.ts';

const ConflictSheet = lazyPart(async () => (await import('./ConflictSheet.tsx')).ConflictSheet);

interface WaitingPageProps {
  /** Renders the form that edits a refused change. Passed in, because forms belong to other features. */
  fixForm: (item: WaitingItem, close: () => void) => ReactNode;
}

function startOfToday(): number {
  return new Date().setHours(0, 0, 0, 0);
}

/** Warns that Safari deletes the data of websites that are not opened for a week, unsent changes included. */
function SafariNote() {
  const install = useSheetParam('install');
  const { userAgent, maxTouchPoints } = navigator;
  if (!evictsAfterSevenDays({ userAgent, maxTouchPoints, isInstalled: isInstalledApp() })) return null;
  return (
    <p className="pb-1 text-sm text-muted">
      Safari clears websites you haven’t opened for 7 days, with what is waiting here. Open Callboard online before
      then, or{' '}
      <button type="button" className="font-semibold underline" onClick={() => install.open()}>
        install it
      </button>
      .
    </p>
  );
}

/** The Waiting to send page: the state of every unsent change, and the resolutions of those that need attention. */
export function WaitingPage({ fixForm }: WaitingPageProps) {
  usePageTitle('Waiting to send');
  const { engine } = useAccount();
  const isOnline = useOnline();
  const navigate = useNavigate();
  const since = startOfToday();
  const queue = useQuery(queueSummary, []);
  const lists = useQuery((db) => listWaiting(db, since), [since]);
  const fixing = useSheetParam('fix');
  const choosing = useSheetParam('choose');
  const [isTrying, setIsTrying] = useState(false);
  if (!queue || !lists) return null;
  const { needs, moving, savedToday } = lists;
  /** Changes that are not listed, because only the head of a long queue is. */
  const moreCount = Math.max(0, queue.waiting + queue.sending + queue.needs - needs.length - moving.length);

  const handleTry = async () => {
    setIsTrying(true);
    try {
      await engine.tryNow();
    } finally {
      setIsTrying(false);
    }
  };
  const isPortal = moving.some(({ row }) => row.lastError?.message === CAPTIVE_PORTAL_MESSAGE);
  const isWifiAwaited = moving.length > 0 && moving.every(({ waitsForWifi }) => waitsForWifi);
  const beingFixed = needs.find((item) => item.op === fixing.value);
  const beingChosen = needs.find((item) => item.op === choosing.value);
  return (
    <div className="mx-auto max-w-2xl space-y-3 px-3 pb-6 md:pt-6">
      <section className="notice flex flex-wrap items-center gap-4 p-4" aria-labelledby="waiting-truth">
        {needs.length + moving.length > 0 ? (
          <span className="grid size-12 shrink-0 place-items-center rounded-full bg-phone-tint text-phone">
            <DeviceIcon className="ic size-6" />
          </span>
        ) : (
          <span className="grid size-12 shrink-0 place-items-center rounded-full bg-saved-tint text-saved">
            <Check className="ic size-6" aria-hidden />
          </span>
        )}
        <div className="min-w-0 grow basis-40">
          <h1 id="waiting-truth" className="text-lg leading-tight font-bold">
            {getQueueTitle(queue, deviceWord())}
          </h1>
          <p className="mt-0.5 text-sm text-muted">{getQueueOutlook(queue, isOnline, { isPortal, isWifiAwaited })}</p>
        </div>
        {moving.length > 0 && !queue.signInNeeded && (
          <Button look="tonal" disabled={isTrying} onClick={() => void handleTry()}>
            Try now
          </Button>
        )}
        {queue.signInNeeded && needs.length + moving.length > 0 && (
          <Link to="/login" className="btn btn-primary">
            Sign in
          </Link>
        )}
      </section>
      {needs.length > 0 && (
        <section className="notice px-4 pb-1" aria-labelledby="waiting-needs">
          <h2 id="waiting-needs" className="flex items-center gap-2 pt-3.5 pb-1 font-bold text-needs">
            <Hand className="ic size-5" aria-hidden />
            Needs you <span className="num text-sm font-medium">{Math.max(needs.length, queue.needs)}</span>
          </h2>
          <ul>
            {needs.map((item) => (
              <AttentionRow
                key={item.changeOp}
                item={item}
                onFix={() => fixing.open(item.op)}
                onChoose={() => choosing.open(item.op)}
                onLater={() => navigate('/')}
              />
            ))}
          </ul>
        </section>
      )}
      {moving.length > 0 && (
        <section className="notice px-4 pb-1" aria-labelledby="waiting-moving">
          <h2 id="waiting-moving" className="pt-3.5 pb-1 font-bold">
            On the way <span className="num text-sm font-medium text-muted">{moving.length + moreCount}</span>
          </h2>
          <SafariNote />
          <ul>
            {moving.map((item) => (
              <PendingRow key={item.changeOp} item={item} />
            ))}
          </ul>
          {moreCount > 0 && (
            <p className="border-t border-base-300 py-3 text-sm text-muted">And {count(moreCount, 'more change')}.</p>
          )}
        </section>
      )}
      {savedToday.length > 0 && (
        <section className="notice px-4 pb-1" aria-labelledby="waiting-saved">
          <h2 id="waiting-saved" className="pt-3.5 pb-1 font-bold">
            Saved today <span className="num text-sm font-medium text-muted">{savedToday.length}</span>
          </h2>
          <ul>
            {savedToday.map((entry) => (
              <li key={entry.n} className="flex flex-wrap gap-3 border-t border-base-300 py-3 first:border-t-0">
                <KindIcon type={entry.type} kind={entry.kind} />
                <div className="min-w-0 grow basis-32">
                  <div className="leading-snug font-semibold break-words">{entry.title}</div>
                  <div className="num text-sm leading-snug text-muted">
                    {getEffect(entry) === 'delete' ? `Deleted, ${clockText(entry.at)}` : clockText(entry.at)}
                  </div>
                </div>
                <span className="state state-saved self-start">
                  <Check className="ic" aria-hidden />
                  <span>Saved</span>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <SealedFileCard />
      <SupportDetails />
      {beingFixed && fixForm(beingFixed, fixing.close)}
      {beingChosen && <ConflictSheet item={beingChosen} onClose={choosing.close} />}
    </div>
  );
}
