import { Film } from 'lucide-react';
import type { AccountDb } from '#db/database.ts';
import type { Take } from '#db/rows.ts';
import { getChosenSeconds, listTakes } from '#db/takes.ts';
import { formatDuration } from '#lib/dates.ts';
import { count } from '#lib/text.ts';
import { LeaveLink } from '#shared/picked-files/LeaveLink.tsx';
import type { PickedFile } from '#shared/picked-files/picked-files.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { deviceWord } from '#ui/device.ts';
import { LocalImage } from '#ui/LocalImage.tsx';

/** The whole takes on this device: those of the audition first, newest first. */
async function readChoices(db: AccountDb, auditionId: string) {
  const posters = new Map((await db.posters.toArray()).map(({ take, jpeg }) => [take, jpeg]));
  const takes = (await listTakes(db)).filter(({ state }) => state === 'sealed');
  const isOwn = ({ audition }: Take) => audition?.id === auditionId;
  return { posters, takes: [...takes.filter(isOwn), ...takes.filter((take) => !isOwn(take))] };
}

interface TakeChoicesProps {
  auditionId: string;
  /** All files of the sheet. */
  files: readonly PickedFile[];
  /** Ids of the takes that are in the tape. */
  chosen: ReadonlySet<string>;
  /** Nothing more fits into the tape. */
  isFull: boolean;
  onChoose: (take: Take) => void;
  onRemove: (id: string) => void;
}

/** The takes of the booth, to be ticked for a tape. */
export function TakeChoices({ auditionId, files, chosen, isFull, onChoose, onRemove }: TakeChoicesProps) {
  const found = useQuery((db) => readChoices(db, auditionId), [auditionId]);
  if (found === undefined) return null;
  if (found.takes.length === 0) return <p className="text-muted">No takes on this {deviceWord()} yet.</p>;
  return (
    <fieldset>
      <legend className="font-semibold">Takes on this {deviceWord()}</legend>
      <ul>
        {found.takes.map((take) => (
          <li key={take.id} className="border-t border-base-300 first:border-t-0">
            <label className="flex min-h-11 cursor-pointer items-center gap-3 py-2">
              <input
                type="checkbox"
                className="checkbox shrink-0"
                checked={chosen.has(take.id)}
                disabled={isFull && !chosen.has(take.id)}
                onChange={({ target }) => (target.checked ? onChoose(take) : onRemove(take.id))}
              />
              <span className="grid h-11 w-[4.5rem] shrink-0 place-items-center overflow-hidden rounded-lg bg-base-300 text-muted">
                <TakePicture id={take.id} jpeg={found.posters.get(take.id)} />
              </span>
              <span className="min-w-0 grow">
                <b className="block font-semibold break-words">{take.name}</b>
                <span className="num block text-sm break-words text-muted">{getFacts(take, auditionId)}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      <LeaveLink files={files} look="plain" to={`/booth/takes?audition=${auditionId}`}>
        Watch and trim them
      </LeaveLink>
    </fieldset>
  );
}

function TakePicture({ id, jpeg }: { id: string; jpeg: ArrayBuffer | undefined }) {
  if (jpeg === undefined) return <Film className="ic" aria-hidden />;
  return <LocalImage id={id} bytes={jpeg} alt="" className="size-full object-cover" />;
}

/** '1:48 · 4 stars · Noor, Paper Boats' */
const getFacts = (take: Take, auditionId: string): string =>
  [
    formatDuration(getChosenSeconds(take)),
    take.stars > 0 && count(take.stars, 'star'),
    take.audition?.id !== auditionId && (take.audition?.title ?? 'not recorded for an audition'),
  ]
    .filter(Boolean)
    .join(' · ');
