import { Camera } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { AVATAR_TYPES } from '#contract/limits.ts';
import { useAccount } from '#session/session.tsx';
import { troubleWords } from '#shared/trouble.ts';
import { useBusyWhile } from '#ui/busy.ts';
import { deviceWord } from '#ui/device.ts';
import { glanceAt } from '#ui/photo-file.ts';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import { toast } from '#ui/Toast.tsx';
import { CropSheet } from './CropSheet.tsx';

interface PickedPortraitProps {
  profileId: string;
  picture: File;
  /** It is stored here and on its way, or given up. */
  onDone: () => void;
}

/** From a picked file to a portrait that is safe on this device: cut to shape, then stored, which the portrait says. */
export function PickedPortrait({ profileId, picture, onDone }: PickedPortraitProps) {
  const { engine } = useAccount();
  /** The cut portrait and how many of its bytes lie on this device. */
  const [storing, setStoring] = useState<{ stored: number; of: number } | null>(null);
  useBusyWhile(storing !== null);
  const isWrong = !(picture.type in AVATAR_TYPES);
  const leave = useRef(onDone);
  useEffect(() => {
    if (!isWrong) return;
    toast({ text: 'Choose a JPEG, PNG or WebP picture', icon: Camera });
    leave.current();
  }, [isWrong]);

  const handleCrop = async (portrait: File) => {
    setStoring({ stored: 0, of: portrait.size });
    try {
      const onProgress = (stored: number) => setStoring({ stored, of: portrait.size });
      const file = await engine.importFile(portrait, { ...(await glanceAt(portrait)), onProgress });
      await engine.setAvatar(profileId, file.id);
    } catch (error) {
      toast({ text: troubleWords(error, 'Upload failed', { noun: 'the photo' }), icon: Camera });
    } finally {
      onDone();
    }
  };
  if (isWrong) return null;
  if (!storing) return <CropSheet picture={picture} onDone={(cut) => void handleCrop(cut)} onClose={onDone} />;
  return (
    <>
      <span className="absolute inset-x-1.5 top-1.5">
        <span className="state state-phone !whitespace-normal" role="status">
          Storing on this {deviceWord()}
        </span>
      </span>
      <div className="absolute inset-x-0 bottom-0">
        <ProgressBar label="Storing your photo" done={storing.stored} of={storing.of} overPicture />
      </div>
    </>
  );
}
