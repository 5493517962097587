/** The engine's ports to the browser, for page and worker: clock, random numbers, Web Locks, storage. */

export const realClock = {
  now: () => Date.now(),
  after(ms: number, call: () => void): () => void {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};

export const realChance = {
  random: () => Math.random(),
  uuid: () => crypto.randomUUID(),
};

/** Bytes that this origin may still store; null if the browser does not report it. */
export async function freeBytes(): Promise<number | null> {
  const { quota, usage } = (await navigator.storage?.estimate?.()) ?? {};
  return quota === undefined || usage === undefined ? null : quota - usage;
}

/** A Web Lock shared by all tabs and the worker. */
export function webLock(name: string) {
  return {
    async tryRun(
      work: (isHeld: () => boolean) => Promise<void>,
      { steal = false }: { steal?: boolean } = {},
    ): Promise<boolean> {
      const under: { work: Promise<void> | null } = { work: null };
      let isHeld = true;
      const options: LockOptions = steal ? { steal } : { ifAvailable: true };
      try {
        await navigator.locks.request(name, options, async (lock) => {
          if (lock === null) return;
          under.work = work(() => isHeld);
          await under.work;
        });
      } catch (error) {
        if (!(error instanceof DOMException && error.name === 'AbortError') || under.work === null) throw error;
        // Stolen: another context took this one for dead. The work continues, fenced by its attempt ids; wait for it.
        isHeld = false;
        await under.work;
      }
      return under.work !== null;
    },
  };
}
