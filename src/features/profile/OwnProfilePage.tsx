import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import { Navigate, useParams } from 'react-router-dom';
import type { Profile } from '#contract/records/profile.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import type { MediaItem } from '#db/queries.ts';
import type { Item } from '#db/views.ts';
import { NotHereYet } from '#shared/NotHereYet.tsx';
import { useAccount } from '#session/session.tsx';
import { useOnline } from '#shared/queries/use-online.ts';
import { late } from '#ui/late.ts';
import { usePageTitle } from '#ui/page-title.ts';
import { useAfterPaint } from '#ui/use-after-paint.ts';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { useStable } from '#ui/use-stable.ts';
import { FIRST_SECTIONS } from './card-body.ts';
import { CUSTOM_CARDS } from './custom-cards.tsx';
import type { StepKey } from './completeness.ts';
import { editorValue, NEW } from './editor.ts';
import { pairUp } from '#lib/pair-up.ts';
import { ProfileHeader } from './ProfileHeader.tsx';
import { CardsSkeleton, ProfileSkeleton } from './ProfileSkeleton.tsx';
import { SectionCard } from './SectionCard.tsx';
import { type Board, useBoard } from './use-board.ts';
import { useKeptRoom } from './use-kept-room.ts';
import { useRefusedForm } from './use-refused-form.ts';

const CompletenessCard = late(async () => (await import('./CompletenessCard.tsx')).CompletenessCard);
const ProfileEditor = lazy(async () => ({ default: (await import('./ProfileEditor.tsx')).ProfileEditor }));

interface OwnProfilePageProps {
  /** The portfolio, which is a feature of its own. */
  portfolio: (profile: Item, items: MediaItem[]) => ReactNode;
  /** For an address that is not the person's own. */
  missing: ReactNode;
}

/**
 * The signed-in person's own profile: at `/` and `/profile/` the newest, at `/profile/{userSlug}/{typeSlug}` that one.
 * Someone without a profile is led to make one.
 */
export function OwnProfilePage({ portfolio, missing }: OwnProfilePageProps) {
  const { userSlug, typeSlug } = useParams();
  const board = useBoard(userSlug === undefined ? null : `/profile/${userSlug}/${typeSlug}`);
  if (!board) return <ProfileSkeleton />;
  const { hasProfiles, isEmpty, isHeard, shown } = board;
  if (!hasProfiles && userSlug === undefined) {
    // A device that never heard from the server cannot know that there is no profile.
    if (!isEmpty) return <FirstVisit />;
    return <Navigate to="/profile/step/1" replace />;
  }
  return shown ? <OwnProfile key={shown.item.key} {...shown} isHeard={isHeard} portfolio={portfolio} /> : missing;
}

/** Where each step of getting ready is taken. */
const STEP_EDITORS: Record<Exclude<StepKey, 'photo'>, (profileId: string) => string> = {
  name: (id) => editorValue('profile', id),
  age: (id) => editorValue('profile', id),
  languages: (id) => editorValue('language', id),
  credits: () => editorValue('experience', NEW),
  contact: () => editorValue('contact', NEW),
};

function FirstVisit() {
  const { firstLook } = useAccount();
  const isOnline = useOnline();
  // With a first look under way, the page that stands is the profile that it brings.
  const [isStanding, setIsStanding] = useState(firstLook === null);
  useEffect(() => void firstLook?.then((isFound) => setIsStanding(!isFound)), [firstLook]);
  if (isOnline) {
    return (
      <div data-stands={isStanding ? '' : undefined}>
        <ProfileSkeleton />
      </div>
    );
  }
  return <NotHereYet title="You have not opened this page before" doing="open it once" />;
}

interface OwnProfileProps extends NonNullable<Board['shown']> {
  isHeard: boolean;
  portfolio: OwnProfilePageProps['portfolio'];
}

function OwnProfile({ item, sections, media, isHeard, portfolio }: OwnProfileProps) {
  const editing = useSheetParam('edit');
  const edit = useStable(editing.open);
  useRefusedForm(item.id, edit);
  const profile = item.body as Profile;
  usePageTitle(profile.stage_name);
  const cards = SECTIONS.filter(
    (section) => !section.profileTypes || section.profileTypes.includes(profile.profile_type.slug),
  ).map((section, at) => ({
    key: section.key,
    isWide: CUSTOM_CARDS[section.key]?.wide ?? false,
    card: (
      <SectionCard
        section={section}
        title={section.title}
        profileId={item.id}
        items={sections.get(section.key) ?? []}
        isFar={at >= FIRST_SECTIONS}
        onEdit={edit}
      />
    ),
  }));
  // Pictures come right after the first words about the person.
  cards.splice(1, 0, { key: 'media', isWide: true, card: <>{portfolio(item, media)}</> });
  // What is left to do can wait for what is there.
  const isPainted = useAfterPaint();
  const room = useKeptRoom(profile.profile_photo !== null);
  const picker = useRef<HTMLInputElement>(null);
  const handleStep = (step: StepKey) => {
    if (step === 'photo') picker.current?.click();
    else editing.open(STEP_EDITORS[step](item.id));
  };
  const full = pairUp(cards.map((card) => card.isWide));
  return (
    <>
      <div className="mx-auto grid max-w-[1216px] grid-cols-1 items-start gap-3 px-3 pt-1 pb-6 md:grid-cols-[300px_minmax(0,1fr)] md:gap-6 md:px-6 md:pt-6 md:pb-12 lg:grid-cols-[368px_minmax(0,1fr)]">
        <ProfileHeader {...{ item, profile, sections, isHeard, picker }} onEdit={edit} />
        {!isHeard && <CardsSkeleton />}
        <div className={`grid min-w-0 grid-cols-1 gap-3 md:gap-4 lg:grid-cols-2 ${isHeard ? '' : 'hidden'}`}>
          <div className="grid min-w-0 grid-cols-1 empty:hidden lg:col-span-2" {...room.place}>
            {isPainted && (
              <Suspense>
                <CompletenessCard
                  profileId={item.id}
                  profile={profile}
                  sections={sections}
                  onStep={handleStep}
                  onDrawn={room.onDrawn}
                />
              </Suspense>
            )}
          </div>
          {cards.map(({ key, card }, at) => (
            <div key={key} className={`grid min-w-0 grid-cols-1 empty:hidden ${full[at] ? 'lg:col-span-2' : ''}`}>
              {card}
            </div>
          ))}
        </div>
      </div>
      {editing.value !== null && (
        <Suspense>
          <ProfileEditor profileId={item.id} value={editing.value} onClose={editing.close} />
        </Suspense>
      )}
    </>
  );
}
