'fetched soon after the start';

import { useLayoutEffect } from 'react';
import { Camera, Check, ChevronRight, Clapperboard, Languages, MapPin, Phone, SlidersHorizontal } from 'lucide-react';
import type { Profile } from '#contract/records/profile.ts';
import { avatarOf } from '#db/queries.ts';
import { useCachedQuery } from '#shared/queries/use-cached-query.ts';
import { Button } from '#ui/Button.tsx';
import {
  getProfileContents,
  toRemainingText,
  MIN_DONE_FOR_ONE_LINE,
  getSteps,
  type Step,
  type StepKey,
} from './completeness.ts';
import type { Sections } from './use-own-profile.ts';

interface CompletenessCardProps {
  profileId: string;
  profile: Profile;
  sections: Sections;
  /** Opens what the step asks for. */
  onStep: (step: StepKey) => void;
  /** Called when the card has rendered, or has found that it has nothing to show. */
  onReady: () => void;
}

const ICONS = {
  name: MapPin,
  photo: Camera,
  age: SlidersHorizontal,
  languages: Languages,
  credits: Clapperboard,
  contact: Phone,
} as const;

/** Shows the steps to a complete profile and disappears when all are done. Unsent changes count as done. */
export function CompletenessCard({ profileId, profile, sections, onStep, onReady }: CompletenessCardProps) {
  const pickedPortrait = useCachedQuery('picked portrait', profileId, avatarOf);
  const steps =
    pickedPortrait === undefined ? null : getSteps(profile, getProfileContents(sections, pickedPortrait !== null));
  const done = steps?.filter((step) => step.isDone).length;
  const isReady = steps !== null;
  useLayoutEffect(() => {
    if (isReady) onReady();
  }, [isReady, onReady]);
  const next = steps?.find((step) => !step.isDone);
  if (!steps || done === undefined || !next) return null;
  return done < MIN_DONE_FOR_ONE_LINE ? (
    <StepList steps={steps} done={done} next={next} onStep={onStep} />
  ) : (
    <NextStep steps={steps} done={done} next={next} onStep={onStep} />
  );
}

interface StepsProps {
  steps: readonly Step[];
  done: number;
  next: Step;
  onStep: (step: StepKey) => void;
}

function StepList({ steps, done, next, onStep }: StepsProps) {
  return (
    <section className="notice overflow-hidden" aria-label="Get ready for casting">
      <div className="bg-green-area px-4 pt-4 pb-3.5 text-white md:px-5">
        <div className="flex items-end justify-between gap-3">
          <h2 className="text-lg font-bold">Get ready for casting</h2>
          <span className="num font-semibold">
            {done} of {steps.length}
          </span>
        </div>
        <div
          className="band mt-2 !bg-black/30"
          role="progressbar"
          aria-label="Steps done"
          aria-valuemin={0}
          aria-valuenow={done}
          aria-valuemax={steps.length}
        >
          <i className="!bg-accent" style={{ left: 0, right: `${100 - (done / steps.length) * 100}%` }} />
        </div>
        <p className="mt-2 text-sm">It takes about ten minutes and works without signal, so do it between takes.</p>
      </div>
      <ol className="px-4 md:px-5">
        {steps.map((step) => {
          const Icon = step.isDone ? Check : ICONS[step.key];
          const content = (
            <>
              <span
                className={`grid size-9 shrink-0 place-items-center rounded-full ${
                  step.isDone ? 'bg-primary text-primary-content' : 'bg-base-200'
                }`}
              >
                <Icon className="ic size-[18px]" aria-hidden />
              </span>
              <span className="min-w-0 grow">
                <span className={`block leading-tight font-semibold ${step.isDone ? 'text-muted' : ''}`}>
                  {step.title}
                </span>
                <span className="block text-sm text-muted">{step.isDone ? 'Done' : step.hint}</span>
              </span>
            </>
          );
          const row = 'flex min-h-[58px] w-full items-center gap-3 py-1.5 text-left';
          return (
            <li key={step.key} className="border-t border-base-300 first:border-t-0">
              {step.isDone ? (
                <div className={row}>{content}</div>
              ) : step === next ? (
                <div className={row}>
                  {content}
                  <Button aria-label={`Add: ${step.title}`} onClick={() => onStep(step.key)}>
                    Add
                  </Button>
                </div>
              ) : (
                <button type="button" className={`${row} cursor-pointer`} onClick={() => onStep(step.key)}>
                  {content}
                  <ChevronRight className="ic text-muted" aria-hidden />
                </button>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

const RADIUS = 20;
const CIRCUMFERENCE = 2 * Math.PI * RADIUS;

function NextStep({ steps, done, next, onStep }: StepsProps) {
  const share = done / steps.length;
  return (
    <section className="notice" aria-label="Get ready for casting">
      <button
        type="button"
        className="flex min-h-[76px] w-full cursor-pointer items-center gap-4 rounded-box px-4 py-3 text-left md:px-5"
        onClick={() => onStep(next.key)}
      >
        <span className="relative grid size-12 shrink-0 place-items-center">
          <svg viewBox="0 0 48 48" className="absolute inset-0 -rotate-90" fill="none" strokeWidth="4" aria-hidden>
            <circle cx="24" cy="24" r={RADIUS} className="stroke-base-300" />
            <circle
              cx="24"
              cy="24"
              r={RADIUS}
              className="stroke-primary"
              strokeLinecap="round"
              strokeDasharray={`${share * CIRCUMFERENCE} ${CIRCUMFERENCE}`}
            />
          </svg>
          <span className="num text-xs font-bold">{Math.round(share * 100)}%</span>
        </span>
        <span className="min-w-0 grow leading-snug">
          <span className="block font-semibold">Next: {next.title.toLocaleLowerCase('en-IN')}</span>
          <span className="block text-sm text-muted">{toRemainingText(steps)}</span>
        </span>
        <ChevronRight className="ic text-muted" aria-hidden />
      </button>
    </section>
  );
}
