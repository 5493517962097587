import { ask } from './confirm.tsx';

/** Asks the person to reload the page, and does so if they agree. */
export async function askToReload(text: string): Promise<void> {
  const answer = await ask({
    title: 'Reload to go on',
    text,
    choices: [
      { value: 'later', label: 'Not now', look: 'line' },
      { value: 'reload', label: 'Reload', look: 'primary' },
    ],
  });
  if (answer === 'reload') location.reload();
}
