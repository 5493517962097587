import { Image } from 'lucide-react';
import { useState } from 'react';
import { PHOTO_TYPES } from '#contract/limits.ts';
import { useAccount } from '#session/session.tsx';
import { troubleWords } from '#session/trouble.ts';
import { useBusyWhile } from '#ui/busy.ts';
import { glanceAt, shrinkPhoto } from '#ui/photo-file.ts';
import { toast } from '#ui/Toast.tsx';

/** A larger photo is drawn smaller before it is stored: a message should get through where there is little signal. */
const MOST_BYTES = 1_500_000;

/** The photo as it is sent; null where this browser cannot read what is no photo the server takes, or is too large. */
async function readyToSend(picked: File): Promise<File | null> {
  if (picked.type in PHOTO_TYPES && picked.size <= MOST_BYTES) return picked;
  return shrinkPhoto(picked, MOST_BYTES, picked.name);
}

interface PickedPhoto {
  isStoring: boolean;
  /** Stores the first picture among them; resolves with the stored file's id, null where there is none. */
  pick: (files: readonly File[]) => Promise<string | null>;
}

/** From a picked picture to a file that is safe on this device. */
export function usePickedPhoto(): PickedPhoto {
  const { engine } = useAccount();
  const [isStoring, setIsStoring] = useState(false);
  useBusyWhile(isStoring);
  const pick = async (files: readonly File[]) => {
    const picked = files.find(({ type }) => type.startsWith('image/')) ?? files[0];
    if (!picked) return null;
    setIsStoring(true);
    try {
      const photo = await readyToSend(picked);
      if (photo) return (await engine.importFile(photo, { ...(await glanceAt(photo)) })).id;
      toast({ text: 'Choose a JPEG or PNG photo', icon: Image });
    } catch (error) {
      toast({ text: troubleWords(error, 'This photo could not be read'), icon: Image });
    } finally {
      setIsStoring(false);
    }
    return null;
  };
  return { isStoring, pick };
}
