import { useEffect, useEffectEvent, useState } from 'react';
import { CALLS } from '#contract/calls.ts';
import type { User } from '#contract/records/account.ts';
import { call } from '#net/client.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import { toast } from '#ui/Toast.tsx';
import { useUpdateUser } from './use-update-user.ts';

/** For a person who has not confirmed their e-mail: sends the link again, and notices that it was opened elsewhere. */
export function useConfirmation(): { isBusy: boolean; sendAgain: () => void } {
  const updateUser = useUpdateUser();
  const isOnline = useOnline();
  const [isBusy, setIsBusy] = useState(false);
  const refresh = async () => {
    const answer = await call<User>(CALLS.user);
    if (answer.ok && answer.data.email_verified) await updateUser(answer.data);
  };
  const check = useEffectEvent(() => document.visibilityState === 'visible' && void refresh());
  useEffect(() => {
    check();
    // The link is opened in the mail program, and the person comes back.
    const comeBack = () => check();
    document.addEventListener('visibilitychange', comeBack);
    return () => document.removeEventListener('visibilitychange', comeBack);
  }, [isOnline]);
  const sendAgain = async () => {
    if (isBusy) return;
    setIsBusy(true);
    const answer = await call<{ message: string }>(CALLS.sendVerification);
    setIsBusy(false);
    toast({ text: answer.ok ? answer.data.message : answer.error.message });
    if (answer.ok) await refresh();
  };
  return { isBusy, sendAgain: () => void sendAgain() };
}
