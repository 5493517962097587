import type { AccountDb } from '#db/database.ts';
import { observeQuery } from '#open-store/store.ts';

/**
 * Holds a screen wake lock while a file is uploading, if the browser has wake locks: a phone that falls asleep stops sending.
 * @param signal releases the lock
 */
export function keepScreenAwake(db: AccountDb, signal: AbortSignal): void {
  const { wakeLock } = navigator as Partial<Navigator>;
  if (!wakeLock || signal.aborted) return;
  let isWanted = false;
  let isBusy = false;
  let lock: WakeLockSentinel | null = null;

  /** Requests or releases the lock, one step at a time. A hidden page loses its lock and requests it again when shown. */
  const update = async () => {
    if (isBusy) return;
    isBusy = true;
    const target = isWanted;
    try {
      if (!target) {
        await lock?.release();
        lock = null;
      } else if (document.visibilityState === 'visible' && (lock === null || lock.released)) {
        lock = await wakeLock.request('screen');
      }
    } catch (error) {
      // The browser refuses, for instance when the battery is low. The upload continues with the screen off.
      console.info('The screen may fall asleep', error);
    } finally {
      isBusy = false;
    }
    if (target !== isWanted) await update();
  };
  const setWanted = (wanted: boolean) => {
    isWanted = wanted;
    update().catch(reportError);
  };

  const countUploads = async ({ outbox }: AccountDb) =>
    outbox
      .where('lane')
      .startsWith('upload:')
      .filter((row) => row.state === 'sending')
      .count();
  const stopObserving = observeQuery(db, countUploads, (uploads) => setWanted(uploads > 0));
  document.addEventListener('visibilitychange', () => void update().catch(reportError), { signal });
  signal.addEventListener('abort', () => {
    stopObserving();
    setWanted(false);
  });
}
