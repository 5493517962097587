import { Clock, Eye, Link2Off, Lock, Play, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { WatchedLink } from '#contract/records/links.ts';
import { LINK_LIMITS } from '#contract/records/links.ts';
import { StripFrame } from '#shared/casting/StripFrame.tsx';
import { lengthText } from '#shared/casting/tape-text.ts';
import { useStrip } from '#shared/casting/use-strip.ts';
import { lowerFirst, momentText } from '#lib/deadline.ts';
import { Button } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { TextField } from '#ui/Field.tsx';
import { usePageTitle } from '#ui/page-title.ts';
import { useParams } from '#ui/router.tsx';
import { Loading } from '#ui/Skeleton.tsx';
import { useNow } from '#ui/use-now.ts';
import { useWatchedLink, type Watching } from './use-watched-link.ts';
import { WatchPlayer } from './WatchPlayer.tsx';

/** Keeps search engines and other sites from learning of the page, also where the service worker serves it. */
function useUnlisted(): void {
  useEffect(() => {
    const tags = [
      ['robots', 'noindex'],
      ['referrer', 'no-referrer'],
    ].map(([name, content]) => Object.assign(document.createElement('meta'), { name, content }));
    document.head.append(...tags);
    return () => tags.forEach((tag) => tag.remove());
  }, []);
}

/** What somebody sees who opens a share link, with or without an account. */
export function WatchPage() {
  const { linkId = '' } = useParams();
  usePageTitle('Tapes to watch');
  useUnlisted();
  // Another link in the same tab begins anew.
  const [fragment, setFragment] = useState(location.hash);
  useEffect(() => {
    const handleChange = () => setFragment(location.hash);
    addEventListener('hashchange', handleChange);
    return () => removeEventListener('hashchange', handleChange);
  }, []);
  return <WatchLink key={`${linkId} ${fragment}`} linkId={linkId} fragment={fragment} />;
}

function WatchLink({ linkId, fragment }: { linkId: string; fragment: string }) {
  const watching = useWatchedLink(linkId, fragment);
  const { state, retry } = watching;
  switch (state.status) {
    case 'asking':
      return <CodeForm watching={watching} {...state} />;
    case 'loading':
      return (
        <Loading label="Opening the link" isPage>
          <div className="min-h-[60dvh]" />
        </Loading>
      );
    case 'ended':
      return (
        <ErrorPage
          icon={Link2Off}
          title="This link no longer works"
          text="It may have ended or been withdrawn. Ask whoever sent it."
        />
      );
    case 'failed':
      return (
        <ErrorPage
          icon={state.error.reason === 'network' ? WifiOff : Clock}
          title={state.error.reason === 'network' ? 'You’re offline' : 'This could not be opened now'}
          text={state.error.reason === 'network' ? 'Go online to watch these tapes.' : state.error.message}
          action={<Button onClick={retry}>Try again</Button>}
        />
      );
    case 'open':
      return <Tapes watching={watching} link={state.link} />;
  }
}

interface CodeFormProps {
  watching: Watching;
  isWrong: boolean;
  isBusy: boolean;
  isAgain?: boolean;
}

function CodeForm({ watching, isWrong, isBusy, isAgain = false }: CodeFormProps) {
  const [code, setCode] = useState('');
  const [isEmpty, setIsEmpty] = useState(false);
  const handleSubmit = () => {
    setIsEmpty(code.trim() === '');
    if (code.trim() !== '') watching.enterCode(code.slice(0, LINK_LIMITS.code));
  };
  return (
    <form
      className="mx-auto grid max-w-sm gap-4 px-4 py-12"
      onSubmit={(event) => {
        event.preventDefault();
        handleSubmit();
      }}
    >
      <h1 className="flex items-center gap-2 text-2xl font-bold">
        <Lock className="ic" aria-hidden /> Enter the code
      </h1>
      <p className="text-muted">
        {isAgain
          ? 'This page was open for too long, or the link has ended. Enter the code again to find out.'
          : 'Whoever sent you this link has told you a code.'}
      </p>
      <TextField
        label="Code"
        name="code"
        value={code}
        error={
          isEmpty
            ? 'Enter the code'
            : isWrong
              ? 'That is not the code, or the link no longer works. Ask whoever sent it'
              : undefined
        }
        onChange={setCode}
      />
      <Button type="submit" disabled={isBusy}>
        {isBusy ? 'Opening…' : 'Watch'}
      </Button>
    </form>
  );
}

/** One take in the list, with the name of who taped it. */
interface Shown {
  id: string;
  name: string;
  /** 'Take 2'; empty if there is only one. */
  label: string;
  take: WatchedLink['tapes'][number]['takes'][number];
}

const toShown = ({ tapes }: WatchedLink): Shown[] =>
  tapes.flatMap(({ name, takes }) =>
    takes.map((take, at) => ({
      id: take.id,
      name,
      label: takes.length === 1 ? '' : (take.label ?? `Take ${at + 1}`),
      take,
    })),
  );

function Tapes({ watching, link }: { watching: Watching; link: WatchedLink }) {
  const now = useNow();
  const shown = toShown(link);
  /** The take that was chosen or played; the first one until then. */
  const [currentId, setCurrentId] = useState<string | null>(null);
  const [watched, setWatched] = useState<ReadonlySet<string>>(new Set());
  const index = currentId === null ? 0 : shown.findIndex(({ id }) => id === currentId);
  // A take can leave the link while it plays. Another one would play by itself, and its performer would hear that it was watched.
  const current = shown[index];
  const go = (step: number) => {
    const next = shown[index + step];
    if (next) setCurrentId(next.id);
  };
  return (
    <div className="mx-auto max-w-[1216px] px-3 pt-4 pb-12 md:px-6 md:pt-6">
      <h1 className="text-[1.625rem] leading-tight font-bold break-words md:text-3xl">{link.role}</h1>
      <p className="break-words text-muted">
        {link.project} · shared by {link.shared_by} · open until{' '}
        {lowerFirst(momentText(Date.parse(link.expires_at), now))}
      </p>
      {shown.length === 0 ? (
        <p className="mt-6 text-muted">No tape has arrived yet, or none that can be shared. Come back later.</p>
      ) : (
        <div className="mt-4 grid grid-cols-1 items-start gap-4 md:gap-6 lg:grid-cols-[minmax(0,1fr)_23rem]">
          <div>
            {current === undefined ? (
              <p role="status" className="notice grid aspect-video place-items-center p-4 text-center text-muted">
                This tape is no longer shared. Choose another one.
              </p>
            ) : (
              <WatchPlayer
                key={current.id}
                take={current.take}
                title={[current.name, current.label].filter(Boolean).join(', ')}
                watermark={link.watermark}
                isStarted={currentId !== null}
                watching={watching}
                onPlay={() => setCurrentId(current.id)}
                onGo={go}
                onWatched={() => setWatched((before) => new Set([...before, current.id]))}
              />
            )}
            <p className="mt-2.5 flex gap-1.5 text-sm text-muted">
              <Eye className="ic mt-0.5 size-4" aria-hidden />
              <span>To watch only. {link.shared_by} sees when you watched, and for how long.</span>
            </p>
          </div>
          <Card title="Tapes" count={link.tapes.length}>
            <ul>
              {shown.map((each) => (
                <TakeRow
                  key={each.id}
                  shown={each}
                  isCurrent={each === current}
                  isWatched={watched.has(each.id)}
                  onOpen={() => setCurrentId(each.id)}
                />
              ))}
            </ul>
          </Card>
        </div>
      )}
    </div>
  );
}

interface TakeRowProps {
  shown: Shown;
  isCurrent: boolean;
  isWatched: boolean;
  onOpen: () => void;
}

function TakeRow({ shown: { name, label, take }, isCurrent, isWatched, onOpen }: TakeRowProps) {
  const facts = [
    label,
    take.duration === null ? '' : lengthText(take.duration),
    isCurrent ? 'Now showing' : isWatched ? 'Watched' : '',
  ];
  const strip = useStrip();
  return (
    <li className="border-t border-base-300 first:border-t-0">
      <button
        type="button"
        className="flex w-full cursor-pointer items-center gap-3 py-2.5 text-left"
        aria-current={isCurrent}
        onClick={onOpen}
      >
        <span
          className={`relative grid aspect-video w-26 shrink-0 place-items-center overflow-hidden rounded-lg bg-neutral text-neutral-content ${take.strip_url ? 'touch-pan-y touch-pinch-zoom' : ''}`}
          {...(take.strip_url && strip.pointer)}
        >
          <Play className="ic" aria-hidden />
          {take.poster_url && (
            <img
              src={take.poster_url}
              alt=""
              className="absolute inset-0 size-full object-cover"
              referrerPolicy="no-referrer"
              onContextMenu={(event) => event.preventDefault()}
              draggable={false}
            />
          )}
          {take.strip_url && strip.frame !== null && (
            <StripFrame frame={strip.frame} take={take}>
              <img
                src={take.strip_url}
                alt=""
                className="block w-full max-w-none"
                referrerPolicy="no-referrer"
                onContextMenu={(event) => event.preventDefault()}
                draggable={false}
              />
            </StripFrame>
          )}
        </span>
        <span className="min-w-0 grow">
          <b className="block font-semibold break-words">{name}</b>
          <span className="num block text-sm text-muted">{facts.filter(Boolean).join(' · ')}</span>
        </span>
        {isCurrent && <span className="size-2.5 shrink-0 rounded-full bg-accent" aria-hidden />}
      </button>
    </li>
  );
}
