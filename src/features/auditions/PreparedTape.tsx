import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { Button } from '#ui/Button.tsx';
import { confirm } from '#ui/confirm.tsx';
import { deviceWord } from '#ui/device.ts';
import { hasPreparedTape, removePreparedTape } from './prepared-tape.ts';

/** What was prepared for an audition that takes no tape any more. The form is not opened again, so it would take room for good. */
export function PreparedTape({ auditionId }: { auditionId: string }) {
  const account = useAccount();
  const isThere = useQuery((db) => hasPreparedTape(db, auditionId), [auditionId]);
  if (!isThere) return null;
  const remove = async () => {
    const isSure = await confirm({
      title: 'Remove what you prepared?',
      text: `The videos, the CV and the texts in it are removed from this ${deviceWord()}. Your takes in the booth stay.`,
      yes: 'Remove',
      danger: true,
    });
    if (isSure) await removePreparedTape(account, auditionId);
  };
  return (
    <section className="notice flex flex-wrap items-center gap-x-3 gap-y-2 p-4">
      <p className="min-w-0 grow text-sm text-muted">What you prepared for a tape is still on this {deviceWord()}.</p>
      <Button look="tonal" onClick={() => void toastOnError(remove())}>
        Remove it
      </Button>
    </section>
  );
}
