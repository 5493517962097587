import { LIMITS } from '#contract/limits.ts';
import type { WaitingItem } from '#db/views.ts';
import { fileSize } from '#lib/amounts.ts';

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

export interface Cure {
  /** What happened, in one or two sentences. */
  message: string;
  /** The ways out; the first is the one we would take. */
  ways: readonly { action: CureAction; label: string }[];
}

function age(ms: number): string {
  const hours = Math.floor(ms / 3_600_000);
  if (hours < 48) return hours <= 1 ? 'an hour' : `${hours} hours`;
  return `${Math.floor(hours / 24)} days`;
}

function firstMessage(item: WaitingItem): string | undefined {
  const errors = item.row.lastError?.errors;
  return errors && Object.values(errors)[0]?.[0];
}

const isWish = ({ kind }: WaitingItem['row']) => kind === 'save' || kind === 'connect' || kind === 'accept';

/** A wish about somebody else has no words to mend: it is let go, or sent once more. */
function wishCure({ row }: WaitingItem): Cure {
  const discard = { action: 'discard', label: 'Discard' } as const;
  if (row.reason === 'gone') {
    const message = row.kind === 'accept' ? 'They took their request back.' : 'They are not on the board any more.';
    return { message, ways: [discard] };
  }
  const again = { action: 'send', label: 'Send again' } as const;
  return { message: row.lastError?.message ?? 'The server would not have it.', ways: [again, discard] };
}

/**
 * What a change that needs the person says, and every way out of it.
 * @param now ms since the epoch, for 'Written 3 days ago'
 */
export function cureOf(item: WaitingItem, now: number): Cure {
  const { row } = item;
  const isPhoto = row.type === 'media' || row.kind === 'avatar' || row.kind === 'upload';
  if (isWish(row) && row.reason && row.reason !== 'suspect') return wishCure(item);
  switch (row.reason) {
    case 'invalid': {
      const said = firstMessage(item) ?? row.lastError?.message;
      const message = said
        ? `${said}. What you typed is safe.`
        : 'Something in it is not right. What you typed is safe.';
      return {
        message: message.replace('..', '.'),
        ways: isPhoto
          ? [
              { action: 'shrink', label: 'Turn into JPEG' },
              { action: 'discard', label: 'Remove' },
            ]
          : [
              { action: 'fix', label: 'Fix it' },
              { action: 'discard', label: 'Discard' },
            ],
      };
    }
    case 'conflict':
      if (row.kind === 'delete') {
        return {
          message: 'You deleted it here, and it was changed on another device since.',
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
    case 'gone':
      return {
        message: 'Deleted on another device. Your change is still here.',
        ways: [
          { action: 'recreate', label: 'Recreate' },
          { action: 'discard', label: 'Discard' },
        ],
      };
    case 'forbidden':
      return {
        message: 'You can’t change this any more.',
        ways: [
          { action: 'copy', label: 'Copy text' },
          { action: 'discard', label: 'Discard' },
        ],
      };
    case 'toobig': {
      const size = item.upload ? `${fileSize(item.upload.size)}; the` : 'Too large; the';
      return {
        message: `${size} limit is ${LIMITS.uploadBytes / 1024 / 1024} MB.`,
        ways: [
          { action: 'shrink', label: 'Make smaller' },
          { action: 'discard', label: 'Remove' },
        ],
      };
    }
    case 'wrongtype':
      return {
        message: 'This kind of file is not taken. Photos are JPEG or PNG.',
        ways: [
          { action: 'shrink', label: 'Turn into JPEG' },
          { action: 'discard', label: 'Remove' },
        ],
      };
    case 'stale':
      return {
        message: `Written ${age(now - row.createdAt)} ago. Send now?`,
        ways: [
          { action: 'send', label: 'Send now' },
          { action: 'discard', label: 'Discard' },
        ],
      };
    case 'unsure':
      return {
        message: 'May already be sent. The line broke before the answer came.',
        ways: [
          { action: 'check', label: 'Check' },
          { action: 'send', label: 'Send again' },
        ],
      };
    case 'unknown-op':
      return {
        message: 'Update the app to send this.',
        ways: [
          { action: 'update', label: 'Update the app' },
          { action: 'copy', label: 'Copy text' },
        ],
      };
    case 'suspect':
    case undefined:
      return {
        message: 'Server trouble, we keep trying.',
        ways: [
          { action: 'send', label: 'Try now' },
          { action: 'discard', label: 'Discard' },
        ],
      };
  }
}
