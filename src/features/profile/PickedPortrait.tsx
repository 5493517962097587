import { Camera } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { AVATAR_TYPES } from '#contract/limits.ts';
import { useAccount } from '#session/session.tsx';
import { toErrorText } from '#shared/error-text.ts';
import { useUploadLimits } from '#shared/queries/use-upload-limits.ts';
import { useBusyWhile } from '#ui/busy.ts';
import { deviceWord } from '#ui/device.ts';
import { createThumbnail } from '#ui/photo-file.ts';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import { toast } from '#ui/Toast.tsx';
import { CropSheet } from './CropSheet.tsx';

interface PickedPortraitProps {
  profileId: string;
  picture: File;
  /** Called when the portrait is stored and queued, or when the person has given up. */
  onDone: () => void;
}

/** Crops a picked file, then stores it on this device, with progress shown on the portrait. */
export function PickedPortrait({ profileId, picture, onDone }: PickedPortraitProps) {
  const { engine } = useAccount();
  const limits = useUploadLimits();
  /** Progress of storing the cropped portrait, in bytes. */
  const [storing, setStoring] = useState<{ stored: number; of: number } | null>(null);
  useBusyWhile(storing !== null);
  const isUnsupported = !(picture.type in AVATAR_TYPES);
  const close = useEffectEvent(onDone);
  useEffect(() => {
    if (!isUnsupported) return;
    toast({ text: 'Choose a JPEG, PNG or WebP picture', icon: Camera });
    close();
  }, [isUnsupported]);

  const handleCrop = async (portrait: File) => {
    setStoring({ stored: 0, of: portrait.size });
    try {
      const onProgress = (stored: number) => setStoring({ stored, of: portrait.size });
      const file = await engine.importFile(portrait, { ...(await createThumbnail(portrait)), onProgress });
      await engine.setAvatar(profileId, file.id);
    } catch (error) {
      toast({ text: toErrorText(error, 'Upload failed', { noun: 'the photo' }), icon: Camera });
    } finally {
      onDone();
    }
  };
  if (isUnsupported) return null;
  if (!storing) {
    if (limits === undefined) return null;
    const { image: maxBytes } = limits;
    const handleDone = (cropped: File) => void handleCrop(cropped);
    return <CropSheet picture={picture} maxBytes={maxBytes} onDone={handleDone} onClose={onDone} />;
  }
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
