import { ACCOUNT_CALLS } from '#contract/account-calls.ts';
import type { Privacy, SettingsRecord } from '#contract/records/account.ts';
import type { AvailabilityAudience } from '#contract/records/availability.ts';
import { updatePrivacy } from '#db/person-sight.ts';
import { call } from '#net/client.ts';
import { useAccount } from '#session/session.tsx';
import { toast } from '#ui/Toast.tsx';
import { useServerResource, type ServerResource } from './use-server-resource.ts';

/** The settings that are on or off. */
export type SwitchName = Extract<
  keyof SettingsRecord,
  'read_receipts' | 'audition_receipts' | 'sign_in_mail' | 'news_mail' | 'message_mail'
>;

export interface SettingsState {
  resource: ServerResource<SettingsRecord>;
  /** Shows the new value at once, and the old one again if the server does not accept it. */
  change: (name: SwitchName, value: boolean) => Promise<void>;
  changePrivacy: (name: keyof Privacy, value: boolean) => Promise<void>;
  changeAvailabilityFor: (audience: AvailabilityAudience) => Promise<void>;
}

/** The settings that the server keeps. */
export function useSettings(): SettingsState {
  const { db } = useAccount();
  const { resource, setData } = useServerResource<SettingsRecord>(ACCOUNT_CALLS.settings, {
    missingMessage: 'This is not available here.',
  });
  /** @param next what the settings are once `body` is accepted */
  const send = async (next: SettingsRecord, body: object) => {
    if (resource.status !== 'loaded') return;
    setData(next);
    const answer = await call<{ data: SettingsRecord }>(ACCOUNT_CALLS.changeSettings, { body });
    if (answer.ok) {
      const { privacy } = answer.data.data;
      if (privacy) updatePrivacy(db, privacy).catch(reportError);
      return setData(answer.data.data);
    }
    setData(resource.data);
    toast({ text: answer.error.message });
  };
  return {
    resource,
    change: async (name, value) => {
      if (resource.status === 'loaded') await send({ ...resource.data, [name]: value }, { [name]: value });
    },
    changeAvailabilityFor: async (availability_for) => {
      if (resource.status === 'loaded') await send({ ...resource.data, availability_for }, { availability_for });
    },
    changePrivacy: async (name, value) => {
      if (resource.status !== 'loaded' || resource.data.privacy === undefined) return;
      const privacy = { ...resource.data.privacy, [name]: value };
      await send({ ...resource.data, privacy }, { privacy: { [name]: value } });
    },
  };
}
