import { Clapperboard, Video } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { AccountDb } from '#db/database.ts';
import type { Take } from '#db/rows.ts';
import { listTakes } from '#db/takes.ts';
import { useAccount, useSession } from '#session/session.tsx';
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
import { toast } from '#ui/Toast.tsx';
import { whenIdle } from '#ui/when-idle.ts';
import { prepareFinishing } from './finish-take.ts';
import { FinishSheet, type Purpose } from './FinishSheet.tsx';
import { RenameSheet } from './RenameSheet.tsx';
import { TakePlayer } from './TakePlayer.tsx';
import { TakeRow } from './TakeRow.tsx';

const PAGE = 'mx-auto max-w-2xl space-y-3 px-3 pt-1 md:pt-6';

async function readTakes(db: AccountDb) {
  const posters = new Map((await db.posters.toArray()).map(({ take, jpeg }) => [take, jpeg]));
  return { takes: await listTakes(db), posters };
}

/** The takes on this device, for somebody who is signed in. */
export function TakesPage() {
  usePageTitle('Takes');
  const { account } = useSession();
  if (account === null) {
    return (
      <ErrorPage
        icon={Clapperboard}
        title="Sign in to see your takes"
        text="Takes are kept for your account alone."
        action={<ButtonLink to="/login">Sign in</ButtonLink>}
      />
    );
  }
  return <OwnTakes />;
}

function OwnTakes() {
  const { db } = useAccount();
  const found = useQuery(readTakes, []);
  // A take that another tab was recording when that tab ended is recovered here.
  useEffect(() => {
    recoverTakes(db).catch(reportError);
    whenIdle(() => void prepareFinishing().catch(console.warn), { timeoutMs: 10_000, fallbackMs: 3000 });
  }, [db]);
  if (found === undefined) return null;
  if (found.takes.length === 0) {
    return (
      <ErrorPage
        icon={Clapperboard}
        title="No takes yet"
        text="Record one in the tape booth. It works without signal, and every second is kept."
        action={<ButtonLink to="/booth">Record a take</ButtonLink>}
      />
    );
  }
  return <TakeList {...found} />;
}

interface TakeListProps {
  takes: readonly Take[];
  posters: ReadonlyMap<string, ArrayBuffer>;
}

function TakeList({ takes, posters }: TakeListProps) {
  const { db } = useAccount();
  const [openId, setOpenId] = useState<string | null>(null);
  const [renamed, setRenamed] = useState<string | null>(null);
  const [finished, setFinished] = useState<{ take: Take; purpose: Purpose } | null>(null);
  const playable = takes.filter(({ state }) => state === 'sealed');
  const open = playable.find(({ id }) => id === openId) ?? playable[0];
  const renamedTake = takes.find(({ id }) => id === renamed);
  const remove = async (take: Take) => {
    const isSure = await confirm({
      title: `Delete ${take.name}?`,
      text: `It is only on this ${deviceWord()}. This cannot be undone.`,
      yes: 'Delete',
      danger: true,
    });
    if (!isSure) return;
    await deleteTake(db, take);
    toast({ text: `${take.name} was deleted` });
  };
  return (
    <div className={PAGE}>
      <div className="flex items-center gap-2 px-1">
        <h1 className="text-2xl font-bold max-md:sr-only">Takes</h1>
        <span className="grow" />
        <ButtonLink to="/booth" icon={Video}>
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
      {renamedTake && <RenameSheet take={renamedTake} onClose={() => setRenamed(null)} />}
      {finished && <FinishSheet {...finished} onClose={() => setFinished(null)} />}
    </div>
  );
}
