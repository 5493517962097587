import { queueSummary } from '#db/queue-summary.ts';
import { countTakes } from '#db/takes.ts';
import { count } from '#lib/text.ts';
import type { Account } from '#session/account.ts';
import type { Session } from '#session/session.tsx';
import { ask, type Choice, confirm } from '#ui/confirm.tsx';
import { deviceWord } from '#ui/device.ts';
import { toast } from '#ui/Toast.tsx';

/** What is only on this device: changes, which can be sent, and takes of the tape booth, which cannot. */
interface OnlyHere {
  changes: number;
  takes: number;
}

type Answer = 'send now' | 'keep' | 'discard' | 'stay';

async function readOnlyHere({ db }: Pick<Account, 'db'>): Promise<OnlyHere> {
  const { waiting, sending, needs } = await queueSummary(db);
  return { changes: waiting + sending + needs, takes: await countTakes(db) };
}

/** '3 changes and 1 take'. */
const formatOnlyHere = ({ changes, takes }: OnlyHere): string =>
  [...(changes > 0 ? [count(changes, 'change')] : []), ...(takes > 0 ? [count(takes, 'take')] : [])].join(' and ');

function askWhatToDo(here: OnlyHere, errorText: string | undefined): Promise<Answer | null> {
  const device = deviceWord();
  const { changes, takes } = here;
  const isOne = changes === 1 || (changes === 0 && takes === 1);
  const text = `${isOne ? 'It is' : 'They are'} only on this ${device}.`;
  const choices: Choice<Answer>[] = [
    { value: 'keep', label: `Keep on this ${device}`, look: 'tonal' },
    { value: 'discard', label: `Discard ${formatOnlyHere(here)}`, look: 'danger' },
    { value: 'stay', label: 'Stay signed in', look: 'line' },
  ];
  return ask({
    title: changes > 0 ? `${count(changes, 'change')} not sent yet` : `${count(takes, 'take')} on this ${device}`,
    text:
      errorText ??
      (changes > 0 && takes > 0
        ? `${text} So ${takes === 1 ? 'is' : 'are'} ${count(takes, 'take')} of the booth.`
        : text),
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
  if (here.changes + here.takes === 0) {
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
    // Takes cannot be sent: what happens to them is asked by itself.
    if (here.takes > 0) return confirmSignOut(account, signOut);
  }
  await signOut(answer === 'keep' ? 'keep' : 'discard');
  if (answer === 'keep') toast({ text: `Kept on this ${deviceWord()} until you sign in again` });
}
