import { useEffect, useEffectEvent } from 'react';
import { CALLS } from '#contract/calls.ts';
import type { User } from '#contract/records/account.ts';
import { call } from '#net/client.ts';
import { useAccount } from '#session/session.tsx';
import { useOnline } from '#shared/queries/use-online.ts';
import { useUpdateUser } from './use-update-user.ts';

/**
 * Fetches the signed-in person again whenever the page becomes visible or the device comes online, for what a link in a mail changes.
 * @returns a function that does so at once
 */
export function useFreshUser(): () => Promise<void> {
  const { user } = useAccount();
  const updateUser = useUpdateUser();
  const isOnline = useOnline();
  const refresh = async () => {
    const answer = await call<User>(CALLS.user);
    if (!answer.ok) return;
    // As text, because one of them is a list.
    const isNews = (Object.keys(answer.data) as (keyof User)[]).some(
      (key) => String(answer.data[key]) !== String(user[key]),
    );
    if (isNews) await updateUser(answer.data);
  };
  const check = useEffectEvent(() => document.visibilityState === 'visible' && void refresh());
  useEffect(() => {
    check();
    // The link is opened in the mail program, and the person comes back.
    const comeBack = () => check();
    document.addEventListener('visibilitychange', comeBack);
    return () => document.removeEventListener('visibilitychange', comeBack);
  }, [isOnline]);
  return refresh;
}
