import { Check, CloudOff, Lock, Upload, type LucideIcon } from 'lucide-react';
import { Link } from '#ui/router.tsx';
import { ButtonLink } from '#ui/Button.tsx';
import { IconDisc } from '#ui/IconDisc.tsx';
import { usePageTitle } from '#ui/page-title.ts';
import { registerLink } from '#shared/sign-in-state.ts';
import ishaan from './ishaan.svg';
import meera from './meera.svg';
import zoya from './zoya.svg';

const PORTRAITS = [
  { name: 'Zoya', line: 'Voice, Lucknow', src: zoya, shape: 'aspect-[4/5.6] [--arch:35.7%]' },
  { name: 'Meera', line: 'Plays 26 to 34, Mumbai', src: meera, shape: 'aspect-[4/6] [--arch:33.4%]' },
  { name: 'Ishaan', line: 'Dancer, Delhi', src: ishaan, shape: 'aspect-[4/5.6] [--arch:35.7%]' },
];

const REASONS: { icon: LucideIcon; title: string; text: string }[] = [
  { icon: CloudOff, title: 'No signal on set? Carry on', text: 'Your edits and reels send themselves later' },
  { icon: Upload, title: 'Uploads never start over', text: 'Close the app and it picks up where it stopped' },
  { icon: Lock, title: 'Your age stays yours', text: 'Casting sees your playing age, nothing else' },
];

export function Landing() {
  usePageTitle('Be ready when the call comes');
  return (
    <>
      <div className="mx-auto grid max-w-[1216px] grid-cols-1 px-4 md:grid-cols-[1fr_1.05fr] md:items-center md:gap-8 md:px-6 md:pt-8 lg:gap-12">
        <div>
          <h1 className="mt-4 text-[2.75rem] !leading-[0.98] font-bold md:text-[3.25rem] lg:text-[4.25rem]">
            Be ready when the call comes.
          </h1>
          <p className="mt-4 max-w-md text-lg leading-snug text-muted">
            Your credits, reels and contacts in one page casting can open anywhere. Works on set with no signal.
          </p>
          <div className="mt-5 flex flex-wrap gap-2.5">
            {/* On a phone the header right above has the same button. */}
            <ButtonLink size="large" className="max-md:hidden" {...registerLink()}>
              Get on the Stage!
            </ButtonLink>
          </div>
          <div className="mt-2 flex flex-wrap items-center gap-x-4 text-sm text-muted">
            <span className="flex items-center gap-1.5">
              <Check className="ic size-4 text-saved" aria-hidden />
              Free for performers, photos and reels included
            </span>
            <span>
              Already on Callboard?{' '}
              <Link to="/login" className="inline-flex min-h-11 items-center font-semibold text-primary underline">
                Sign in
              </Link>
            </span>
          </div>
        </div>
        <div className="mt-5 grid grid-cols-[1fr_1.35fr_1fr] items-end gap-2.5 md:mt-0 md:gap-4">
          {PORTRAITS.map((portrait) => (
            <figure key={portrait.name}>
              <img
                src={portrait.src}
                alt=""
                className={`arch block w-full bg-neutral object-cover object-top ${portrait.shape}`}
              />
              <figcaption className="mt-2 text-center leading-tight">
                <b className="block font-semibold">{portrait.name}</b>
                <span className="text-sm text-muted">{portrait.line}</span>
              </figcaption>
            </figure>
          ))}
        </div>
      </div>
      <section
        className="mx-auto mt-6 grid max-w-[1216px] grid-cols-1 gap-x-8 px-4 md:mt-14 md:grid-cols-3 md:px-6"
        aria-label="Why Callboard"
      >
        {REASONS.map(({ icon, title, text }) => (
          <div key={title} className="flex items-center gap-3 border-t border-base-300 py-2.5">
            <IconDisc icon={icon} />
            <div className="leading-snug">
              <b className="block font-semibold">{title}</b>
              <span className="text-sm text-muted">{text}</span>
            </div>
          </div>
        ))}
      </section>
    </>
  );
}
