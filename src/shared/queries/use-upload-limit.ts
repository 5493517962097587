import { useEffect } from 'react';
import { CALLS } from '#contract/calls.ts';
import { LIMITS } from '#contract/limits.ts';
import type { ServerConfig } from '#contract/records/sync.ts';
import type { AccountDb } from '#db/database.ts';
import { call } from '#net/client.ts';
import { useAccount } from '#session/session.tsx';
import { useQuery } from './use-query.ts';

/** Maximum bytes of one file, as the server last reported it; the default if it never did. */
export async function loadUploadLimit(db: AccountDb): Promise<number> {
  const row = await db.meta.get('upload-limit');
  return row?.k === 'upload-limit' ? row.bytes : LIMITS.uploadBytes;
}

async function refreshUploadLimit(db: AccountDb): Promise<void> {
  const answer = await call<Partial<ServerConfig>>(CALLS.config);
  const megabytes = answer.ok ? answer.data.limits?.max_upload_mb : undefined;
  if (typeof megabytes !== 'number' || !(megabytes > 0)) return;
  await db.meta.put({ k: 'upload-limit', bytes: Math.floor(megabytes * 1024 * 1024) });
}

/** Maximum bytes of one file, from this device and refreshed in the background. Undefined until the store answers. */
export function useUploadLimit(): number | undefined {
  const { db } = useAccount();
  useEffect(() => {
    refreshUploadLimit(db).catch(reportError);
  }, [db]);
  return useQuery(loadUploadLimit, []);
}
