import { BookOpen, ChevronLeft, EllipsisVertical, MonitorDown, Share, ShieldCheck, SquarePlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSession } from '#session/session.tsx';
import { Button } from '#ui/Button.tsx';
import { Logo } from '#ui/Logo.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { selectGuide, hasOwnStorage, type GuideKind } from './select-guide.ts';
import { promptInstall, useInstallState } from './install.ts';
import { lazyPart } from '#ui/lazy-part.ts';

// Loaded lazily: it depends on the store, which visitors do not need.
const UnsentWarning = lazyPart(async () => (await import('./UnsentWarning.tsx')).UnsentWarning);

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

function MenuWith({ chosen, others }: { chosen: string; others: [string, string] }) {
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

function HomeScreenIcon() {
  return (
    <div className="text-center">
      <span className="inline-block">
        <Logo size={46} />
      </span>
      <div className="mt-1 text-2xs font-semibold">Callboard</div>
    </div>
  );
}

function AddressBar() {
  return (
    <div className="flex w-full items-center gap-2 px-2">
      <span className="flex h-9 grow items-center justify-end rounded-full border border-base-300 bg-base-100 pr-1">
        <span className="grid size-7 place-items-center rounded-full bg-accent text-accent-content">
          <MonitorDown className="ic size-4" />
        </span>
      </span>
      <EllipsisVertical className="ic size-5 text-muted" />
    </div>
  );
}

function FileMenu() {
  return (
    <div className="w-[104px] rounded-lg border border-base-300 bg-base-100 text-2xs font-semibold">
      <div className="flex gap-2 border-b border-base-300 px-2 py-1.5">
        <span className="text-muted">Safari</span>
        <span className="rounded bg-accent px-1 text-accent-content">File</span>
        <span className="text-muted">Edit</span>
      </div>
      <div className="px-2 py-1.5 text-muted">New Tab</div>
    </div>
  );
}

interface Guide {
  title: string;
  /** Three illustrated steps; none if this browser cannot install the app. */
  steps?: { text: string; picture: ReactNode }[];
  /** An alternative or a note. */
  text?: string;
}

const LAST_STEP = { text: 'Open it once while you’re online', picture: <HomeScreenIcon /> };
const ON_IOS = 'Put Callboard on your Home Screen';
const OPEN_MENU = 'Open your browser’s menu';

const GUIDES: Record<GuideKind, Guide> = {
  'ios safari': {
    title: ON_IOS,
    steps: [
      { text: 'Tap Share at the bottom of Safari', picture: <ShareBar /> },
      { text: 'Choose Add to Home Screen', picture: <MenuWith chosen="Add to Home" others={['Copy', 'Print']} /> },
      { ...LAST_STEP, text: 'Open it once while you’re online, and sign in there' },
    ],
  },
  'ios other': {
    title: ON_IOS,
    steps: [
      { text: 'Tap Share, beside the address or in the menu', picture: <ShareBar /> },
      { text: 'Choose Add to Home Screen', picture: <MenuWith chosen="Add to Home" others={['Copy', 'Print']} /> },
      { ...LAST_STEP, text: 'Open it once while you’re online, and sign in there' },
    ],
    text: 'Not in the list? Open this page in Safari and share it from there.',
  },
  'firefox android': {
    title: 'Install Callboard',
    steps: [
      { text: 'Open Firefox’s menu, beside the address', picture: <MenuButton /> },
      {
        text: 'Choose Install, or Add app to Home screen',
        picture: <MenuWith chosen="Install" others={['Share', 'Find in page']} />,
      },
      LAST_STEP,
    ],
  },
  android: {
    title: 'Install Callboard',
    steps: [
      { text: OPEN_MENU, picture: <MenuButton /> },
      {
        text: 'Choose Add to Home screen, then Install',
        picture: <MenuWith chosen="Install" others={['Bookmarks', 'Share']} />,
      },
      LAST_STEP,
    ],
  },
  'mac safari': {
    title: 'Install Callboard',
    steps: [
      { text: 'Open the File menu at the top of the screen', picture: <FileMenu /> },
      { text: 'Choose Add to Dock', picture: <MenuWith chosen="Add to Dock" others={['Share', 'Print']} /> },
      LAST_STEP,
    ],
    text: 'Add to Dock needs macOS Sonoma or later.',
  },
  desktop: {
    title: 'Install Callboard',
    steps: [
      { text: 'Look for the install icon at the end of the address', picture: <AddressBar /> },
      {
        text: 'No icon? Open the menu and find Install',
        picture: <MenuWith chosen="Install" others={['Bookmarks', 'Print']} />,
      },
      LAST_STEP,
    ],
    text: 'In Chrome it is under Cast, save and share; in Edge, under Apps.',
  },
  'firefox desktop': {
    title: 'Firefox can’t install apps on a computer',
    text: 'Callboard works here all the same, offline too. Bookmark it, or open it in Chrome, Edge or Safari to install it.',
  },
  'in-app browser': {
    title: 'Open this page in your browser first',
    text: 'You opened Callboard inside another app, which can’t install it. Use that app’s menu to open the page in your browser, then tap Install App again.',
  },
  unsupported: {
    title: 'This browser can’t install apps',
    text: 'That is usual in a private window or an older browser. Open Callboard in an ordinary window of an up-to-date browser to install it.',
  },
  installed: {
    title: 'Callboard is already installed',
    text: 'Open it from your home screen or your list of apps.',
  },
};

function getGuideKind(isInstalled: boolean): GuideKind {
  const canRunWorkers = isSecureContext && 'serviceWorker' in navigator;
  const { userAgent, maxTouchPoints } = navigator;
  return selectGuide({ userAgent, maxTouchPoints, canRunWorkers, isInstalled });
}

/** Shows how to install the app by hand with this browser, or why that is not possible and what to do instead. */
export function InstallGuide({ onClose }: { onClose: () => void }) {
  const state = useInstallState();
  const isSignedIn = useSession().account !== null;
  const kind = getGuideKind(state === 'installed' || state === 'app');
  const { title, steps, text } = GUIDES[kind];
  return (
    <Sheet
      title={title}
      onClose={onClose}
      foot={
        state === 'native' ? (
          // The browser offered its dialog while the guide was open.
          <Button onClick={() => void promptInstall().then((isShown) => isShown && onClose())}>Install App</Button>
        ) : (
          <Button onClick={onClose}>Got it!</Button>
        )
      }
    >
      {hasOwnStorage(kind) && isSignedIn && <UnsentWarning />}
      {steps && (
        <ol className="space-y-3">
          {steps.map((step, index) => (
            <Step key={step.text} n={index + 1} text={step.text}>
              {step.picture}
            </Step>
          ))}
        </ol>
      )}
      {hasOwnStorage(kind) && (
        <p className="text-sm">
          The installed app starts empty and asks you to sign in again. Your profile comes from the server.
        </p>
      )}
      {text && <p className={steps ? 'text-sm text-muted' : ''}>{text}</p>}
      {steps && (
        <div className="flex gap-3 rounded-2xl bg-base-200 p-3.5">
          <ShieldCheck className="ic mt-0.5 text-primary" aria-hidden />
          <p className="text-sm leading-snug">
            <b className="font-semibold">Why install?</b>{' '}
            {kind.startsWith('ios')
              ? 'Safari clears websites you haven’t opened for 7 days. The installed app keeps your work, and only it can show notifications.'
              : 'The installed app opens full screen and without signal, and your browser clears it last.'}
          </p>
        </div>
      )}
    </Sheet>
  );
}
