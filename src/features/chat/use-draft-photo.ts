import { Image } from 'lucide-react';
import { useState } from 'react';
import { PHOTO_TYPES } from '#contract/limits.ts';
import { saveMessageDraft } from '#db/messages.ts';
import { useAccount } from '#session/session.tsx';
import { toErrorText } from '#shared/error-text.ts';
import { useBusyWhile } from '#ui/busy.ts';
import { createThumbnail, shrinkPhoto } from '#ui/photo-file.ts';
import { toast } from '#ui/Toast.tsx';

/** A larger photo is resized before it is stored, so that it can be sent over a weak connection. */
const MAX_PHOTO_BYTES = 1_500_000;

/** Returns the photo in a type and size that the server accepts, or null if this browser cannot decode it to convert it. */
async function toUploadable(picked: File): Promise<File | null> {
  if (picked.type in PHOTO_TYPES && picked.size <= MAX_PHOTO_BYTES) return picked;
  return shrinkPhoto(picked, MAX_PHOTO_BYTES, picked.name);
}

interface DraftPhotoActions {
  isStoring: boolean;
  /** Stores the first image of the files in the draft. Resolves with the id of the stored file, or null on failure. */
  pick: (files: readonly File[]) => Promise<string | null>;
  /** Removes the photo from the draft. */
  remove: () => Promise<void>;
}

/** Stores a picked photo on this device and in the draft of a conversation, even if the page is closed meanwhile. */
export function useDraftPhoto(conversationId: string): DraftPhotoActions {
  const { db, engine } = useAccount();
  const [isStoring, setIsStoring] = useState(false);
  useBusyWhile(isStoring);
  /** A message has one photo, so a new one replaces it. */
  const setPhoto = async (photo: string | null) => {
    const previous = await saveMessageDraft(db, conversationId, { photo }, Date.now());
    if (previous !== null) await engine.dropFile(previous);
  };
  const pick = async (files: readonly File[]) => {
    const picked = files.find(({ type }) => type.startsWith('image/')) ?? files[0];
    if (!picked) return null;
    setIsStoring(true);
    try {
      const photo = await toUploadable(picked);
      if (photo) {
        const { id } = await engine.importFile(photo, { ...(await createThumbnail(photo)) });
        await setPhoto(id);
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
  return { isStoring, pick, remove: () => setPhoto(null) };
}
