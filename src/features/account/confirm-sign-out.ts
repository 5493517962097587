import { queueSummary } from '#db/queue-summary.ts';
import { count } from '#lib/text.ts';
import type { Account } from '#session/account.ts';
import type { Session } from '#session/session.tsx';
import { ask, confirm } from '#ui/confirm.tsx';
import { deviceWord } from '#ui/device.ts';
import { toast } from '#ui/Toast.tsx';

/**
 * Asks what to do with unsent changes, then signs out. Signs out without a question if there are none.
 * @param errorText why the previous choice failed
 */
export async function confirmSignOut(
  account: Pick<Account, 'db' | 'engine'>,
  signOut: Session['signOut'],
  errorText?: string,
): Promise<void> {
  const { waiting, sending, needs } = await queueSummary(account.db);
  const unsentCount = waiting + sending + needs;
  const changes = count(unsentCount, 'change');
  if (unsentCount === 0) {
    await signOut('discard');
    return;
  }
  const device = deviceWord();
  const answer = await ask({
    title: `${changes} not sent yet`,
    text: errorText ?? `${unsentCount === 1 ? 'It is' : 'They are'} only on this ${device}.`,
    choices: [
      { value: 'send now', label: 'Send now', look: 'primary' },
      { value: 'keep', label: `Keep on this ${device}`, look: 'tonal' },
      { value: 'discard', label: `Discard ${changes}`, look: 'danger' },
      { value: 'stay', label: 'Stay signed in', look: 'line' },
    ],
  });
  if (answer === null || answer === 'stay') return;
  if (answer === 'discard') {
    const isConfirmed = await confirm({
      title: `Discard ${changes}?`,
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
  }
  await signOut(answer === 'keep' ? 'keep' : 'discard');
  if (answer === 'keep') toast({ text: `Kept on this ${device} until you sign in again` });
}
