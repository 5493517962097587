import { Play } from 'lucide-react';
import { memo, useDeferredValue } from 'react';
import { OpenCv } from '#shared/casting/TapeCv.tsx';
import { lengthText } from '#shared/casting/tape-text.ts';
import { RequestPill } from '#shared/casting/RequestPill.tsx';
import { StripFrame } from '#shared/casting/StripFrame.tsx';
import { useStrip } from '#shared/casting/use-strip.ts';
import { PrivateImage } from '#shared/offline-media/PrivateImage.tsx';
import { Card } from '#ui/Card.tsx';
import { Chips } from '#ui/Chips.tsx';
import { getPerformer } from './performer.ts';
import { TapeOrderSelect } from './TapeOrderSelect.tsx';
import { isUnwatched } from './tape-order.ts';
import type { Taped } from './taped.ts';
import type { TapeList } from './use-tape-list.ts';

interface TapesProps {
  tapes: readonly Taped[];
  list: TapeList;
  /** The tape that is watched. */
  watched: Taped | undefined;
  /** Keeps its identity. */
  onOpen: (tape: Taped) => void;
}

/** Every tape of a role as it comes in. A tap opens the player, which goes through all of them. */
export function Tapes({ tapes, list, watched, onOpen }: TapesProps) {
  // A grade given in the player must not wait for all tiles behind it to be drawn.
  const drawn = useDeferredValue(list.shown);
  return (
    <Card title="Tapes" count={tapes.length} {...(tapes.length > 1 && { action: <TapeOrderSelect list={list} /> })}>
      {list.filters.length > 1 && (
        <Chips label="Which tapes" options={list.filters} value={list.filter} onChange={list.setFilter} />
      )}
      <Tiles tapes={drawn} watchedKey={watched?.key} onOpen={onOpen} />
      {list.shown.length === 0 && <p className="text-muted">No tapes here.</p>}
    </Card>
  );
}

interface TilesProps {
  tapes: readonly Taped[];
  watchedKey: string | undefined;
  onOpen: (tape: Taped) => void;
}

const Tiles = memo(function Tiles({ tapes, watchedKey, onOpen }: TilesProps) {
  return (
    <ul className="mt-2 grid grid-cols-2 gap-3 sm:grid-cols-3">
      {tapes.map((request) => (
        <Tile key={request.key} request={request} isWatched={request.key === watchedKey} onOpen={onOpen} />
      ))}
    </ul>
  );
});

interface TileProps {
  request: Taped;
  /** Whether it is the one in the player. */
  isWatched: boolean;
  onOpen: (tape: Taped) => void;
}

/** A tape. A grade given to one of them must not draw all others. */
const Tile = memo(function Tile({ request, isWatched, onOpen }: TileProps) {
  return (
    <li>
      <OpenTape request={request} isWatched={isWatched} onOpen={() => onOpen(request)} />
      <TileCv request={request} />
    </li>
  );
});

/** The CV of a tape that has arrived. */
function TileCv({ request }: { request: Taped }) {
  const { cv } = request.tape.body;
  if (!cv?.path) return null;
  return (
    <div className="mt-1.5">
      <OpenCv name={cv.name} path={cv.path} label={`CV of ${getPerformer(request).name}`} text="CV" />
    </div>
  );
}

function OpenTape({ request, isWatched, onOpen }: { request: Taped; isWatched: boolean; onOpen: () => void }) {
  const { tape, mark, others } = request;
  const given = others.flatMap(({ grade }) => grade ?? []);
  const { name } = getPerformer(request);
  const isCallback = request.body.round === 'callback';
  const [take] = tape.body.takes;
  const length = tape.body.takes.reduce((sum, { duration }) => sum + (duration ?? 0), 0);
  const isNew = isUnwatched(request);
  const strip = useStrip();
  return (
    <button
      type="button"
      className="block w-full cursor-pointer rounded-xl text-left"
      aria-current={isWatched ? 'true' : undefined}
      {...(take?.strip_path && strip.keys)}
      aria-label={[
        `Open the ${isCallback ? 'callback ' : ''}tape by ${name}`,
        mark.grade && `marked ${mark.grade}`,
        given.length > 0 && `marked ${given.join(', ')} by others`,
        isNew && 'new',
      ]
        .filter(Boolean)
        .join(', ')}
      onClick={onOpen}
    >
      <span
        className={`relative block aspect-video overflow-hidden rounded-xl bg-neutral text-neutral-content ${take?.strip_path ? 'touch-pan-y touch-pinch-zoom' : ''} ${isWatched ? 'outline-3 outline-offset-2 outline-accent' : ''}`}
        {...(take?.strip_path && strip.pointer)}
      >
        <Play className="ic absolute inset-0 m-auto size-7" aria-hidden />
        {take?.poster_path && (
          <PrivateImage src={take.poster_path} alt="" className="absolute inset-0 size-full object-cover" />
        )}
        {take?.strip_path && strip.frame !== null && (
          <StripFrame frame={strip.frame} take={take}>
            <PrivateImage src={take.strip_path} alt="" className="block w-full max-w-none" />
          </StripFrame>
        )}
        {mark.grade && (
          <b className="absolute top-2 left-2 grid size-7 place-items-center rounded-lg bg-accent text-sm text-accent-content">
            {mark.grade}
          </b>
        )}
        {given.length > 0 && (
          <span className="over absolute bottom-2 left-2 rounded-full px-1.5 py-1 text-xs leading-none font-semibold">
            {given.join(' ')}
          </span>
        )}
        {isNew && <i className="absolute top-2 right-2 size-3 rounded-full bg-accent" aria-hidden />}
        {length > 0 && (
          <span className="over num absolute right-2 bottom-2 rounded-full px-1.5 py-1 text-xs leading-none font-semibold">
            {lengthText(length)}
          </span>
        )}
      </span>
      <span className="mt-1.5 flex flex-wrap items-start gap-x-2 gap-y-0.5">
        <span className="min-w-0 grow leading-snug font-semibold break-words">
          {name}
          {isCallback && <span className="font-normal text-muted"> · Callback</span>}
        </span>
        <RequestPill item={request} />
      </span>
    </button>
  );
}
