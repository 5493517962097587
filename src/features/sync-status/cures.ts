import { LIMITS } from '#contract/limits.ts';
import { sectionOf } from '#contract/sections/index.ts';
import { kindOfRecord } from '#contract/media-kinds.ts';
import { capitalized } from '#contract/text.ts';
import { CONNECTION } from '#db/people.ts';
import type { OpKind, Reason } from '#db/rows.ts';
import type { WaitingItem } from '#db/views.ts';
import { fileSize } from '#lib/amounts.ts';
import { megabytes, typeWords } from '#lib/media-words.ts';
import { shapeOfMedium } from '#lib/record-shape.ts';

/** What a button of Waiting to send does. */
export type CureAction =
  | 'fix'
  | 'choose'
  | 'later'
  | 'recreate'
  | 'discard'
  | 'keep'
  | 'delete'
  | 'copy'
  | 'shrink'
  | 'send'
  | 'check'
  | 'update';

/** What Discard says before it is done, for what may be on the server already stays there. */
export function discardWords({ row, title }: Pick<WaitingItem, 'row' | 'title'>): string {
  if (row.reason === 'suspect' || row.reason === 'unsure' || row.reason === 'failed') {
    return `${title}. It may have reached Callboard already. If it did, it stays there, and you can change it there.`;
  }
  if (row.kind === 'create' && row.type === 'profile') {
    return `${title}. The profile and everything you put into it will be gone for good.`;
  }
  return `${title}. What you wrote here will be gone for good.`;
}

export interface Cure {
  /** What happened, in one or two sentences. */
  message: string;
  /** The ways out; the first is the one we would take. */
  ways: readonly { action: CureAction; label: string }[];
}

type Way = Cure['ways'][number];
const DISCARD: Way = { action: 'discard', label: 'Discard' };
const REMOVE: Way = { action: 'discard', label: 'Remove' };
const AGAIN: Way = { action: 'send', label: 'Try again' };
/** Of a deletion: the change is let go, and what was to be deleted stays. */
const KEEP: Way = { action: 'discard', label: 'Keep it' };
const COPY: Way = { action: 'copy', label: 'Copy text' };

function age(ms: number): string {
  const hours = Math.floor(ms / 3_600_000);
  if (hours < 48) return hours <= 1 ? 'an hour' : `${hours} hours`;
  return `${Math.floor(hours / 24)} days`;
}

function firstMessage(item: WaitingItem): string | undefined {
  const errors = item.row.lastError?.errors;
  return errors && Object.values(errors)[0]?.[0];
}

const WISHES = new Set<OpKind>(['save', 'connect', 'accept', 'seen']);
const isWish = ({ kind, type }: WaitingItem['row']) => WISHES.has(kind) || type === CONNECTION;

/** A wish about somebody else has no words to mend: it is let go, or sent once more. */
function wishCure({ row }: WaitingItem): Cure {
  if (row.reason === 'gone') {
    const message = row.kind === 'accept' ? 'They withdrew their request.' : 'They are no longer on Callboard.';
    return { message, ways: [DISCARD] };
  }
  const again = { action: 'send', label: 'Send again' } as const;
  return { message: row.lastError?.message ?? 'This could not be saved.', ways: [again, DISCARD] };
}

/** A message is said as it is or not at all. */
function messageCure({ row }: WaitingItem): Cure {
  if (row.reason === 'gone') {
    return { message: 'The conversation is closed. Your words are still here.', ways: [COPY, DISCARD] };
  }
  const said = row.lastError?.message ?? 'This could not be saved.';
  return { message: `${said.replace(/\.$/, '')}. Your message is safe.`, ways: [AGAIN, COPY, DISCARD] };
}

/** Whether the server's words are about the file of a change, and not about a field that its form has. */
function isAboutFile({ row, mediaType }: WaitingItem): boolean {
  if (row.kind === 'avatar' || row.kind === 'upload') return true;
  if (row.type !== 'media' || row.kind === 'update') return false;
  const { fields = {} } = shapeOfMedium({ ...row.patch, media_type: mediaType }) ?? {};
  return !Object.keys(row.lastError?.errors ?? {}).some((key) => key in fields);
}

/** The ways out of a refused file: a picture can be drawn anew, any other file has to be another one. */
function fileWays(item: WaitingItem, label: string): Way[] {
  return kindOfItem(item).key === 'image' ? [{ action: 'shrink', label }, REMOVE] : [REMOVE];
}

/** What the server had no room for is fine as it is, once there is some. */
const isWithoutRoom = ({ row }: WaitingItem) => row.lastError?.errors?.['storage'] !== undefined;

/** What to do about what the server refused, in words and as buttons. */
function invalidCure(item: WaitingItem): { next: string; ways: Way[] } {
  const isFile = isAboutFile(item);
  if (isWithoutRoom(item)) return { next: 'Then try again.', ways: [AGAIN, isFile ? REMOVE : DISCARD] };
  if (isFile) return { next: fileAdvice(item), ways: fileWays(item, 'Turn into JPEG') };
  return { next: 'What you typed is safe.', ways: [{ action: 'fix', label: 'Fix it' }, DISCARD] };
}

/** What to do with a file that the server refused. */
const fileAdvice = (item: WaitingItem) =>
  kindOfItem(item).key === 'image' ? 'Turn it into a JPEG, or remove it.' : 'Remove it and add another file.';

/** A portrait is a photo, too. */
const kindOfItem = ({ mediaType }: WaitingItem) => kindOfRecord(mediaType ?? 'image')!;

const REFUSALS = new Set<Reason | undefined>(['invalid', 'forbidden', 'unknown-op']);
/** The server answered, and would not delete a medium. */
const isRefusedDeletion = ({ kind, type, reason }: WaitingItem['row']) =>
  kind === 'delete' && type === 'media' && REFUSALS.has(reason);

/**
 * What a change that needs the person says, and every way out of it.
 * @param now ms since the epoch, for 'Written 3 days ago'
 * @param maxBytes of one file
 */
export function cureOf(item: WaitingItem, now: number, maxBytes: number = LIMITS.uploadBytes): Cure {
  const { row } = item;
  const isRefused = row.reason && !['suspect', 'unsure', 'failed'].includes(row.reason);
  if (isWish(row) && isRefused) return wishCure(item);
  if (row.kind === 'send' && isRefused) return messageCure(item);
  if (isRefusedDeletion(row)) return { message: 'Failed to delete media. Please try again.', ways: [AGAIN, KEEP] };
  switch (row.reason) {
    case 'invalid': {
      const said = firstMessage(item) ?? row.lastError?.message;
      const { next, ways } = invalidCure(item);
      return {
        message: `${said?.replace(/\.$/, '') ?? 'Something in it needs fixing'}. ${next}`,
        ways,
      };
    }
    case 'conflict':
      if (row.kind === 'delete') {
        return {
          message: 'You deleted it here, but it has since been changed on another device.',
          ways: [
            { action: 'delete', label: 'Delete it' },
            { action: 'keep', label: 'Keep it' },
          ],
        };
      }
      return {
        message: 'Also changed on another device. Both versions are kept.',
        ways: [
          { action: 'choose', label: 'Choose a version' },
          { action: 'later', label: 'Later' },
        ],
      };
    case 'gone': {
      if (row.kind === 'upload')
        return { message: 'The file is no longer on this device. Remove this and add the file again.', ways: [REMOVE] };
      if (row.kind !== 'update') {
        return { message: 'What it belongs to is no longer there. What you wrote is safe.', ways: [COPY, DISCARD] };
      }
      const message = 'Deleted on another device. Your change is still here.';
      // A medium cannot be made again, for its file went with it; nor can a profile, or a set without it.
      if (!sectionOf(row.type)?.endpoints.create) return { message, ways: [COPY, DISCARD] };
      return { message, ways: [{ action: 'recreate', label: 'Recreate' }, DISCARD] };
    }
    case 'forbidden':
      return { message: 'You can’t change this any more.', ways: [COPY, DISCARD] };
    case 'toobig': {
      const size = item.upload ? `${fileSize(item.upload.size)}. The` : 'Too large. The';
      return {
        message: `${size} limit is ${megabytes(maxBytes)} MB.`,
        ways: fileWays(item, 'Make smaller'),
      };
    }
    case 'wrongtype': {
      const kind = kindOfItem(item);
      return {
        message: `This type of file can’t be used. ${capitalized(kind.plural)} must be ${typeWords(kind)}.`,
        ways: fileWays(item, 'Turn into JPEG'),
      };
    }
    case 'stale':
      return {
        message: `Written ${age(now - row.createdAt)} ago. Send now?`,
        ways: [{ action: 'send', label: 'Send now' }, DISCARD],
      };
    case 'unsure':
      return {
        message: 'This may already have been sent. The connection broke before the answer came.',
        ways: [
          { action: 'check', label: 'Check' },
          { action: 'send', label: 'Send again' },
        ],
      };
    case 'unknown-op':
      return {
        message: 'Update the app to send this.',
        ways: [{ action: 'update', label: 'Update the app' }, { action: 'send', label: 'Try again' }, COPY, DISCARD],
      };
    case 'failed':
      return {
        message: 'Something went wrong on this device after it was sent, so Callboard may have it already.',
        ways: [{ action: 'send', label: 'Try again' }, COPY, DISCARD],
      };
    case 'suspect':
    case undefined:
      return {
        message: 'The server has a problem. We keep trying.',
        ways: [{ action: 'send', label: 'Try now' }, DISCARD],
      };
  }
}
