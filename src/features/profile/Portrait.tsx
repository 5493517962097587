import { Camera } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { AVATAR_TYPES, LIMITS } from '#contract/limits.ts';
import { avatarOf } from '#db/queries.ts';
import type { MediaFile } from '#db/rows.ts';
import { initials } from '#lib/text.ts';
import { useAccount } from '#session/session.tsx';
import { useQuery } from '#session/use-query.ts';
import { StorageTrouble } from '#sync/trouble.ts';
import { LocalImage } from '#ui/LocalImage.tsx';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import { RemoteImage } from '#ui/RemoteImage.tsx';
import { StatePill } from '#ui/StatePill.tsx';
import { storageWords } from '#ui/storage-words.ts';
import { toast } from '#ui/Toast.tsx';

interface PortraitProps {
  profileId: string;
  name: string;
  /** Address of the stored picture. */
  photo: string | null;
}

/** Faces stand a little above the middle of a portrait; a wide box must not cut them at the chin. */
const FILL = 'absolute inset-0 size-full object-cover object-[50%_30%]';

/** The owner's picture with a camera button; a picked one shows at once and goes out by itself. */
export function Portrait({ profileId, name, photo }: PortraitProps) {
  const { engine } = useAccount();
  const picker = useRef<HTMLInputElement>(null);
  const picked = useQuery((db) => avatarOf(db, profileId), [profileId]);

  // Stays under the stored picture until that has come, so that nothing blinks at the acknowledgement.
  const [local, setLocal] = useState<MediaFile | null>(null);
  if (picked && picked.file.id !== local?.id) setLocal(picked.file);

  const handlePick = async (file: File) => {
    if (!(file.type in AVATAR_TYPES)) {
      toast({ text: 'Choose a JPEG, PNG or WebP picture', icon: Camera });
      return;
    }
    try {
      const { glanceAt, shrinkPhoto } = await import('#ui/photo-file.ts');
      const picture = file.size > LIMITS.uploadBytes ? await shrinkPhoto(file, LIMITS.uploadBytes, file.name) : file;
      if (!picture) {
        toast({ text: `Over ${LIMITS.uploadBytes / 1024 / 1024} MB. Choose a smaller picture`, icon: Camera });
        return;
      }
      const stored = await engine.importFile(picture, { ...(await glanceAt(picture)) });
      await engine.setAvatar(profileId, stored.id);
    } catch (error) {
      toast({ text: error instanceof StorageTrouble ? storageWords(error.reason) : 'Upload failed', icon: Camera });
      if (!(error instanceof StorageTrouble)) reportError(error);
    }
  };
  return (
    <div className="relative aspect-[4/5] w-28 shrink-0 self-start overflow-hidden rounded-xl bg-secondary md:aspect-[4/3] md:w-full md:rounded-none">
      {local?.thumb && (picked || photo) && (
        <LocalImage id={local.id} bytes={local.thumb} alt={picked ? name : ''} className={FILL} />
      )}
      {!picked?.file.thumb && photo && (
        <RemoteImage src={photo} alt={name} className={FILL} fallback={local ? null : <Initials name={name} />} />
      )}
      {!picked?.file.thumb && !photo && <Initials name={name} />}
      {picked && (
        <span className="absolute top-1.5 left-1.5">
          {picked.state === 'needs' ? (
            <Link
              to="/waiting"
              className="-my-2.5 inline-flex min-h-11 items-center"
              aria-label="Profile photo needs you"
            >
              <StatePill state="needs" />
            </Link>
          ) : (
            <StatePill state={picked.state} />
          )}
        </span>
      )}
      {picked?.state === 'sending' && (
        <div className="absolute inset-x-0 bottom-0">
          <ProgressBar label="Profile photo" done={picked.file.offset} of={picked.file.size} overPicture />
        </div>
      )}
      <button
        type="button"
        className="absolute right-1.5 bottom-1.5 grid size-11 place-items-center"
        aria-label="Change photo"
        onClick={() => picker.current?.click()}
      >
        <span className="grid size-9 place-items-center rounded-full bg-black/60 text-white">
          <Camera className="size-[18px]" strokeWidth={1.75} aria-hidden />
        </span>
      </button>
      <input
        ref={picker}
        type="file"
        hidden
        accept={Object.keys(AVATAR_TYPES).join(',')}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file) void handlePick(file);
        }}
      />
    </div>
  );
}

function Initials({ name }: { name: string }) {
  return (
    <span className="absolute inset-0 grid place-items-center text-4xl font-bold text-secondary-content" aria-hidden>
      {initials(name)}
    </span>
  );
}
