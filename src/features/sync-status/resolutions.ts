import { getEffect } from '#db/effects.ts';
import { LIMITS } from '#contract/limits.ts';
import { sectionOf } from '#contract/sections/index.ts';
import { getMediaKind, getMediaKindOfFile, getMediaKindOfRecord, type MediaKind } from '#contract/media-kinds.ts';
import type { MediaType } from '#contract/media-types.ts';
import { capitalized } from '#contract/text.ts';
import type { WaitingItem } from '#db/views.ts';
import { fileSize } from '#lib/amounts.ts';
import { spanText } from '#lib/deadline.ts';
import { megabytes, formatFileTypes } from '#lib/file-types-text.ts';
import { getMediumShape } from '#lib/record-shape.ts';
import { findOperation } from '#sync/operations/index.ts';
import { hasNotArrived } from '#sync/queue/planner.ts';
import { toSentence } from './row-text.ts';

/** What a button of the Waiting to send page does. */
export type ResolutionAction =
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
  | 'update'
  | 'confirm';

/** What a change is about. An unknown kind, from a newer version of the app, is handled like a record. */
const getAbout = ({ row }: Pick<WaitingItem, 'row'>) => findOperation(row)?.about ?? 'record';

/** Whether the change contains text of the user's that can be copied. */
export const hasCopyableText = (item: Pick<WaitingItem, 'row'>): boolean =>
  ['record', 'message'].includes(getAbout(item));

/** Returns the text that asks for confirmation before a change is discarded. A change that may have arrived stays on the server. */
export function getDiscardText(item: Pick<WaitingItem, 'row' | 'title' | 'isFileShared'>): string {
  const { row } = item;
  const title = toSentence(item.title);
  if (!hasNotArrived(row)) {
    if (getAbout(item) === 'removal') return `${title} Callboard may have deleted it already.`;
    return `${title} It may have reached Callboard already. If it did, it stays there, and you can change it there.`;
  }
  if (getEffect(row) === 'create' && row.type === 'profile') {
    return `${title} The profile and everything you put into it will be gone for good.`;
  }
  switch (getAbout(item)) {
    case 'removal':
      return `${title} It stays as it is.`;
    case 'wish':
      return `${title} This will not be sent.`;
    case 'file':
      if (item.isFileShared) return `${title} This will not be sent. The others that wait keep the file.`;
      return `${title} The file you picked will be gone from Callboard for good.`;
    case 'record':
    case 'message':
      return `${title} What you wrote here will be gone for good.`;
  }
}

/** What a change that needs attention shows. */
export interface ResolutionPrompt {
  /** What happened, in one or two sentences. */
  message: string;
  /** The resolutions to offer, the recommended one first. */
  resolutions: readonly { action: ResolutionAction; label: string }[];
}

type Resolution = ResolutionPrompt['resolutions'][number];
const DISCARD: Resolution = { action: 'discard', label: 'Discard' };
const REMOVE: Resolution = { action: 'discard', label: 'Remove' };
const TRY_AGAIN: Resolution = { action: 'send', label: 'Try again' };
const FIX: Resolution = { action: 'fix', label: 'Fix it' };
/** For a delete: discards the change, so the record stays. */
const KEEP: Resolution = { action: 'discard', label: 'Keep it' };
const COPY: Resolution = { action: 'copy', label: 'Copy text' };

function formatAge(ms: number): string {
  const hours = Math.floor(ms / 3_600_000);
  if (hours < 48) return hours <= 1 ? 'an hour' : `${hours} hours`;
  return `${Math.floor(hours / 24)} days`;
}

/** How close the deadline of a request to audition has come while it waited. */
function getDeadlineText({ type, patch }: WaitingItem['row'], now: number): string {
  const due = type === 'request' ? Date.parse(String(patch.deadline_at)) : NaN;
  if (Number.isNaN(due)) return '';
  return due > now ? `The deadline is now ${spanText(due - now)} away. ` : 'The deadline has passed. ';
}

const FIXABLE_TEXT = 'Something in it needs fixing';

/** Returns the server's message as a sentence, or `fallback` if it sent none. */
function getServerMessage({ row: { lastError } }: WaitingItem, fallback: string): string {
  const [first] = Object.values(lastError?.errors ?? {}).flat();
  return `${(first ?? lastError?.message ?? fallback).replace(/\.$/, '')}.`;
}

/** An intent has no form, so it can only be sent again or discarded. */
function getIntentPrompt(item: WaitingItem): ResolutionPrompt {
  const { row } = item;
  // Somebody may have written words with it, such as a note about a tape.
  const copy = findOperation(row)?.getText?.(row) ? [COPY] : [];
  if (row.reason === 'gone') {
    return {
      message: findOperation(row)?.goneText ?? 'They are no longer on Callboard.',
      resolutions: [...copy, DISCARD],
    };
  }
  return {
    message: getServerMessage(item, 'This could not be saved'),
    resolutions: [{ action: 'send', label: 'Send again' }, ...copy, DISCARD],
  };
}

/** A message cannot be edited. */
function getMessagePrompt(item: WaitingItem): ResolutionPrompt {
  if (item.row.reason === 'gone') {
    return { message: 'The conversation is closed. Your words are still here.', resolutions: [COPY, DISCARD] };
  }
  return {
    message: `${getServerMessage(item, 'This could not be sent')} Your message is safe.`,
    resolutions: [TRY_AGAIN, COPY, DISCARD],
  };
}

function getRemovalPrompt(item: WaitingItem): ResolutionPrompt {
  if (item.row.reason === 'conflict') {
    return {
      message: 'You deleted it here, but it has since been changed on another device.',
      resolutions: [
        { action: 'delete', label: 'Delete it' },
        { action: 'keep', label: 'Keep it' },
      ],
    };
  }
  const isMedium = item.row.type === 'media';
  const message = isMedium
    ? 'Failed to delete media. Please try again.'
    : getServerMessage(item, 'This could not be deleted');
  return { message, resolutions: [TRY_AGAIN, KEEP] };
}

/**
 * The kind of the item's file. Only a medium says its own; a file of another change tells by itself. A portrait may be a picture of a type
 * that no kind accepts.
 */
const getFileKind = ({ mediaType, upload }: WaitingItem): MediaKind =>
  getMediaKindOfRecord(mediaType) ?? (upload && getMediaKindOfFile(upload)) ?? getMediaKind('image')!;
const isPicture = (item: WaitingItem) => getFileKind(item).key === 'image';

/** Returns the resolutions of a refused file. Only an image can be converted; any other file must be replaced. */
const getFileResolutions = (item: WaitingItem, label: string): Resolution[] =>
  isPicture(item) ? [{ action: 'shrink', label }, REMOVE] : [REMOVE];

/** Whether the storage quota was exceeded. The same file can be sent again after the user has freed some space. */
const isOverQuota = ({ row }: WaitingItem) => row.lastError?.errors?.storage !== undefined;

type Limits = Readonly<Record<MediaType, number>>;

function getFilePrompt(item: WaitingItem, limits: Limits): ResolutionPrompt {
  const { row, upload } = item;
  const { reason } = row;
  if (reason === 'toobig') {
    const size = upload ? `${fileSize(upload.size)}. The` : 'Too large. The';
    return {
      message: `${size} limit is ${megabytes(limits[getFileKind(item).key])} MB.`,
      resolutions: getFileResolutions(item, 'Make smaller'),
    };
  }
  if (reason === 'wrongtype') {
    const kind = getFileKind(item);
    // Only a portfolio takes other documents.
    const isPdfOnly = kind.key === 'document' && item.mediaType === undefined;
    const rule = isPdfOnly ? 'It must be a PDF.' : `${capitalized(kind.plural)} must be ${formatFileTypes(kind)}.`;
    const message = `This type of file can’t be used. ${rule}`;
    return { message, resolutions: getFileResolutions(item, 'Turn into JPEG') };
  }
  if (reason === 'gone') {
    const message =
      getEffect(row) === 'upload'
        ? 'The file is no longer on this device. Remove this and add the file again.'
        : 'The profile it belongs to is no longer there.';
    return { message, resolutions: [REMOVE] };
  }
  if (reason === 'forbidden') return { message: 'You can’t change this any more.', resolutions: [REMOVE] };
  if (isOverQuota(item))
    return { message: `${getServerMessage(item, FIXABLE_TEXT)} Then try again.`, resolutions: [TRY_AGAIN, REMOVE] };
  const advice = isPicture(item) ? 'Turn it into a JPEG, or remove it.' : 'Remove it and add another file.';
  return {
    message: `${getServerMessage(item, FIXABLE_TEXT)} ${advice}`,
    resolutions: getFileResolutions(item, 'Turn into JPEG'),
  };
}

/** Whether the server refused the file of a new media item, and not a field of its form. */
function isAboutFile({ row, mediaType }: WaitingItem): boolean {
  if (row.type !== 'media' || getEffect(row) !== 'create') return false;
  if (row.reason === 'toobig' || row.reason === 'wrongtype') return true;
  const { fields = {} } = getMediumShape({ ...row.patch, media_type: mediaType }) ?? {};
  return row.reason === 'invalid' && !Object.keys(row.lastError?.errors ?? {}).some((key) => key in fields);
}

/** The record was deleted, or the record that a new one belongs to. */
function getGonePrompt({ row }: WaitingItem): ResolutionPrompt {
  if (getEffect(row) !== 'update') {
    return { message: 'What it belongs to is no longer there. What you wrote is safe.', resolutions: [COPY, DISCARD] };
  }
  // A card has no text to copy. Its shortlist offers to put it back.
  if (row.type === 'candidate') return { message: 'Taken off the shortlist elsewhere.', resolutions: [DISCARD] };
  const message = 'Deleted on another device. Your change is still here.';
  // Only records that can be created without a file can be recreated: no media, no profile.
  if (!sectionOf(row.type)?.endpoints.create) return { message, resolutions: [COPY, DISCARD] };
  return { message, resolutions: [{ action: 'recreate', label: 'Recreate' }, DISCARD] };
}

/** Records that are changed with one tap, such as what a colleague may do and where a card stands. No form corrects them. */
const WITHOUT_FORM: readonly string[] = ['project_member', 'candidate'];

function getRecordPrompt(item: WaitingItem, limits: Limits): ResolutionPrompt {
  const { reason, type } = item.row;
  if (isAboutFile(item)) return getFilePrompt(item, limits);
  if (reason === 'conflict') {
    return {
      message: 'Also changed elsewhere. Both versions are kept.',
      resolutions: [
        { action: 'choose', label: 'Choose a version' },
        { action: 'later', label: 'Later' },
      ],
    };
  }
  if (reason === 'gone') return getGonePrompt(item);
  if (reason === 'forbidden') return { message: 'You can’t change this any more.', resolutions: [COPY, DISCARD] };
  if (WITHOUT_FORM.includes(type)) return getIntentPrompt(item);
  if (reason === 'toobig') {
    return {
      message: 'This is more than the server takes at once. Make it shorter.',
      resolutions: [FIX, COPY, DISCARD],
    };
  }
  if (isOverQuota(item))
    return { message: `${getServerMessage(item, FIXABLE_TEXT)} Then try again.`, resolutions: [TRY_AGAIN, DISCARD] };
  return { message: `${getServerMessage(item, FIXABLE_TEXT)} What you typed is safe.`, resolutions: [FIX, DISCARD] };
}

/** Returns the prompt for a change that the server refused, by what the change is about. */
function getRefusalPrompt(item: WaitingItem, limits: Limits): ResolutionPrompt {
  switch (getAbout(item)) {
    case 'wish':
      return getIntentPrompt(item);
    case 'message':
      return getMessagePrompt(item);
    case 'removal':
      return getRemovalPrompt(item);
    case 'file':
      return getFilePrompt(item, limits);
    case 'record':
      return getRecordPrompt(item, limits);
  }
}

/**
 * Returns the message and the resolutions of a change that needs the user's attention.
 * @param now ms since the epoch, for 'Written 3 days ago'
 * @param limits maximum bytes of one file, by kind
 */
export function resolutionsFor(item: WaitingItem, now: number, limits: Limits = LIMITS.fileBytes): ResolutionPrompt {
  const { row } = item;
  const copy = hasCopyableText(item) ? [COPY] : [];
  const discard = getAbout(item) === 'removal' ? KEEP : DISCARD;
  switch (row.reason) {
    case 'stale':
      return {
        message:
          now < row.createdAt
            ? 'The clock of this device or of the one that wrote it was wrong. Send now?'
            : `Written ${formatAge(now - row.createdAt)} ago. ${getDeadlineText(row, now)}Send now?`,
        resolutions: [{ action: 'send', label: 'Send now' }, discard],
      };
    case 'unknown-op':
      return {
        message: 'Update the app to send this.',
        resolutions: [{ action: 'update', label: 'Update the app' }, TRY_AGAIN, ...copy, discard],
      };
    case 'unsure':
      return {
        message: 'This may already have been sent. The connection broke before the answer came.',
        resolutions: [
          { action: 'check', label: 'Check' },
          { action: 'send', label: 'Send again' },
        ],
      };
    case 'unconfirmed':
      return {
        message: `${getServerMessage(item, 'Confirm your e-mail address first')} Then this is sent by itself.`,
        resolutions: [{ action: 'confirm', label: 'See what to do' }, ...copy, discard],
      };
    case 'failed':
      return {
        message: 'Something went wrong on this device after it was sent, so Callboard may have it already.',
        resolutions: [TRY_AGAIN, ...copy, DISCARD],
      };
    case 'suspect':
    case undefined:
      return {
        message: 'The server has a problem. We keep trying.',
        resolutions: [{ action: 'send', label: 'Try now' }, DISCARD],
      };
    case 'invalid':
    case 'conflict':
    case 'forbidden':
    case 'gone':
    case 'toobig':
    case 'wrongtype':
      return getRefusalPrompt(item, limits);
  }
}
