import { ACCOUNT_CALLS } from '#contract/account-calls.ts';
import type { SettingsRecord } from '#contract/records/account.ts';
import { call } from '#net/client.ts';
import { toast } from '#ui/Toast.tsx';
import { useServerResource, type ServerResource } from './use-server-resource.ts';

/** The settings that are on or off. */
export type SwitchName = Extract<keyof SettingsRecord, 'read_receipts' | 'sign_in_mail'>;

export interface SettingsState {
  resource: ServerResource<SettingsRecord>;
  /** Shows the new value at once, and the old one again if the server does not accept it. */
  change: (name: SwitchName, value: boolean) => Promise<void>;
}

/** The settings that the server keeps. */
export function useSettings(): SettingsState {
  const { resource, setData } = useServerResource<SettingsRecord>(ACCOUNT_CALLS.settings, {
    missingMessage: 'This is not available here.',
  });
  const change: SettingsState['change'] = async (name, value) => {
    if (resource.status !== 'loaded') return;
    setData({ ...resource.data, [name]: value });
    const answer = await call<{ data: SettingsRecord }>(ACCOUNT_CALLS.changeSettings, { body: { [name]: value } });
    if (answer.ok) return setData(answer.data.data);
    setData(resource.data);
    toast({ text: answer.error.message });
  };
  return { resource, change };
}
