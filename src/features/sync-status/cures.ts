import { getEffect } from '#db/effects.ts';
import { LIMITS } from '#contract/limits.ts';
import { sectionOf } from '#contract/sections/index.ts';
import { kindOfRecord } from '#contract/media-kinds.ts';
import { capitalized } from '#contract/text.ts';
import type { WaitingItem } from '#db/views.ts';
import { fileSize } from '#lib/amounts.ts';
import { megabytes, typeWords } from '#lib/media-words.ts';
import { shapeOfMedium } from '#lib/record-shape.ts';
import { findOperation } from '#sync/operations/index.ts';
import { mayBeThere } from '#sync/queue/planner.ts';

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

/** What an unknown kind of change is about, nobody knows; a record is the most that it can be. */
const aboutOf = ({ row }: Pick<WaitingItem, 'row'>) => findOperation(row)?.about ?? 'record';

/** Whether there are words of the person's in it to copy. */
export const hasWords = (item: Pick<WaitingItem, 'row'>): boolean => ['record', 'message'].includes(aboutOf(item));

/** What Discard says before it is done, for what may be on the server already stays there. */
export function discardWords(item: Pick<WaitingItem, 'row' | 'title'>): string {
  const { row, title } = item;
  if (mayBeThere(row)) {
    return `${title}. It may have reached Callboard already. If it did, it stays there, and you can change it there.`;
  }
  if (getEffect(row) === 'creates' && row.type === 'profile') {
    return `${title}. The profile and everything you put into it will be gone for good.`;
  }
  switch (aboutOf(item)) {
    case 'removal':
      return `${title}. It stays as it is.`;
    case 'wish':
      return `${title}. This will not be sent.`;
    case 'file':
      return `${title}. The file you picked will be gone from Callboard for good.`;
    case 'record':
    case 'message':
      return `${title}. What you wrote here will be gone for good.`;
  }
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
const FIX: Way = { action: 'fix', label: 'Fix it' };
/** Of a deletion: the change is let go, and what was to be deleted stays. */
const KEEP: Way = { action: 'discard', label: 'Keep it' };
const COPY: Way = { action: 'copy', label: 'Copy text' };

function age(ms: number): string {
  const hours = Math.floor(ms / 3_600_000);
  if (hours < 48) return hours <= 1 ? 'an hour' : `${hours} hours`;
  return `${Math.floor(hours / 24)} days`;
}

const FIXABLE = 'Something in it needs fixing';

/** A sentence of the server's, or ours where it said nothing. */
function said({ row: { lastError } }: WaitingItem, otherwise: string): string {
  const [first] = Object.values(lastError?.errors ?? {}).flat();
  return `${(first ?? lastError?.message ?? otherwise).replace(/\.$/, '')}.`;
}

/** What a wish was about, by its kind or type, where it is no longer there; else it was about somebody. */
const GONE = new Map([
  ['accept', 'They withdrew their request.'],
  ['conversation', 'The conversation is closed.'],
  ['saved_media', 'It is no longer on Callboard.'],
]);

/** A wish about somebody or something else has no words to mend: it is let go, or sent once more. */
function wishCure(item: WaitingItem): Cure {
  const { kind, type, reason } = item.row;
  if (reason === 'gone') {
    return { message: GONE.get(kind) ?? GONE.get(type) ?? 'They are no longer on Callboard.', ways: [DISCARD] };
  }
  return { message: said(item, 'This could not be saved'), ways: [{ action: 'send', label: 'Send again' }, DISCARD] };
}

/** A message is said as it is or not at all. */
function messageCure(item: WaitingItem): Cure {
  if (item.row.reason === 'gone') {
    return { message: 'The conversation is closed. Your words are still here.', ways: [COPY, DISCARD] };
  }
  return { message: `${said(item, 'This could not be sent')} Your message is safe.`, ways: [AGAIN, COPY, DISCARD] };
}

function removalCure(item: WaitingItem): Cure {
  if (item.row.reason === 'conflict') {
    return {
      message: 'You deleted it here, but it has since been changed on another device.',
      ways: [
        { action: 'delete', label: 'Delete it' },
        { action: 'keep', label: 'Keep it' },
      ],
    };
  }
  const isMedium = item.row.type === 'media';
  const message = isMedium ? 'Failed to delete media. Please try again.' : said(item, 'This could not be deleted');
  return { message, ways: [AGAIN, KEEP] };
}

/** A portrait is a photo, too. */
const kindOfItem = ({ mediaType }: WaitingItem) => kindOfRecord(mediaType ?? 'image')!;
const isPicture = (item: WaitingItem) => kindOfItem(item).key === 'image';

/** The ways out of a refused file: a picture can be drawn anew, any other file has to be another one. */
const fileWays = (item: WaitingItem, label: string): Way[] =>
  isPicture(item) ? [{ action: 'shrink', label }, REMOVE] : [REMOVE];

/** What the server had no room for is fine as it is, once there is some. */
const isWithoutRoom = ({ row }: WaitingItem) => row.lastError?.errors?.storage !== undefined;

function fileCure(item: WaitingItem, maxBytes: number): Cure {
  const { row, upload } = item;
  const { reason } = row;
  if (reason === 'toobig') {
    const size = upload ? `${fileSize(upload.size)}. The` : 'Too large. The';
    return { message: `${size} limit is ${megabytes(maxBytes)} MB.`, ways: fileWays(item, 'Make smaller') };
  }
  if (reason === 'wrongtype') {
    const kind = kindOfItem(item);
    const message = `This type of file can’t be used. ${capitalized(kind.plural)} must be ${typeWords(kind)}.`;
    return { message, ways: fileWays(item, 'Turn into JPEG') };
  }
  if (reason === 'gone') {
    const message =
      getEffect(row) === 'uploads'
        ? 'The file is no longer on this device. Remove this and add the file again.'
        : 'The profile it belongs to is no longer there.';
    return { message, ways: [REMOVE] };
  }
  if (reason === 'forbidden') return { message: 'You can’t change this any more.', ways: [REMOVE] };
  if (isWithoutRoom(item)) return { message: `${said(item, FIXABLE)} Then try again.`, ways: [AGAIN, REMOVE] };
  const advice = isPicture(item) ? 'Turn it into a JPEG, or remove it.' : 'Remove it and add another file.';
  return { message: `${said(item, FIXABLE)} ${advice}`, ways: fileWays(item, 'Turn into JPEG') };
}

/** Whether a refusal of a new medium is about its file, and not about a field that its form has. */
function isAboutFile({ row, mediaType }: WaitingItem): boolean {
  if (row.type !== 'media' || getEffect(row) !== 'creates') return false;
  if (row.reason === 'toobig' || row.reason === 'wrongtype') return true;
  const { fields = {} } = shapeOfMedium({ ...row.patch, media_type: mediaType }) ?? {};
  return row.reason === 'invalid' && !Object.keys(row.lastError?.errors ?? {}).some((key) => key in fields);
}

/** The record under a change is gone, or what a new one belongs to. */
function goneCure({ row }: WaitingItem): Cure {
  if (getEffect(row) !== 'edits') {
    return { message: 'What it belongs to is no longer there. What you wrote is safe.', ways: [COPY, DISCARD] };
  }
  const message = 'Deleted on another device. Your change is still here.';
  // A medium cannot be made again, for its file went with it; nor can a profile, or a set without it.
  if (!sectionOf(row.type)?.endpoints.create) return { message, ways: [COPY, DISCARD] };
  return { message, ways: [{ action: 'recreate', label: 'Recreate' }, DISCARD] };
}

function recordCure(item: WaitingItem, maxBytes: number): Cure {
  const { reason } = item.row;
  if (isAboutFile(item)) return fileCure(item, maxBytes);
  if (reason === 'conflict') {
    return {
      message: 'Also changed on another device. Both versions are kept.',
      ways: [
        { action: 'choose', label: 'Choose a version' },
        { action: 'later', label: 'Later' },
      ],
    };
  }
  if (reason === 'gone') return goneCure(item);
  if (reason === 'forbidden') return { message: 'You can’t change this any more.', ways: [COPY, DISCARD] };
  if (reason === 'toobig') {
    return { message: 'This is more than the server takes at once. Make it shorter.', ways: [FIX, COPY, DISCARD] };
  }
  if (isWithoutRoom(item)) return { message: `${said(item, FIXABLE)} Then try again.`, ways: [AGAIN, DISCARD] };
  return { message: `${said(item, FIXABLE)} What you typed is safe.`, ways: [FIX, DISCARD] };
}

/** What the server refused for good, by what the change is about. */
function refusalCure(item: WaitingItem, maxBytes: number): Cure {
  switch (aboutOf(item)) {
    case 'wish':
      return wishCure(item);
    case 'message':
      return messageCure(item);
    case 'removal':
      return removalCure(item);
    case 'file':
      return fileCure(item, maxBytes);
    case 'record':
      return recordCure(item, maxBytes);
  }
}

/**
 * What a change that needs the person says, and every way out of it.
 * @param now ms since the epoch, for 'Written 3 days ago'
 * @param maxBytes of one file
 */
export function cureOf(item: WaitingItem, now: number, maxBytes: number = LIMITS.uploadBytes): Cure {
  const { row } = item;
  const copy = hasWords(item) ? [COPY] : [];
  const letGo = aboutOf(item) === 'removal' ? KEEP : DISCARD;
  switch (row.reason) {
    case 'stale':
      return {
        message: `Written ${age(now - row.createdAt)} ago. Send now?`,
        ways: [{ action: 'send', label: 'Send now' }, letGo],
      };
    case 'unknown-op':
      return {
        message: 'Update the app to send this.',
        ways: [{ action: 'update', label: 'Update the app' }, AGAIN, ...copy, letGo],
      };
    case 'unsure':
      return {
        message: 'This may already have been sent. The connection broke before the answer came.',
        ways: [
          { action: 'check', label: 'Check' },
          { action: 'send', label: 'Send again' },
        ],
      };
    case 'failed':
      return {
        message: 'Something went wrong on this device after it was sent, so Callboard may have it already.',
        ways: [AGAIN, ...copy, DISCARD],
      };
    case 'suspect':
    case undefined:
      return {
        message: 'The server has a problem. We keep trying.',
        ways: [{ action: 'send', label: 'Try now' }, DISCARD],
      };
    case 'invalid':
    case 'conflict':
    case 'forbidden':
    case 'gone':
    case 'toobig':
    case 'wrongtype':
      return refusalCure(item, maxBytes);
  }
}
