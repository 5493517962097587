import type { AccountDb } from '#db/database.ts';
import type { Engine } from '#sync/engine.ts';
import { afterPaint } from '#ui/after-paint.ts';

/**
 * The engine with its code still to come: reading and painting need none of it. Its chunk is fetched after
 * the first paint, or at the first call, which waits for it. A chunk that could not be fetched is asked for again next time.
 */
export function lateEngine(db: AccountDb, load: () => Promise<Engine>): Engine {
  let loading: Promise<Engine> | null = null;
  let isStopped = false;
  const engine = (): Promise<Engine> =>
    (loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    }));
  const painted = new Promise<void>(afterPaint);
  /** For what nobody waits for: without the chunk there is nothing to move, and the next cause tries again. */
  const quietly = (act: (engine: Engine) => void) => {
    painted.then(() => !isStopped && engine().then((loaded) => !isStopped && act(loaded))).catch(console.warn);
  };

  const direct: Pick<Engine, 'db' | 'start' | 'stop' | 'wake' | 'on'> = {
    db,
    start: () => quietly((loaded) => loaded.start()),
    async stop() {
      isStopped = true;
      // Still on its way or never asked for: there is nothing to stop.
      await (await loading?.catch(() => null))?.stop();
    },
    wake: (cause) =>
      quietly((loaded) => {
        loaded.start();
        loaded.wake(cause);
      }),
    on(listener) {
      let leave: (() => void) | null = null;
      let left = false;
      quietly((loaded) => {
        if (!left) leave = loaded.on(listener);
      });
      return () => {
        left = true;
        leave?.();
      };
    },
  };
  // Everything else answers with a promise, so it can wait for the code.
  return new Proxy(direct as Engine, {
    get(target, name: keyof Engine) {
      if (name in target || typeof name === 'symbol' || (name as string) === 'then') return target[name];
      return async (...args: unknown[]) => {
        const loaded = await engine();
        return Reflect.apply(loaded[name] as (...args: unknown[]) => unknown, loaded, args);
      };
    },
  });
}
