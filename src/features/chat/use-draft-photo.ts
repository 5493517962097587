import { Image } from 'lucide-react';
import { useState } from 'react';
import { PHOTO_TYPES } from '#contract/limits.ts';
import { noteDraft } from '#db/messages.ts';
import { useAccount } from '#session/session.tsx';
import { toErrorText } from '#shared/error-text.ts';
import { useBusyWhile } from '#ui/busy.ts';
import { glanceAt, shrinkPhoto } from '#ui/photo-file.ts';
import { toast } from '#ui/Toast.tsx';

/** A larger photo is drawn smaller before it is stored: a message should get through where there is little signal. */
const MAX_PHOTO_BYTES = 1_500_000;

/** The photo as it is sent; null where this browser cannot read what is no photo the server takes, or is too large. */
async function toUploadable(picked: File): Promise<File | null> {
  if (picked.type in PHOTO_TYPES && picked.size <= MAX_PHOTO_BYTES) return picked;
  return shrinkPhoto(picked, MAX_PHOTO_BYTES, picked.name);
}

interface DraftPhotoActions {
  isStoring: boolean;
  /** Puts the first picture among them into the draft; resolves with the stored file's id, null where there is none. */
  pick: (files: readonly File[]) => Promise<string | null>;
  /** Takes the photo out of the draft. */
  remove: () => Promise<void>;
}

/**
 * From a picked picture to a file that is safe on this device and named by the conversation's draft, whether or not the
 * page is still open by then.
 */
export function useDraftPhoto(conversationId: string): DraftPhotoActions {
  const { db, engine } = useAccount();
  const [isStoring, setIsStoring] = useState(false);
  useBusyWhile(isStoring);
  /** One goes with a message: another takes its place. */
  const put = async (photo: string | null) => {
    const before = await noteDraft(db, conversationId, { photo }, Date.now());
    if (before !== null) await engine.dropFile(before);
  };
  const pick = async (files: readonly File[]) => {
    const picked = files.find(({ type }) => type.startsWith('image/')) ?? files[0];
    if (!picked) return null;
    setIsStoring(true);
    try {
      const photo = await toUploadable(picked);
      if (photo) {
        const { id } = await engine.importFile(photo, { ...(await glanceAt(photo)) });
        await put(id);
        return id;
      }
      toast({ text: 'Choose a JPEG or PNG photo', icon: Image });
    } catch (error) {
      toast({
        text: toErrorText(error, 'This photo could not be read. Choose another one', { noun: 'the photo' }),
        icon: Image,
      });
    } finally {
      setIsStoring(false);
    }
    return null;
  };
  return { isStoring, pick, remove: () => put(null) };
}
