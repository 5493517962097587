import { Camera, UserRound } from 'lucide-react';
import { useState, type RefObject } from 'react';
import { Link } from '#ui/router.tsx';
import { portraitOf } from '#db/queries.ts';
import type { MediaFile } from '#db/rows.ts';
import { initials } from '#lib/text.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { FilePicker } from '#ui/FilePicker.tsx';
import { LocalImage } from '#ui/LocalImage.tsx';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import { RemoteImage } from '#ui/RemoteImage.tsx';
import { StatePill } from '#ui/StatePill.tsx';
import type { PickedPortrait } from './PickedPortrait.tsx';

interface PortraitProps {
  profileId: string;
  picker: RefObject<HTMLInputElement | null>;
  name: string;
  /** URL of the server's picture, shown until the portrait has been read from the store. */
  photo: string | null;
}

/** Faces are a little above the middle of a portrait; a wide box must not cut them off at the chin. */
const FILL = 'absolute inset-0 size-full object-cover object-[50%_30%]';

/** The owner's picture with a camera button. A picked picture is cropped, shown at once and uploaded in the background. */
export function Portrait({ profileId, picker, name, photo: initialPhoto }: PortraitProps) {
  // One query for both: once the new picture is acknowledged, the old one no longer exists on the server.
  const portrait = useQuery((db) => portraitOf(db, profileId), [profileId]);
  const picked = portrait?.picked;
  const photo = portrait ? portrait.stored : initialPhoto;

  // The local picture stays behind the server's until that has loaded, so that nothing flickers at the acknowledgement.
  const [local, setLocal] = useState<MediaFile | null>(null);
  if (picked && picked.file.id !== local?.id) setLocal(picked.file);

  const [chosen, setChosen] = useState<{ picture: File; Picked: typeof PickedPortrait } | null>(null);
  const handlePick = async (picture: File) => {
    const { PickedPortrait: Picked } = await import('./PickedPortrait.tsx');
    setChosen({ picture, Picked });
  };
  const isEmpty = !picked && !photo;
  return (
    <div className="relative aspect-[4/5] w-28 shrink-0 self-start overflow-hidden rounded-xl bg-secondary md:aspect-[4/3] md:w-full md:rounded-none">
      {local?.thumb && (picked || photo) && (
        <LocalImage id={local.id} bytes={local.thumb} alt={picked ? name : ''} className={FILL} />
      )}
      {!picked?.file.thumb && photo && (
        <RemoteImage src={photo} alt={name} className={FILL} fallback={local ? null : <Initials name={name} />} />
      )}
      {!picked?.file.thumb && !photo && !isEmpty && <Initials name={name} />}
      {picked && !chosen && (
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
        className={
          isEmpty
            ? 'absolute inset-0 grid place-content-center justify-items-center gap-1.5 rounded-[inherit] border border-dashed border-field bg-base-100 text-sm font-semibold text-primary md:rounded-none md:border-x-0 md:border-t-0'
            : 'absolute right-1.5 bottom-1.5 grid size-11 place-items-center'
        }
        aria-label={isEmpty ? 'Add photo' : 'Change photo'}
        onClick={() => picker.current?.click()}
      >
        {isEmpty ? (
          <>
            <UserRound className="size-9" strokeWidth={1.25} aria-hidden />
            Add photo
          </>
        ) : (
          <span className="grid size-9 place-items-center rounded-full bg-black/60 text-white">
            <Camera className="size-[18px]" strokeWidth={1.75} aria-hidden />
          </span>
        )}
      </button>
      <FilePicker
        ref={picker}
        accept="image/jpeg,image/png,image/webp"
        onPick={([file]) => {
          if (file) handlePick(file).catch(reportError);
        }}
      />
      {chosen && <chosen.Picked profileId={profileId} picture={chosen.picture} onDone={() => setChosen(null)} />}
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
