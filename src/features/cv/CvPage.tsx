import { Clapperboard, CloudOff, Download, Share2, TriangleAlert } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import type { Profile } from '#contract/records/profile.ts';
import { loadLookup } from '#db/lookups.ts';
import type { PersonSight } from '#db/person-sight.ts';
import type { Item } from '#db/views.ts';
import { fileSize } from '#lib/amounts.ts';
import { dayText } from '#lib/dates.ts';
import { getProfileUrl } from '#lib/profile-url.ts';
import { count } from '#lib/text.ts';
import { getLanguages } from '#shared/languages.ts';
import { toQrPath } from '#shared/qr-path.ts';
import { useAccount } from '#session/session.tsx';
import { addCvToTape } from '#shared/casting/tape-cv.ts';
import { toErrorText } from '#shared/error-text.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { Button } from '#ui/Button.tsx';
import { deviceWord } from '#ui/device.ts';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { usePageTitle } from '#ui/page-title.ts';
import { useLocation, useNavigate } from '#ui/router.tsx';
import { saveAs } from '#ui/save-as.ts';
import { Loading, Skeleton } from '#ui/Skeleton.tsx';
import { toast } from '#ui/Toast.tsx';
import { useObjectUrl } from '#ui/use-object-url.ts';
import { ACCENTS, HEAD_PARTS, type CvChoices } from './choices.ts';
import { getFilledParts, toCvContent, type CvSource } from './cv-content.ts';
import { CvOptions } from './CvOptions.tsx';
import { CvPreview } from './CvPreview.tsx';
import { toFileName } from './file-name.ts';
import type { CvInput, MadeCv } from './pdf/make-pdf.ts';
import { usePersonSight } from './person-sight.ts';
import { useCvPortrait, type CvPortrait } from './portrait.ts';
import { useCvChoices } from './use-cv-choices.ts';
import { useCvPdf } from './use-cv-pdf.ts';
import { type TapeOfCv, useTapeOfCv } from './use-tape-of-cv.ts';

interface CvPageProps {
  item: Item;
  profile: Profile;
  /** The items of every section, by section key. */
  sections: ReadonlyMap<string, readonly Item[]>;
}

/** Makes a PDF of the person's own profile on this device, also offline. */
export function CvPage(props: CvPageProps) {
  usePageTitle('CV as PDF');
  const found = usePersonSight(props.profile.dob);
  const { choices, setChoices } = useCvChoices(props.item.id);
  const portrait = useCvPortrait(props.item.id);
  const source = useCvSource(props);
  const tape = useTapeOfCv();
  if (found === undefined || choices === null || tape === undefined) return <PageSkeleton />;
  if (tape === null) return <Cv {...{ source, ...found, choices, setChoices, portrait, tape }} />;
  // What goes to casting says nothing about whom the person makes other CVs for.
  const { audience } = choices;
  const keepChoices = (next: CvChoices) => setChoices({ ...next, audience });
  const forCasting = { ...choices, audience: 'casting' as const };
  return <Cv {...{ source, ...found, portrait, tape }} choices={forCasting} setChoices={keepChoices} />;
}

const PageSkeleton = () => (
  <Loading label="Loading your CV" isPage>
    <Skeleton className="mx-auto mt-6 h-80 w-full max-w-xl rounded-box" />
  </Loading>
);

/** Everything that the device knows of the profile. */
function useCvSource({ profile, sections }: CvPageProps): CvSource {
  // The names of languages that were chosen offline.
  const listed = useQuery((db) => loadLookup(db, 'languages'), []);
  return useMemo(() => {
    const isPublic = profile.status === 'active' && profile.is_withheld !== true;
    const languages = getLanguages(sections.get('language')?.[0]?.body ?? {}, listed);
    return {
      profile,
      rows: Object.fromEntries([...sections].map(([key, items]) => [key, items.map(({ body }) => body)])),
      languages: languages.map(({ name }) => name),
      pageUrl: isPublic ? getProfileUrl(profile, location.origin) : null,
    };
  }, [profile, sections, listed]);
}

interface CvProps {
  source: CvSource;
  person: PersonSight;
  /** Whether this device has heard from the server who the person is to visitors. */
  isKnown: boolean;
  choices: CvChoices;
  setChoices: (choices: CvChoices) => void;
  portrait: CvPortrait;
  /** The tape that it is made for; null if for none. */
  tape: TapeOfCv | null;
}

function useCvInput({ source, person, choices, portrait }: CvProps): CvInput | null {
  const bytes = portrait.status === 'loaded' && !choices.leftOut.includes('portrait') ? portrait.bytes : null;
  const isWaiting = portrait.status === 'loading';
  return useMemo((): CvInput | null => {
    if (isWaiting) return null;
    const content = toCvContent(source, person, choices);
    const now = new Date();
    return {
      content,
      design: {
        maxPages: choices.layout === 'one' ? 1 : 2,
        accent: ACCENTS[choices.accent],
        code: content.pageUrl === null ? null : toQrPath(content.pageUrl),
        date: dayText(now.toISOString()),
      },
      portrait: bytes,
      now,
    };
  }, [isWaiting, source, person, choices, bytes]);
}

function Cv(props: CvProps) {
  const { source, person, isKnown, choices, setChoices, portrait, tape } = props;
  const input = useCvInput(props);
  const { state, retry } = useCvPdf(input);
  const partKeys = getFilledParts(source, person, choices);
  const headKeys = HEAD_PARTS.filter((key) => {
    if (key === 'portrait') return portrait.status === 'loaded';
    return key === 'code' ? source.pageUrl !== null : key !== 'city' || !person.isMinor;
  });
  const made = state.status === 'made' ? state.made : null;
  return (
    <div className="mx-auto grid max-w-[1216px] grid-cols-1 items-start gap-4 px-3 pt-1 pb-6 md:px-6 md:pt-6 md:pb-12 lg:grid-cols-[368px_minmax(0,1fr)]">
      <CvOptions
        {...{ choices, headKeys, partKeys }}
        onChange={setChoices}
        isMinor={isKnown && person.isMinor}
        fixedAudience={tape === null ? undefined : 'casting'}
        actions={
          <>
            <Hints
              {...{ isKnown, portrait, made }}
              isPublic={source.pageUrl !== null}
              isEmpty={partKeys.length === 0}
            />
            {made && (
              <Actions
                made={made}
                isLatest={state.status === 'made' && state.isLatest}
                name={source.profile.stage_name}
                tape={tape}
              />
            )}
          </>
        }
      />
      {state.status === 'missing' && (
        <Problem icon={CloudOff} title="Go online once to make your CV" onRetry={retry}>
          Your {deviceWord()} does not have everything for it yet. After that it works without signal. If you are
          online, reload the page.
        </Problem>
      )}
      {state.status === 'failed' && (
        <Problem icon={TriangleAlert} title="Your CV could not be made" onRetry={retry}>
          Try again. If it keeps happening, tell us under Support.
        </Problem>
      )}
      {state.status === 'loading' && <Skeleton className="aspect-[210/297] w-full rounded-xl" />}
      {made && <Preview made={made} portrait={input?.portrait ?? null} />}
    </div>
  );
}

function Preview({ made, portrait }: { made: MadeCv; portrait: ArrayBuffer | null }) {
  const name = portrait && `${portrait.byteLength}`;
  const url = useObjectUrl(name, async () => portrait && new Blob([portrait], { type: 'image/jpeg' }));
  return <CvPreview pages={made.pages} portrait={url ?? null} />;
}

interface HintsProps {
  isKnown: boolean;
  isPublic: boolean;
  isEmpty: boolean;
  portrait: CvPortrait;
  made: MadeCv | null;
}

/** What the CV lacks, and what to do about it. */
function Hints({ isKnown, isPublic, isEmpty, portrait, made }: HintsProps) {
  const hints = [
    !isKnown &&
      'We could not check yet what visitors may see of you, so your CV shows as little as possible. Go online to complete it.',
    !isPublic && 'Your page is not public, so your CV has no QR code.',
    portrait.status === 'missing' &&
      `Your photo is not on this ${deviceWord()}, so your CV has none. Go online and open this page again.`,
    isEmpty && 'Add credits, training or skills to your profile, and they appear here.',
    made !== null &&
      made.cutCount > 0 &&
      `${count(made.cutCount, 'entry', 'entries')} did not fit. Choose two pages or leave something out.`,
  ].filter((hint) => hint !== false);
  if (hints.length === 0) return null;
  return (
    <ul className="space-y-2 text-sm text-muted">
      {hints.map((hint) => (
        <li key={hint}>{hint}</li>
      ))}
    </ul>
  );
}

interface ActionsProps {
  made: MadeCv;
  isLatest: boolean;
  name: string;
  tape: TapeOfCv | null;
}

function Actions({ made, isLatest, name, tape }: ActionsProps) {
  const file = useMemo(() => new File([made.pdf], toFileName(name), { type: 'application/pdf' }), [made, name]);
  const canShare = 'canShare' in navigator && navigator.canShare({ files: [file] });
  const share = () => {
    if (!isLatest) return;
    // An AbortError means that the person closed the share dialog.
    navigator.share({ files: [file], title: file.name }).catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'AbortError') return;
      toast({ text: 'Sharing did not work. Save the PDF and send it from your files.' });
    });
  };
  return (
    <div>
      <div className="flex flex-wrap gap-2">
        {tape && <AddToTape tape={tape} file={file} isLatest={isLatest} />}
        <Button
          look={tape ? 'tonal' : 'primary'}
          icon={Download}
          className="grow"
          aria-disabled={!isLatest}
          onClick={() => isLatest && saveAs(file, file.name)}
        >
          Save the PDF
        </Button>
        {canShare && (
          <Button look="tonal" icon={Share2} className="grow" aria-disabled={!isLatest} onClick={share}>
            Share
          </Button>
        )}
      </div>
      <p className="num mt-2 text-xs text-muted" role="status">
        {isLatest
          ? `${count(made.pages.length, 'page')}, ${fileSize(file.size)}. Made on this ${deviceWord()}.`
          : 'Making it again…'}
      </p>
    </div>
  );
}

interface AddToTapeProps {
  tape: TapeOfCv;
  file: File;
  isLatest: boolean;
}

/** Stores the PDF on this device for the form of the tape, and goes back there. */
function AddToTape({ tape: { id, role }, file, isLatest }: AddToTapeProps) {
  const account = useAccount();
  const navigate = useNavigate();
  const { state } = useLocation();
  const [isAdding, setIsAdding] = useState(false);
  const add = async () => {
    try {
      await addCvToTape(account, id, file, Date.now());
      toast({ text: 'Your CV is with your tape' });
      const { from } = (state ?? {}) as { from?: string };
      if (from === 'tape') navigate(-1);
      else navigate(`/auditions/${id}?tape=`, { replace: true });
    } catch (error) {
      toast({ text: toErrorText(error, 'Your CV could not be kept. Try again.', { noun: 'your CV' }) });
      setIsAdding(false);
    }
  };
  const isReady = isLatest && !isAdding;
  return (
    <Button
      icon={Clapperboard}
      className="w-full"
      aria-disabled={!isReady}
      onClick={() => {
        if (!isReady) return;
        setIsAdding(true);
        void add();
      }}
    >
      Add to the tape for {role}
    </Button>
  );
}

interface ProblemProps {
  icon: typeof CloudOff;
  title: string;
  onRetry: () => void;
  children: ReactNode;
}

const Problem = ({ icon, title, onRetry, children }: ProblemProps) => (
  <ErrorPage icon={icon} title={title} text={children} action={<Button onClick={onRetry}>Try again</Button>} />
);
