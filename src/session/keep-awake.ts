import type { AccountDb } from '#db/database.ts';
import { watch } from './read-safely.ts';

/**
 * Keeps the screen on for as long as a file is on its way, where the browser can: a phone that falls asleep stops sending.
 * @param signal ends it
 */
export function keepAwake(db: AccountDb, signal: AbortSignal): void {
  const { wakeLock } = navigator as Partial<Navigator>;
  if (!wakeLock) return;
  let isWanted = false;
  let isBusy = false;
  let lock: WakeLockSentinel | null = null;

  /** One step at a time towards what is wanted; a hidden page has lost its lock and asks again when it is shown. */
  const settle = async () => {
    if (isBusy) return;
    isBusy = true;
    const wish = isWanted;
    try {
      if (!wish) {
        await lock?.release();
        lock = null;
      } else if (document.visibilityState === 'visible' && (lock === null || lock.released)) {
        lock = await wakeLock.request('screen');
      }
    } catch (error) {
      // Refused, on a low battery for one: the file goes on being sent, with the screen dark.
      console.info('The screen may fall asleep', error);
    } finally {
      isBusy = false;
    }
    if (wish !== isWanted) await settle();
  };
  const want = (wish: boolean) => {
    isWanted = wish;
    settle().catch(reportError);
  };

  const countUploads = async ({ outbox }: AccountDb) =>
    outbox
      .where('lane')
      .startsWith('upload:')
      .filter((row) => row.state === 'sending')
      .count();
  const endWatch = watch(db, countUploads, (uploads) => want(uploads > 0));
  document.addEventListener('visibilitychange', () => void settle().catch(reportError), { signal });
  signal.addEventListener('abort', () => {
    endWatch();
    want(false);
  });
}
