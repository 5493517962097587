import { FileLock } from 'lucide-react';
import { useState } from 'react';
import { useQuery } from '#shared/queries/use-query.ts';
import { canBeSentTwice } from '#sync/server/learn.ts';
import type { AccountDb } from '#db/database.ts';
import { Button } from '#ui/Button.tsx';
import { deviceWord } from '#ui/device.ts';
import { lazyPart } from '#ui/lazy-part.ts';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { hasWaitedLong } from './sealed-text.ts';

const SealSheet = lazyPart(async () => (await import('./SealSheet.tsx')).SealSheet);
const OpenSealedSheet = lazyPart(async () => (await import('./OpenSealedSheet.tsx')).OpenSealedSheet);

async function readOffer(db: AccountDb) {
  // Rows are read in order, so the first one is the oldest.
  const oldest = await db.outbox.orderBy('seq').first();
  return { oldest, canSeal: oldest !== undefined && (await canBeSentTwice(db)) };
}

/** Offers to save the unsent changes in a sealed file, and to open one. More urgently after a day without a connection. */
export function SealedFileCard() {
  const [now] = useState(Date.now);
  const offer = useQuery(readOffer, []);
  const sealing = useSheetParam('seal');
  const opening = useSheetParam('unseal');
  if (!offer) return null;
  const { oldest, canSeal } = offer;
  const isUrgent = canSeal && oldest !== undefined && hasWaitedLong([oldest], now);
  return (
    <section className="notice p-4" aria-labelledby="sealed-offer">
      <h2 id="sealed-offer" className="flex items-center gap-2 font-bold">
        <FileLock className="ic size-5" aria-hidden />
        {isUrgent ? 'Waiting for more than a day' : 'A second copy'}
      </h2>
      <p className="mt-1 text-sm text-muted">
        {canSeal
          ? `Save what waits here in a sealed file, in case this ${deviceWord()} is lost or cleared.`
          : 'Open a sealed file that you saved on another device.'}
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        {canSeal && (
          <Button look={isUrgent ? 'primary' : 'tonal'} onClick={() => sealing.open()}>
            Save a sealed file
          </Button>
        )}
        <Button look="line" onClick={() => opening.open()}>
          Open a sealed file
        </Button>
      </div>
      {sealing.isOpen && <SealSheet onClose={sealing.close} />}
      {opening.isOpen && <OpenSealedSheet onClose={opening.close} />}
    </section>
  );
}
