import { useEffect } from 'react';
import { CALLS } from '#contract/calls.ts';
import type { ServerConfig } from '#contract/records/sync.ts';
import type { AccountDb } from '#db/database.ts';
import { call } from '#net/client.ts';
import { useAccount } from '#session/session.tsx';
import { loadUploadLimits, storeUploadLimits, type UploadLimits } from '#sync/server/upload-limits.ts';
import { useQuery } from './use-query.ts';

async function refreshUploadLimits(db: AccountDb): Promise<void> {
  const answer = await call<Partial<ServerConfig>>(CALLS.config);
  if (answer.ok) await storeUploadLimits(db, answer.data);
}

/** The limits, from this device and refreshed in the background. Undefined until the store answers. */
export function useUploadLimits(): UploadLimits | undefined {
  const { db } = useAccount();
  useEffect(() => {
    refreshUploadLimits(db).catch(reportError);
  }, [db]);
  return useQuery(loadUploadLimits, []);
}
