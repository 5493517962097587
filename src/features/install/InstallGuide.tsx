import { BookOpen, ChevronLeft, EllipsisVertical, Share, ShieldCheck, SquarePlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#ui/Button.tsx';
import { Mark } from '#ui/Mark.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { useInstallState } from './install.ts';

function Step({ n, text, children }: { n: number; text: string; children: ReactNode }) {
  return (
    <li className="flex items-center gap-3">
      <div
        className="grid h-[84px] w-[124px] shrink-0 place-items-center overflow-hidden rounded-xl border border-base-300 bg-base-200"
        aria-hidden
      >
        {children}
      </div>
      <div>
        <span className="lab">Step {n}</span>
        <div className="leading-snug font-semibold">{text}</div>
      </div>
    </li>
  );
}

function ShareBar() {
  return (
    <div className="w-full px-2">
      <div className="flex h-8 items-center justify-between rounded-lg border border-base-300 bg-base-100 px-2.5 text-muted">
        <ChevronLeft className="ic size-4" />
        <span className="grid size-9 place-items-center rounded-full bg-accent text-accent-content">
          <Share className="ic size-5" />
        </span>
        <BookOpen className="ic size-4" />
      </div>
    </div>
  );
}

function MenuButton() {
  return (
    <div className="flex w-full items-center gap-2 px-2">
      <span className="h-7 grow rounded-full border border-base-300 bg-base-100" />
      <span className="grid size-9 place-items-center rounded-full bg-accent text-accent-content">
        <EllipsisVertical className="ic size-5" />
      </span>
    </div>
  );
}

function ListWith({ chosen, others }: { chosen: string; others: [string, string] }) {
  return (
    <div className="w-[104px] rounded-lg border border-base-300 bg-base-100 text-2xs font-semibold">
      <div className="border-b border-base-300 px-2 py-1.5 text-muted">{others[0]}</div>
      <div className="flex items-center justify-between bg-accent px-2 py-1.5 text-accent-content">
        {chosen} <SquarePlus className="ic size-3.5" />
      </div>
      <div className="px-2 py-1.5 text-muted">{others[1]}</div>
    </div>
  );
}

function OnHomeScreen() {
  return (
    <div className="text-center">
      <span className="inline-block">
        <Mark size={46} />
      </span>
      <div className="mt-1 text-2xs font-semibold">Callboard</div>
    </div>
  );
}

/** How to install by hand, in three drawn steps, where the browser has no dialog of its own. */
export function InstallGuide({ onClose }: { onClose: () => void }) {
  const isApple = useInstallState() === 'apple';
  return (
    <Sheet
      title={isApple ? 'Put Callboard on your Home Screen' : 'Install Callboard'}
      onClose={onClose}
      foot={<Button onClick={onClose}>Got it!</Button>}
    >
      <ol className="space-y-3">
        {isApple ? (
          <>
            <Step n={1} text="Tap Share at the bottom of Safari">
              <ShareBar />
            </Step>
            <Step n={2} text="Choose Add to Home Screen">
              <ListWith chosen="Add to Home" others={['Copy', 'Print']} />
            </Step>
          </>
        ) : (
          <>
            <Step n={1} text="Open your browser’s menu">
              <MenuButton />
            </Step>
            <Step n={2} text="Choose Install, or Add to Home screen">
              <ListWith chosen="Install" others={['Bookmarks', 'Share']} />
            </Step>
          </>
        )}
        <Step n={3} text="Open it once while you have signal">
          <OnHomeScreen />
        </Step>
      </ol>
      <div className="flex gap-3 rounded-2xl bg-base-200 p-3.5">
        <ShieldCheck className="ic mt-0.5 text-primary" aria-hidden />
        <p className="text-sm leading-snug">
          <b className="font-semibold">Why bother?</b>{' '}
          {isApple
            ? 'Safari clears websites you have not opened for 7 days. The installed app keeps your work.'
            : 'The installed app opens without signal, full screen, and your browser clears it last.'}
        </p>
      </div>
    </Sheet>
  );
}
