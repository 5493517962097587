import {
  Download,
  File,
  FileLock,
  Hand,
  Image,
  MessageCircle,
  Mic,
  Pencil,
  Shapes,
  UserPlus,
  Video,
} from 'lucide-react';
import { useState } from 'react';
import { DEVICE_CALLS } from '#contract/device-calls.ts';
import { countPending, PENDING_KINDS, type PendingKind } from '#contract/pending.ts';
import type { LostRecord } from '#contract/records/devices.ts';
import { count } from '#lib/text.ts';
import { call } from '#net/client.ts';
import { Button, ButtonLink } from '#ui/Button.tsx';
import { deviceWord, isInstalledApp } from '#ui/device.ts';
import { IconDisc } from '#ui/IconDisc.tsx';
import { toast } from '#ui/Toast.tsx';
import { useSheetParam } from '#ui/use-sheet-param.ts';

const KINDS: Record<PendingKind, { icon: typeof File; one: string; many?: string }> = {
  edit: { icon: Pencil, one: 'edit' },
  photo: { icon: Image, one: 'photo' },
  video: { icon: Video, one: 'video' },
  audio: { icon: Mic, one: 'recording' },
  document: { icon: File, one: 'document' },
  message: { icon: MessageCircle, one: 'message' },
  request: { icon: UserPlus, one: 'change to your connections', many: 'changes to your connections' },
  other: { icon: Shapes, one: 'other change' },
};
const DAY_MS = 24 * 60 * 60_000;

/** 'Tuesday, 9 pm' within a week, else '3 November, 9 pm': the hour is all that is known. */
export function hourText(at: string, nowMs: number): string {
  const time = new Date(at);
  const isRecent = nowMs - time.getTime() < 6 * DAY_MS;
  const day = time.toLocaleDateString('en-GB', isRecent ? { weekday: 'long' } : { day: 'numeric', month: 'long' });
  return `${day}, ${time.toLocaleTimeString('en-GB', { hour: 'numeric', hour12: true })}`;
}

/** 'This phone had at least 3 changes that never arrived' */
export function lossTitle({ name, kinds, current, certain, at_least }: LostRecord, word: string): string {
  const changes = `${at_least ? 'at least ' : ''}${count(countPending(kinds), 'change')}`;
  const device = current ? `This ${word}` : name;
  return certain ? `${device} had ${changes} that never arrived` : `${device} may have lost ${changes}`;
}

/** What is known about the loss besides its number. */
export function lossText({ since, current, certain }: LostRecord, word: string, nowMs: number): string {
  const oldest = `The oldest is from ${hourText(since, nowMs)}.`;
  const known = 'We know what kind of changes they were, not what was in them.';
  if (certain)
    return `${oldest} Since then the browser has cleared ${current ? `this ${word}’s` : 'its'} storage. ${known}`;
  return `${oldest} It has been silent since, and the storage of a device like it has been cleared. If you still use it, open Callboard there. ${known}`;
}

interface NeverArrivedProps {
  loss: LostRecord;
  /** Forgets the loss on this device. */
  onDismissed: () => void;
}

/** Tells what waited on a device and never arrived, because its browser deleted it. */
export function NeverArrived({ loss, onDismissed }: NeverArrivedProps) {
  const install = useSheetParam('install');
  const [isBusy, setIsBusy] = useState(false);
  const [now] = useState(Date.now);
  const id = `lost-${loss.id}`;
  const dismiss = async () => {
    if (isBusy) return;
    setIsBusy(true);
    const answer = await call(DEVICE_CALLS.dismiss, { params: { id: loss.id } });
    setIsBusy(false);
    // Another device may have dismissed it, and the server forgets it after half a year.
    if (answer.ok || answer.error.reason === 'missing') return onDismissed();
    toast({ text: 'You need to be online for this' });
  };
  return (
    <section className="notice p-4" aria-labelledby={id}>
      <div className="flex gap-3">
        <IconDisc icon={Hand} isUrgent />
        <div className="min-w-0 grow">
          <h2 id={id} className="text-lg leading-tight font-bold break-words">
            {lossTitle(loss, deviceWord())}
          </h2>
          <p className="mt-1 text-sm leading-snug text-muted">{lossText(loss, deviceWord(), now)}</p>
        </div>
      </div>
      <ul className="mt-3">
        {PENDING_KINDS.filter((kind) => loss.kinds[kind]).map((kind) => {
          const { icon: Icon, one, many } = KINDS[kind];
          return (
            <li key={kind} className="flex items-center gap-3 border-t border-base-300 py-2.5 first:border-t-0">
              <span className="grid size-10 shrink-0 place-items-center rounded-xl bg-base-200">
                <Icon className="ic" aria-hidden />
              </span>
              <b className="font-semibold">{count(loss.kinds[kind] ?? 0, one, many)}</b>
            </li>
          );
        })}
      </ul>
      {loss.current && loss.certain && !isInstalledApp() && (
        <p className="mt-1 flex items-center gap-2 text-sm text-muted">
          <Download className="ic shrink-0" aria-hidden />
          <span>
            An installed app keeps its storage far longer.{' '}
            <button type="button" className="font-semibold underline" onClick={() => install.open()}>
              Install it
            </button>
          </span>
        </p>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <ButtonLink to="/waiting?unseal" icon={FileLock} className="grow">
          Open a sealed file
        </ButtonLink>
        <Button className="grow" look="line" aria-disabled={isBusy} onClick={() => void dismiss()}>
          {isBusy ? 'Letting them go…' : 'Let them go'}
        </Button>
      </div>
    </section>
  );
}
