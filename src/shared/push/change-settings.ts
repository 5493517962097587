import { ACCOUNT_CALLS } from '#contract/account-calls.ts';
import type { PushSettings, PushSettingsChange } from '#contract/records/push.ts';
import { call } from '#net/client.ts';
import { toast } from '#ui/Toast.tsx';

/** The settings after a change. */
export const withChange = (settings: PushSettings, { kinds, ...rest }: PushSettingsChange): PushSettings => ({
  ...settings,
  ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
  kinds: { ...settings.kinds, ...(kinds as Partial<PushSettings['kinds']>) },
});

/** Stores a change on the server, and says so if that fails. @returns whether it is stored */
export async function storePushSettings(push: PushSettingsChange): Promise<boolean> {
  const answer = await call(ACCOUNT_CALLS.changeSettings, { body: { push } });
  if (!answer.ok) toast({ text: answer.error.message });
  return answer.ok;
}
