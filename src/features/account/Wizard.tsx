import { CloudOff, X } from 'lucide-react';
import { useRef } from 'react';
import { Navigate, useLocation, useNavigate, useParams } from '#ui/router.tsx';
import { createProfileBody, type ProfileType } from '#contract/records/profile.ts';
import { toErrorMap } from '#contract/schema.ts';
import { copyOf } from '#db/copying.ts';
import { ownProfiles } from '#db/queries.ts';
import type { Item } from '#db/views.ts';
import { getSignInState } from '#shared/sign-in-state.ts';
import { useDraftForm } from '#shared/forms/use-draft-form.ts';
import { getOwnProfilePath } from '#lib/own-profile-path.ts';
import { useAccount } from '#session/session.tsx';
import { usePlaces } from '#shared/queries/use-places.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { Button, ButtonLink, IconButton } from '#ui/Button.tsx';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { FormSummary, TextField } from '#ui/Field.tsx';
import { FieldError } from '#ui/FieldError.tsx';
import { SuggestField } from '#ui/SuggestField.tsx';
import { usePageTitle } from '#ui/page-title.ts';
import { Loading, Skeletons } from '#ui/Skeleton.tsx';
import { CopyStep } from './CopyStep.tsx';
import { useProfileTypes } from './profile-types.ts';
import { getProfileTypeDisplay } from './profile-type-display.ts';

type Step = 1 | 2 | 3;

const DRAFT_KEY = 'new profile';
const NEXT_LABELS: Partial<Record<Step, string>> = { 1: 'Next: title and city', 2: 'Next: copy a profile' };
const FIRST_STEP_FIELDS = ['profile_type_id', 'stage_name'] as const;

/** `copy_from` is the id of one of the person's profiles; `copied` lists the keys of its parts, separated by commas. */
type Values = Record<'profile_type_id' | 'stage_name' | 'title' | 'location' | 'copy_from' | 'copied', string>;

/** The bar of the wizard: the close button and the progress. */
function WizardBar({ step, stepCount, onClose }: { step: number; stepCount: number; onClose: () => void }) {
  return (
    <header>
      <div className="flex h-14 items-center px-2">
        <IconButton label="Close New Profile" icon={X} onClick={onClose} />
        <span className="grow text-center font-semibold">New Profile</span>
        <span className="tap num text-sm text-muted" aria-hidden>
          {step} of {stepCount}
        </span>
      </div>
      <div
        className="flex gap-1.5 px-4"
        role="progressbar"
        aria-valuemin={1}
        aria-valuenow={step}
        aria-valuemax={stepCount}
        aria-label={`Step ${step} of ${stepCount}`}
      >
        {Array.from({ length: stepCount }, (_, index) => (
          <i key={index} className={`h-1.5 grow rounded-full ${index < step ? 'bg-accent' : 'bg-base-300'}`} />
        ))}
      </div>
    </header>
  );
}

interface TypePickerProps {
  types: readonly ProfileType[];
  /** Ids of the types that the person already has; one profile per type is allowed. */
  takenTypeIds: ReadonlySet<string>;
  value: string;
  onChange: (id: string) => void;
  error: string | undefined;
}

function TypePicker({ types, takenTypeIds, value, onChange, error }: TypePickerProps) {
  return (
    <fieldset className="mt-5" aria-describedby={error ? 'type-error' : undefined}>
      <legend className="sr-only">Kind of profile</legend>
      <div className="space-y-2.5">
        {types.map((type) => {
          const { icon: Icon, line } = getProfileTypeDisplay(type.slug);
          const isTaken = takenTypeIds.has(type.id);
          const isChosen = type.id === value;
          return (
            <label
              key={type.id}
              className={`flex min-h-[68px] min-w-0 items-center gap-3 rounded-2xl border-2 px-3.5 has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary ${
                isChosen ? 'border-primary bg-secondary/40' : 'border-base-300 bg-base-100'
              } ${isTaken ? '' : 'cursor-pointer'}`}
            >
              <span
                className={`grid size-10 shrink-0 place-items-center rounded-xl ${
                  isChosen ? 'bg-primary text-primary-content' : 'bg-base-200'
                }`}
              >
                <Icon className="ic" aria-hidden />
              </span>
              <span className="min-w-0 grow py-2 break-words">
                <b className={`block leading-tight font-semibold ${isTaken ? 'text-muted' : ''}`}>{type.name}</b>
                <span className="text-sm text-muted">{isTaken ? 'You have this one' : line}</span>
              </span>
              <input
                type="radio"
                name="profile_type_id"
                className="radio shrink-0 radio-primary"
                value={type.id}
                checked={isChosen}
                disabled={isTaken}
                aria-invalid={error ? true : undefined}
                onChange={() => onChange(type.id)}
              />
            </label>
          );
        })}
      </div>
      {error && <FieldError id="type-error">{error}</FieldError>}
    </fieldset>
  );
}

/** The wizard once the person's profiles have been read: the newest one suggests the name and the city. */
function WizardForm({ step, profiles }: { step: Step; profiles: Item[] }) {
  const { db, user } = useAccount();
  const navigate = useNavigate();
  const { state } = useLocation();
  const { types, isMissing } = useProfileTypes();
  const places = usePlaces();
  const body = useRef<HTMLFormElement>(null);
  const form = useDraftForm({ key: DRAFT_KEY, start: getStart(profiles[0], user.name), body });
  usePageTitle('New Profile');
  if (form.kept === undefined) return null;
  const values = form.values as Values;

  const takenTypeIds = new Set(
    profiles.flatMap((item) => {
      const type = item.body['profile_type'] as ProfileType | undefined;
      return type?.id ?? (item.body['profile_type_id'] as string | undefined) ?? [];
    }),
  );
  const setField = (name: keyof Values) => (value: string) => form.change({ [name]: value });
  const stepCount = profiles.length === 0 ? 2 : 3;
  const selectedType = types?.find((type) => type.id === values.profile_type_id);
  const isFull = types !== null && types.length > 0 && types.every((type) => takenTypeIds.has(type.id));
  const field = (name: keyof Values) => ({
    name,
    value: values[name],
    onChange: setField(name),
    error: form.errors[name],
  });

  const submit = async () => {
    const checked = createProfileBody.safeParse(values);
    const invalid = checked.success ? {} : toErrorMap(checked.error.issues);
    if (values.profile_type_id === '') invalid['profile_type_id'] = ['Choose what you want to be cast as'];
    else if (takenTypeIds.has(values.profile_type_id))
      invalid['profile_type_id'] = ['You already have this one. Choose another kind'];
    const stepErrors = Object.entries(invalid).filter(
      ([name]) => FIRST_STEP_FIELDS.includes(name as (typeof FIRST_STEP_FIELDS)[number]) === (step === 1),
    );
    form.showErrors(Object.fromEntries(stepErrors));
    if (stepErrors.length > 0) return;
    if (step < stepCount && step < 3) return navigate(`/profile/step/${step + 1}`, { state });
    if (!checked.success) return navigate('/profile/step/1', { replace: true, state });
    const isSaved = await form.submit(async (actions) => {
      // Includes the type, so that the profile is complete on this device before the server has answered.
      const { fields, rows } = await copyOf(
        db,
        values.copy_from,
        selectedType?.slug ?? '',
        new Set(values.copied.split(',')),
      );
      const own = { ...checked.data, status: 'active', ...(selectedType && { profile_type: selectedType }) };
      await actions.createProfile({ ...fields, ...own }, rows);
    });
    if (!isSaved) return;
    // The Home profile does not change: the new profile opens at its own address.
    const newAddress =
      selectedType &&
      getOwnProfilePath(
        { profile_type: selectedType },
        profiles.map(({ body: profile }) => profile),
      );
    const next = getReturnPath(state);
    navigate(next === '/' && newAddress ? newAddress : next, { replace: true });
  };

  return (
    <div className="mx-auto flex min-h-dvh max-w-xl flex-col">
      <WizardBar step={step} stepCount={stepCount} onClose={() => navigate(getReturnPath(state))} />
      <main id="main" tabIndex={-1} className="flex grow flex-col px-4 pt-6">
        <form
          ref={body}
          className="flex grow flex-col"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          {step === 1 && (
            <>
              <h1 className="text-[1.75rem] font-bold">What do you want to be cast as?</h1>
              <p className="mt-1.5 mb-4 text-muted">
                {isFull
                  ? 'You already have a profile of every kind.'
                  : 'One profile for each kind of work. You can add more later.'}
              </p>
              <FormSummary text={form.summary} />
              {types ? (
                <TypePicker
                  types={types}
                  takenTypeIds={takenTypeIds}
                  value={values.profile_type_id}
                  onChange={setField('profile_type_id')}
                  error={form.errors['profile_type_id']}
                />
              ) : isMissing ? (
                <ErrorPage
                  level={2}
                  icon={CloudOff}
                  title="You need to be online for this"
                  text="Go online once to load the kinds of profile. What you typed is kept."
                  action={<Button onClick={() => location.reload()}>Try again</Button>}
                />
              ) : (
                <Loading label="Loading the kinds of profile">
                  <div className="mt-5 space-y-2.5">
                    <Skeletons sizes={Array(3).fill('h-[68px] !rounded-2xl')} />
                  </div>
                </Loading>
              )}
              <div className="mt-5 mb-6">
                <TextField label="Stage name" marked autoComplete="nickname" {...field('stage_name')} />
              </div>
            </>
          )}
          {step === 2 && (
            <>
              <h1 className="text-[1.75rem] font-bold">How should we introduce you?</h1>
              <p className="mt-1.5 mb-4 text-muted">This appears under your name. You can change it at any time.</p>
              <FormSummary text={form.summary} />
              <div className="mt-4 space-y-4">
                <TextField label="Title" optional placeholder="Stage and screen actor" {...field('title')} />
                <SuggestField label="City" optional known={places} {...field('location')} />
              </div>
            </>
          )}
          {step === 3 && (
            <>
              <h1 className="text-[1.75rem] font-bold">What should we copy over?</h1>
              <p className="mt-1.5 text-muted">Choose parts of a profile you already have. Or start empty.</p>
              <FormSummary text={form.summary} />
              <CopyStep
                profiles={profiles}
                typeSlug={selectedType?.slug ?? ''}
                from={values.copy_from}
                chosen={new Set(values.copied.split(',').filter(Boolean))}
                onChange={(from, chosen) => form.change({ copy_from: from, copied: [...chosen].join(',') })}
              />
            </>
          )}
          <div className="sticky bottom-0 -mx-4 mt-auto border-t border-base-300 bg-base-200">
            <div className="flex gap-3 p-4 pb-6">
              {step > 1 && (
                <ButtonLink look="line" size="large" to={`/profile/step/${step - 1}`} state={state}>
                  Back
                </ButtonLink>
              )}
              <Button type="submit" size="large" className="min-w-0 grow" disabled={types === null || isFull}>
                {NEXT_LABELS[step] && step < stepCount ? NEXT_LABELS[step] : 'Make my profile'}
              </Button>
            </div>
          </div>
        </form>
      </main>
    </div>
  );
}

/** Returns the page from which the person signed up, else Home. */
function getReturnPath(state: unknown): string {
  const { from = '/' } = getSignInState(state);
  return from.startsWith('/profile/step/') ? '/' : from;
}

/** The first values: those of the newest profile, if there is one. */
function getStart(newest: Item | undefined, userName: string): Values {
  const text = (value: unknown, fallback = '') => (typeof value === 'string' ? value : fallback);
  return {
    profile_type_id: '',
    stage_name: text(newest?.body['stage_name'], userName),
    title: '',
    location: text(newest?.body['location']),
    copy_from: newest?.id ?? '',
    copied: '',
  };
}

const isStep = (n: number): n is Step => n === 1 || n === 2 || n === 3;

/** The pages /profile/step/1 to 3. The third is for a person who has a profile to copy from. */
export function Wizard() {
  const profiles = useQuery(ownProfiles, []);
  const { step } = useParams();
  const { state } = useLocation();
  if (profiles === undefined) return null;
  const stepNumber = Number(step);
  if (!isStep(stepNumber) || (stepNumber === 3 && profiles.length === 0))
    return <Navigate to="/profile/step/1" replace state={state} />;
  return <WizardForm step={stepNumber} profiles={profiles} />;
}
