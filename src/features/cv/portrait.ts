import { useEffect, useState } from 'react';
import { fileBytes } from '#db/media-bytes.ts';
import type { AccountDb } from '#db/database.ts';
import { portraitOf, type PickedAvatar } from '#db/queries.ts';
import { getInitialCrop, PORTRAIT, toRect } from '#lib/crop.ts';
import { download } from '#net/download.ts';
import { useAccount } from '#session/session.tsx';
import { useQuery } from '#shared/queries/use-query.ts';

/** Pixels: 300 dots an inch at the size of the print. */
const WIDTH = 470;
const HEIGHT = Math.round(WIDTH / PORTRAIT);
const QUALITY = 0.85;

/** Cuts a picture to the shape of the portrait, as a JPEG without what the camera wrote into it. */
async function toPortrait(picture: Blob): Promise<ArrayBuffer | null> {
  const bitmap = await createImageBitmap(picture);
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const context = canvas.getContext('2d');
  if (context === null) return null;
  const { left, top, width, height } = toRect(getInitialCrop(bitmap), bitmap);
  // A transparent picture stands on the paper.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, left, top, width, height, 0, 0, WIDTH, HEIGHT);
  bitmap.close();
  const file = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
  return file && file.arrayBuffer();
}

async function readPicture(
  db: AccountDb,
  picked: PickedAvatar | null,
  stored: string | null,
  signal: AbortSignal,
): Promise<Blob | null> {
  if (picked) {
    const bytes = await fileBytes(db, picked.file);
    return bytes ?? (picked.file.thumb ? new Blob([picked.file.thumb]) : null);
  }
  if (stored === null) return null;
  const answer = await download({ method: 'GET', path: stored }, () => undefined, signal);
  return answer.ok ? answer.data : null;
}

export type CvPortrait =
  | { status: 'loading' | 'none' }
  /** The profile has a picture that is not on this device, or that the browser cannot read. */
  | { status: 'missing' }
  | { status: 'loaded'; bytes: ArrayBuffer };

/** The portrait of the person's own profile, for print: the one picked on this device, or the server's if this device has kept it. */
export function useCvPortrait(profileId: string): CvPortrait {
  const { db } = useAccount();
  const found = useQuery((store) => portraitOf(store, profileId), [profileId]);
  const [loaded, setLoaded] = useState<{ name: string; bytes: ArrayBuffer | null }>();
  const picked = found?.picked ?? null;
  const stored = found?.stored ?? null;
  const name = picked?.file.id ?? stored;
  useEffect(() => {
    if (name === null) return;
    const leaving = new AbortController();
    readPicture(db, picked, stored, leaving.signal)
      .then(async (picture) => picture && (await toPortrait(picture)))
      .catch((error: unknown) => {
        console.warn('The portrait could not be read', error);
        return null;
      })
      .then((bytes) => {
        if (!leaving.signal.aborted) setLoaded({ name, bytes });
      }, reportError);
    return () => leaving.abort();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the name says which picture it is
  }, [db, name]);
  if (found === undefined) return { status: 'loading' };
  if (name === null) return { status: 'none' };
  if (loaded?.name !== name) return { status: 'loading' };
  return loaded.bytes === null ? { status: 'missing' } : { status: 'loaded', bytes: loaded.bytes };
}
