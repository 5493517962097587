import { useState } from 'react';
import { OFFLINE_BUDGETS_BYTES, getOfflineBudget, setOfflineBudget } from '#shared/offline-media/offline-cache.ts';
import { fileSize } from '#lib/amounts.ts';
import { count } from '#lib/text.ts';
import { unpinAllMedia, useOfflineMedia } from '#shared/offline-media/use-offline-media.ts';
import { clearPages } from '#db/cached-pages.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { Button } from '#ui/Button.tsx';
import { ChoiceChips } from '#ui/ChoiceChips.tsx';
import { confirm } from '#ui/confirm.tsx';
import { deviceWord } from '#ui/device.ts';

const toSizeLabel = (bytes: number) => (bytes < 1024 ** 3 ? `${bytes / 1024 ** 2} MB` : `${bytes / 1024 ** 3} GB`);

/** The storage used by pinned offline media, its limit, and a button that removes all of them. */
export function OfflineStorageSection() {
  const { db } = useAccount();
  const { kept } = useOfflineMedia();
  const [budget, setBudget] = useState(getOfflineBudget);
  if (kept === null) return null;
  const usedBytes = [...kept.values()].reduce((sum, bytes) => sum + bytes, 0);
  const handleRemove = async () => {
    const title = `Remove ${fileSize(usedBytes)} of offline media from this ${deviceWord()}?`;
    if (!(await confirm({ title, yes: 'Remove', no: 'Keep it' }))) return;
    const removeAll = async () => {
      await clearPages(db);
      await unpinAllMedia();
    };
    await toastOnError(removeAll());
  };
  return (
    <div className="mt-4 space-y-3 border-t border-base-300 pt-4">
      <ChoiceChips
        label="Space for media you keep offline"
        name="keep-budget"
        options={OFFLINE_BUDGETS_BYTES.map((bytes) => ({ value: String(bytes), label: toSizeLabel(bytes) }))}
        value={String(budget)}
        onChange={(value) => {
          setOfflineBudget(Number(value));
          setBudget(Number(value));
        }}
      />
      <p className="num text-sm text-muted">
        {usedBytes === 0 ? 'Nothing is kept offline yet.' : `${fileSize(usedBytes)} in ${count(kept.size, 'file')}.`}
      </p>
      {usedBytes > 0 && (
        <Button look="tonal" onClick={() => void handleRemove()}>
          Remove all offline media
        </Button>
      )}
    </div>
  );
}
