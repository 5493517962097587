import { Clapperboard, Send, Video } from 'lucide-react';
import { useEffect, useState } from 'react';
import { isAnsweredFinally } from '#contract/casting/state.ts';
import { type AuditionView, readAudition } from '#db/casting.ts';
import type { AccountDb } from '#db/database.ts';
import type { Take } from '#db/rows.ts';
import { listTakes, listTakesOf } from '#db/takes.ts';
import { lowerFirst, momentText } from '#lib/deadline.ts';
import { useAccount, useSession } from '#session/session.tsx';
import { SignInFirst } from '#shared/SignInFirst.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { recoverTakes } from '#shared/takes/recover-takes.ts';
import { deleteTake } from '#shared/takes/take-storage.ts';
import { ButtonLink } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { confirm } from '#ui/confirm.tsx';
import { deviceWord } from '#ui/device.ts';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { usePageTitle } from '#ui/page-title.ts';
import { Link, useSearchParams } from '#ui/router.tsx';
import { toast } from '#ui/Toast.tsx';
import { useNow } from '#ui/use-now.ts';
import { whyNoTape } from '#shared/casting/takes-tape.ts';
import { prepareFinishing } from '#shared/takes/finish-take.ts';
import { FinishSheet, type Purpose } from './FinishSheet.tsx';
import { RenameSheet } from './RenameSheet.tsx';
import { TakePlayer } from './TakePlayer.tsx';
import { TakeRow } from './TakeRow.tsx';

const PAGE = 'mx-auto max-w-2xl space-y-3 px-3 pt-1 md:pt-6';

/** @param auditionId its takes alone; null: all that are on this device */
async function readTakes(db: AccountDb, auditionId: string | null) {
  const posters = new Map((await db.posters.toArray()).map(({ take, jpeg }) => [take, jpeg]));
  const takes = auditionId === null ? await listTakes(db) : await listTakesOf(db, auditionId);
  const audition = auditionId === null ? null : await readAudition(db, auditionId);
  return { takes, posters, audition };
}

/** Whether the other side has not answered yet what these takes were recorded for: they may be needed once more. */
async function isUnanswered(db: AccountDb, { audition }: Take): Promise<boolean> {
  const asked = audition && (await readAudition(db, audition.id));
  return !!asked && asked.body.withdrawn_at === null && !isAnsweredFinally(asked.body.answers);
}

/** The takes on this device, for somebody who is signed in. */
export function TakesPage() {
  usePageTitle('Takes');
  const { account } = useSession();
  if (account === null) {
    return (
      <SignInFirst
        icon={Clapperboard}
        title="Sign in to see your takes"
        text="Takes are kept for your account alone."
      />
    );
  }
  return <OwnTakes />;
}

function OwnTakes() {
  const { db } = useAccount();
  const [params] = useSearchParams();
  const auditionId = params.get('audition');
  const found = useQuery((store) => readTakes(store, auditionId), [auditionId]);
  // A take that another tab was recording when that tab ended is recovered here.
  useEffect(() => {
    recoverTakes(db).catch(reportError);
    void prepareFinishing();
  }, [db]);
  if (found === undefined) return null;
  if (found.takes.length === 0) {
    return (
      <ErrorPage
        icon={Clapperboard}
        title={found.audition ? `No takes for ${found.audition.body.role.name} yet` : 'No takes yet'}
        text="Record one in the tape booth. It works without signal, and every second is kept."
        action={<ButtonLink to={getBoothPath(found.audition)}>Record a take</ButtonLink>}
      />
    );
  }
  return <TakeList {...found} />;
}

const getBoothPath = (audition: AuditionView | null) =>
  audition === null ? '/booth' : `/booth?audition=${audition.id}`;

interface TakeListProps {
  /** What all of these takes were recorded for, if the list is for one audition. */
  audition: AuditionView | null;
  takes: readonly Take[];
  posters: ReadonlyMap<string, ArrayBuffer>;
}

function TakeList({ takes, posters, audition }: TakeListProps) {
  const { db } = useAccount();
  const [openId, setOpenId] = useState<string | null>(null);
  const [renamed, setRenamed] = useState<string | null>(null);
  const [finished, setFinished] = useState<{ take: Take; purpose: Purpose } | null>(null);
  const now = useNow();
  const playable = takes.filter(({ state }) => state === 'sealed');
  const open = playable.find(({ id }) => id === openId) ?? playable[0];
  const obstacle = audition && whyNoTape(audition, now);
  const renamedTake = takes.find(({ id }) => id === renamed);
  const remove = async (take: Take) => {
    const isSure = await confirm({
      title: `Delete ${take.name}?`,
      text: `It is only on this ${deviceWord()}. This cannot be undone.`,
      yes: 'Delete',
      danger: true,
    });
    if (!isSure) return;
    const isSurer =
      !(await isUnanswered(db, take)) ||
      (await confirm({
        title: `Delete it although ${take.audition?.title} is open?`,
        text: 'You have no final answer yet. What you have sent stays sent, but you could not send this take again.',
        yes: 'Delete all the same',
        danger: true,
      }));
    if (!isSurer) return;
    await deleteTake(db, take);
    toast({ text: `${take.name} was deleted` });
  };
  return (
    <div className={PAGE}>
      <div className="flex items-center gap-2 px-1">
        <div className="min-w-0 grow">
          <h1 className={`text-2xl font-bold break-words ${audition ? '' : 'max-md:sr-only'}`}>
            {audition ? `Takes for ${audition.body.role.name}` : 'Takes'}
          </h1>
          {audition && (
            <p className="text-sm text-muted">
              Due {lowerFirst(momentText(Date.parse(audition.body.deadline_at), now))}
            </p>
          )}
        </div>
        <ButtonLink to={getBoothPath(audition)} icon={Video} look={audition ? 'tonal' : 'primary'}>
          Record a take
        </ButtonLink>
      </div>
      {open && (
        <Card title={open.name}>
          <TakePlayer key={open.id} take={open} />
        </Card>
      )}
      <Card title={`On this ${deviceWord()}`} count={takes.length}>
        <ul>
          {takes.map((take) => (
            <TakeRow
              key={take.id}
              take={take}
              isOfList={audition !== null}
              poster={posters.get(take.id)}
              isOpen={take === open}
              onOpen={() => setOpenId(take.id)}
              onRename={() => setRenamed(take.id)}
              onSave={() => setFinished({ take, purpose: 'file' })}
              onAdd={() => setFinished({ take, purpose: 'portfolio' })}
              onDelete={() => void toastOnError(remove(take))}
            />
          ))}
        </ul>
      </Card>
      {audition && (
        <div className="sticky bottom-[calc(4.25rem+env(safe-area-inset-bottom))] z-10 bg-base-100/98 py-2 md:bottom-0">
          {obstacle === null ? (
            <ButtonLink to={`/auditions/${audition.id}?tape=`} icon={Send} className="w-full">
              Send as a tape
            </ButtonLink>
          ) : (
            <p className="text-center text-sm text-muted">
              {obstacle}{' '}
              <Link to={`/auditions/${audition.id}`} className="link">
                Open the audition
              </Link>
            </p>
          )}
        </div>
      )}
      {renamedTake && <RenameSheet take={renamedTake} onClose={() => setRenamed(null)} />}
      {finished && <FinishSheet {...finished} onClose={() => setFinished(null)} />}
    </div>
  );
}
