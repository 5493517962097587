import { useState } from 'react';
import { ACCOUNT_CALLS } from '#contract/account-calls.ts';
import { call } from '#net/client.ts';
import { toast } from '#ui/Toast.tsx';
import { useFreshUser } from './use-fresh-user.ts';

/** For a person who has not confirmed their e-mail: sends the link again, and notices that it was opened elsewhere. */
export function useConfirmation(): { isBusy: boolean; sendAgain: () => void } {
  const refresh = useFreshUser();
  const [isBusy, setIsBusy] = useState(false);
  const sendAgain = async () => {
    if (isBusy) return;
    setIsBusy(true);
    const answer = await call<{ message: string }>(ACCOUNT_CALLS.sendVerification);
    setIsBusy(false);
    toast({ text: answer.ok ? answer.data.message : answer.error.message });
    if (answer.ok) await refresh();
  };
  return { isBusy, sendAgain: () => void sendAgain() };
}
