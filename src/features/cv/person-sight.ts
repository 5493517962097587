import { useEffect, useMemo } from 'react';
import { ACCOUNT_CALLS } from '#contract/account-calls.ts';
import { ADULT_AGE, isYounger } from '#contract/age.ts';
import { CONSENT_CALLS } from '#contract/consent-calls.ts';
import type { SettingsRecord } from '#contract/records/account.ts';
import type { Account } from '#contract/records/consent.ts';
import type { AccountDb } from '#db/database.ts';
import { readPersonSight, writePersonSight, type PersonSight } from '#db/person-sight.ts';
import { call } from '#net/client.ts';
import { useAccount } from '#session/session.tsx';
import { useOnline } from '#shared/queries/use-online.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { UNKNOWN_PERSON } from './cv-content.ts';

/** Asks the server whether the person is protected as somebody under 18, and what they show to visitors. Keeps the answer on the device. */
async function refreshPersonSight(db: AccountDb): Promise<void> {
  const [account, settings] = await Promise.all([
    call<Account>(CONSENT_CALLS.account),
    call<SettingsRecord>(ACCOUNT_CALLS.settings),
  ]);
  if (!account.ok || !settings.ok || settings.data.privacy === undefined) return;
  await writePersonSight(db, { isMinor: account.data.is_minor, privacy: settings.data.privacy });
}

/** A date of birth in the profile that says so protects, too. */
export function withBornOn(person: PersonSight, dob: string | null | undefined, now: Date): PersonSight {
  return dob != null && isYounger(dob, ADULT_AGE, now) ? { ...person, isMinor: true } : person;
}

/**
 * Who the person is to the rules of who sees what, as the server last said. `isKnown` is false until this device has heard it once.
 * Undefined until it is read.
 * @param dob date of birth of the profile, YYYY-MM-DD
 */
export function usePersonSight(dob: string | null | undefined): { person: PersonSight; isKnown: boolean } | undefined {
  const { db } = useAccount();
  const isOnline = useOnline();
  const kept = useQuery(readPersonSight, []);
  useEffect(() => {
    if (isOnline) refreshPersonSight(db).catch(reportError);
  }, [db, isOnline]);
  return useMemo(() => {
    if (kept === undefined) return undefined;
    return { person: withBornOn(kept ?? UNKNOWN_PERSON, dob, new Date()), isKnown: kept !== null };
  }, [kept, dob]);
}
