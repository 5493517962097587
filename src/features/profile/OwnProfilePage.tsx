import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Navigate, useParams } from '#ui/router.tsx';
import type { Profile } from '#contract/records/profile.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import type { MediaItem } from '#db/queries.ts';
import type { Item } from '#db/views.ts';
import { NotHereYet } from '#shared/NotHereYet.tsx';
import { useAccount } from '#session/session.tsx';
import { useOnline } from '#shared/queries/use-online.ts';
import { lazyOptional, lazyPart } from '#ui/lazy-part.ts';
import { usePageTitle } from '#ui/page-title.ts';
import { useReservedHeight } from '#ui/use-reserved-height.ts';
import { useAfterPaint } from '#ui/use-after-paint.ts';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { INITIAL_SECTION_COUNT } from './card-body.ts';
import { CUSTOM_CARDS } from './custom-cards.tsx';
import type { StepKey } from './completeness.ts';
import { toEditorParam, NEW_ITEM } from './editor.ts';
import { fillRows } from '#lib/fill-rows.ts';
import { ProfileHeader } from './ProfileHeader.tsx';
import { CardsSkeleton, ProfileSkeleton } from './ProfileSkeleton.tsx';
import { SectionCard } from './SectionCard.tsx';
import { type OwnProfileData, useOwnProfile } from './use-own-profile.ts';
import { useReopenRefusedForm } from './use-reopen-refused-form.ts';

const CompletenessCard = lazyOptional(async () => (await import('./CompletenessCard.tsx')).CompletenessCard);
const ProfileEditor = lazyPart(async () => (await import('./ProfileEditor.tsx')).ProfileEditor);

interface OwnProfilePageProps {
  /** Renders the portfolio, which is a separate feature. */
  portfolio: (profile: Item, items: MediaItem[]) => ReactNode;
  /** Shown if the address is not one of the person's own profiles. */
  missing: ReactNode;
}

/**
 * The signed-in person's own profile: the Home profile at `/` and `/profile/`, a given one at `/profile/{userSlug}/{typeSlug}`.
 * Redirects to the wizard if the person has no profile.
 */
export function OwnProfilePage({ portfolio, missing }: OwnProfilePageProps) {
  const { userSlug, typeSlug } = useParams();
  const data = useOwnProfile(userSlug === undefined ? null : `/profile/${userSlug}/${typeSlug}`);
  if (!data) return <ProfileSkeleton />;
  const { hasProfiles, isEmpty, isLoaded, profile } = data;
  if (!hasProfiles && userSlug === undefined) {
    // Before the first pull the device cannot know that there is no profile.
    if (!isEmpty) return <FirstVisit />;
    return <Navigate to="/profile/step/1" replace />;
  }
  if (!profile) return missing;
  return <OwnProfile key={profile.item.key} {...profile} isLoaded={isLoaded} portfolio={portfolio} />;
}

/** The `?edit=` value of the form in which each completeness step is done. */
const STEP_EDITORS: Record<Exclude<StepKey, 'photo'>, (profileId: string) => string> = {
  name: (id) => toEditorParam('profile', id),
  age: (id) => toEditorParam('profile', id),
  languages: (id) => toEditorParam('language', id),
  credits: () => toEditorParam('experience', NEW_ITEM),
  contact: () => toEditorParam('contact', NEW_ITEM),
};

function FirstVisit() {
  const { initialFetch } = useAccount();
  const isOnline = useOnline();
  // While the profile is being fetched ahead of the first pull, the skeleton does not yet count as the page.
  const [isSettled, setIsSettled] = useState(initialFetch === null);
  useEffect(() => void initialFetch?.then((isFound) => setIsSettled(!isFound)), [initialFetch]);
  if (isOnline) {
    return (
      <div data-page-rendered={isSettled ? '' : undefined}>
        <ProfileSkeleton />
      </div>
    );
  }
  return <NotHereYet title="You have not opened this page before" doing="open it once" />;
}

/** The height of the full list of steps, which a new profile shows. */
const getFullListHeight = (): number => (matchMedia('(min-width: 768px)').matches ? 455 : 475);

interface OwnProfileProps extends NonNullable<OwnProfileData['profile']> {
  isLoaded: boolean;
  portfolio: OwnProfilePageProps['portfolio'];
}

function OwnProfile({ item, sections, media, isLoaded, portfolio }: OwnProfileProps) {
  const editing = useSheetParam('edit');
  useReopenRefusedForm(item.id, editing.open);
  const profile = item.body as Profile;
  usePageTitle(profile.stage_name);
  const cards = SECTIONS.filter(
    (section) => !section.profileTypes || section.profileTypes.includes(profile.profile_type.slug),
  ).map((section, index) => ({
    key: section.key,
    isWide: CUSTOM_CARDS[section.key]?.isWide ?? false,
    card: (
      <SectionCard
        section={section}
        title={section.title}
        profileId={item.id}
        items={sections.get(section.key) ?? []}
        isBelowFold={index >= INITIAL_SECTION_COUNT}
        onEdit={editing.open}
      />
    ),
  }));
  // Media follow the first section.
  cards.splice(1, 0, { key: 'media', isWide: true, card: <>{portfolio(item, media)}</> });
  // The completeness card waits until the existing content has painted.
  const isPainted = useAfterPaint();
  const isStarted = profile.profile_photo !== null;
  const reserved = useReservedHeight('room-for-steps', () => (isStarted ? 0 : getFullListHeight()));
  const picker = useRef<HTMLInputElement>(null);
  const handleStep = (step: StepKey) => {
    if (step === 'photo') picker.current?.click();
    else editing.open(STEP_EDITORS[step](item.id));
  };
  const isFullWidth = fillRows(cards.map((card) => card.isWide));
  return (
    <>
      <div className="mx-auto grid max-w-[1216px] grid-cols-1 items-start gap-3 px-3 pt-1 pb-6 md:grid-cols-[300px_minmax(0,1fr)] md:gap-6 md:px-6 md:pt-6 md:pb-12 lg:grid-cols-[368px_minmax(0,1fr)]">
        <ProfileHeader {...{ item, profile, sections, isLoaded, picker }} onEdit={editing.open} />
        {!isLoaded && <CardsSkeleton />}
        <div className={`grid min-w-0 grid-cols-1 gap-3 md:gap-4 lg:grid-cols-2 ${isLoaded ? '' : 'hidden'}`}>
          <div className="grid min-w-0 grid-cols-1 empty:hidden lg:col-span-2" {...reserved.containerProps}>
            {isPainted && (
              <CompletenessCard
                profileId={item.id}
                profile={profile}
                sections={sections}
                onStep={handleStep}
                onReady={reserved.onReady}
              />
            )}
          </div>
          {cards.map(({ key, card }, index) => (
            <div
              key={key}
              className={`grid min-w-0 grid-cols-1 empty:hidden ${isFullWidth[index] ? 'lg:col-span-2' : ''}`}
            >
              {card}
            </div>
          ))}
        </div>
      </div>
      {editing.value !== null && <ProfileEditor profileId={item.id} value={editing.value} onClose={editing.close} />}
    </>
  );
}
