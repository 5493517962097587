import type { AccountDb } from '#db/database.ts';
import type { Engine } from '#sync/engine.ts';
import { afterPaint } from '#ui/after-paint.ts';

/** Members that work before the engine is loaded. */
type ImmediateMember = 'db' | 'start' | 'stop' | 'wake' | 'on';

/** Fails to compile if a member returns something other than a promise: such a member cannot wait for the engine. */
type Deferrable<T extends Record<keyof T, (...args: never[]) => Promise<unknown>>> = T;
type DeferredMembers = Deferrable<Omit<Engine, ImmediateMember>>;

/**
 * Returns an engine whose code is loaded after the first paint, or at the first call that needs it; that call waits for it.
 * Reading and painting need no engine. If loading fails, the next call loads again.
 */
export function createLazyEngine(db: AccountDb, load: () => Promise<Engine>): Engine {
  let loading: Promise<Engine> | null = null;
  let isStopped = false;
  const loadOnce = (): Promise<Engine> =>
    (loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    }));
  const painted = new Promise<void>(afterPaint);
  /** Runs `action` once the page has painted. Nobody waits for it: if loading fails, the next trigger tries again. */
  const runAfterPaint = (action: (engine: Engine) => void) => {
    painted.then(() => !isStopped && loadOnce().then((engine) => !isStopped && action(engine))).catch(console.warn);
  };

  const immediate: Pick<Engine, ImmediateMember> = {
    db,
    start: () => runAfterPaint((engine) => engine.start()),
    async stop() {
      isStopped = true;
      // An engine that was not loaded needs no stopping.
      await (await loading?.catch(() => null))?.stop();
    },
    wake: (cause) =>
      runAfterPaint((engine) => {
        engine.start();
        engine.wake(cause);
      }),
    on(listener) {
      let unsubscribe: (() => void) | null = null;
      let isUnsubscribed = false;
      runAfterPaint((engine) => {
        if (!isUnsubscribed) unsubscribe = engine.on(listener);
      });
      return () => {
        isUnsubscribed = true;
        unsubscribe?.();
      };
    },
  };
  // The type is the engine's own, so that go to definition on a call leads into src/sync/engine.ts and not here.
  return new Proxy(immediate as typeof immediate & DeferredMembers, {
    get(target, name: keyof Engine) {
      if (name in target || typeof name === 'symbol' || (name as string) === 'then') return target[name];
      return async (...args: unknown[]) => {
        const engine = await loadOnce();
        return Reflect.apply(engine[name] as (...args: unknown[]) => unknown, engine, args);
      };
    },
  });
}
