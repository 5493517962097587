import { showDialog } from '#ui/dialog.tsx';
import { FreshSignInSheet } from './FreshSignInSheet.tsx';

let asking: Promise<boolean> | null = null;

/** Asks the person to prove who they are. Several callers at once share one question. @returns whether they did */
export function askWhoItIs(): Promise<boolean> {
  asking ??= showDialog<boolean>((close) => <FreshSignInSheet onClose={close} />).finally(() => {
    asking = null;
  });
  return asking;
}
