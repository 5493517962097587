import { queueSummary } from '#db/queue-summary.ts';
import { listBackups } from '#open-store/draft-backup.ts';
import { countTakes } from '#db/takes.ts';
import { count } from '#lib/text.ts';
import type { Account } from '#session/account.ts';
import type { Session } from '#session/session.tsx';
import { ask, type Choice, confirm } from '#ui/confirm.tsx';
import { deviceWord } from '#ui/device.ts';
import { toast } from '#ui/Toast.tsx';

/** What is only on this device: changes, which can be sent, and takes of the tape booth and drafts of forms, which cannot. */
interface OnlyHere {
  changes: number;
  takes: number;
  drafts: number;
}

type Answer = 'send now' | 'keep' | 'discard' | 'stay';

async function readOnlyHere({ db }: Pick<Account, 'db'>): Promise<OnlyHere> {
  const { waiting, sending, needs } = await queueSummary(db);
  // The store may have refused the last ones.
  const drafts = new Set([...(await db.drafts.toCollection().primaryKeys()), ...listBackups(db.name)]);
  return { changes: waiting + sending + needs, takes: await countTakes(db), drafts: drafts.size };
}

/** Of each kind, how many there are, in words: ['3 changes', '1 take']. */
const listOnlyHere = ({ changes, takes, drafts }: OnlyHere): string[] =>
  Object.entries({ change: changes, take: takes, draft: drafts }).flatMap(([noun, n]) =>
    n > 0 ? [count(n, noun)] : [],
  );

/** '3 changes, 1 take and 2 drafts'. */
function formatOnlyHere(here: OnlyHere): string {
  const parts = listOnlyHere(here);
  const last = parts.pop() ?? '';
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
}

const isOne = ({ changes, takes, drafts }: OnlyHere): boolean => changes + takes + drafts === 1;

function askWhatToDo(here: OnlyHere, errorText: string | undefined): Promise<Answer | null> {
  const device = deviceWord();
  const { changes } = here;
  const [first = '', ...others] = listOnlyHere(here);
  const only = `only on this ${device}`;
  const text =
    others.length > 0
      ? `With ${others.join(' and ')}. All of it is ${only}.`
      : `${isOne(here) ? 'It is' : 'They are'} ${only}.`;
  const choices: Choice<Answer>[] = [
    { value: 'keep', label: `Keep on this ${device}`, look: 'tonal' },
    { value: 'discard', label: `Discard ${formatOnlyHere(here)}`, look: 'danger' },
    { value: 'stay', label: 'Stay signed in', look: 'line' },
  ];
  return ask({
    title: changes > 0 ? `${first} not sent yet` : `${first} on this ${device}`,
    text: errorText ?? text,
    choices: changes > 0 ? [{ value: 'send now', label: 'Send now', look: 'primary' }, ...choices] : choices,
  });
}

/**
 * Asks what to do with unsent changes and takes, then signs out. Signs out without a question if there are none.
 * @param errorText why the previous choice failed
 */
export async function confirmSignOut(
  account: Pick<Account, 'db' | 'engine'>,
  signOut: Session['signOut'],
  errorText?: string,
): Promise<void> {
  const here = await readOnlyHere(account);
  if (listOnlyHere(here).length === 0) {
    await signOut('discard');
    return;
  }
  const answer = await askWhatToDo(here, errorText);
  if (answer === null || answer === 'stay') return;
  if (answer === 'discard') {
    const isConfirmed = await confirm({
      title: `Discard ${formatOnlyHere(here)}?`,
      text: 'This cannot be undone.',
      yes: 'Discard',
      danger: true,
    });
    if (!isConfirmed) return confirmSignOut(account, signOut);
  }
  if (answer === 'send now') {
    toast({ text: 'Sending, then signing out' });
    await account.engine.tryNow();
    const left = await account.db.outbox.count();
    const text = `${count(left, 'change')} could not be sent yet. Try again, or keep ${left === 1 ? 'it' : 'them'} here.`;
    if (left > 0) return confirmSignOut(account, signOut, text);
    // Takes and drafts cannot be sent: what happens to them is asked by itself.
    if (here.takes + here.drafts > 0) return confirmSignOut(account, signOut);
  }
  await signOut(answer === 'keep' ? 'keep' : 'discard');
  if (answer === 'keep') toast({ text: `Kept on this ${deviceWord()} until you sign in again` });
}
