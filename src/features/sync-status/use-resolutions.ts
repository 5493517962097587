import { fileBytes } from '#db/media-bytes.ts';
import type { WaitingItem } from '#db/views.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { loadUploadLimits } from '#sync/server/upload-limits.ts';
import { confirm } from '#ui/confirm.tsx';
import { copyText } from '#ui/copy-text.ts';
import { findNextRow } from '#ui/pass-focus.ts';
import { createThumbnail, shrinkPhoto } from '#ui/photo-file.ts';
import { toast } from '#ui/Toast.tsx';
import { getDiscardText } from './resolutions.ts';
import { getCopyText } from './row-text.ts';

/** Returns a function for each resolution of an unsent change. Each of them reports its own errors. */
export function useResolutions() {
  const { db, engine } = useAccount();
  const shrink = async (item: WaitingItem) => {
    const file = item.upload && (await db.media.get(item.upload.mediaId));
    const picture = file && (await fileBytes(db, file));
    const { image: maxBytes } = await loadUploadLimits(db);
    const smaller = picture && (await shrinkPhoto(picture, maxBytes, item.upload?.name ?? 'photo.jpg'));
    if (!smaller) {
      toast({ text: 'This picture can’t be made smaller here. Choose a smaller one' });
      return;
    }
    const stored = await engine.importFile(smaller, { ...(await createThumbnail(smaller)) });
    await engine.replaceFile(item.op, stored.id);
  };
  return {
    copy: (item: WaitingItem) => copyText(getCopyText(item), 'Text copied'),
    discard: async (item: WaitingItem) => {
      const passFocus = findNextRow();
      const isSure = await confirm({
        title: 'Discard this change?',
        text: getDiscardText(item),
        yes: 'Discard',
        danger: true,
      });
      if (isSure) await toastOnError(engine.discard(item.changeOp).then(passFocus));
    },
    /** Needs no confirmation: the button says what it does. */
    keepTheirs: (item: WaitingItem) => toastOnError(engine.resolveConflict(item.op, {})),
    deleteAnyway: (item: WaitingItem) => toastOnError(engine.resolveConflict(item.op, { id: 'mine' })),
    recreate: (item: WaitingItem) => toastOnError(engine.recreate(item.op)),
    send: (item: WaitingItem) => toastOnError(engine.sendAgain(item.op)),
    check: (item: WaitingItem) => toastOnError(engine.checkIfSent(item.op)),
    shrink: (item: WaitingItem) => toastOnError(shrink(item)),
  };
}
