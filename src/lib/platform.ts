/** The engine's outside world as page and worker have it: real time, real chance, Web Locks, Web Crypto. */

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

/** Lower-case hex SHA-256. */
export async function digestHex(bytes: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Bytes this origin may still store, null where the browser does not say. */
export async function freeBytes(): Promise<number | null> {
  const { quota, usage } = (await navigator.storage?.estimate?.()) ?? {};
  return quota === undefined || usage === undefined ? null : quota - usage;
}

/** A Web Lock across tabs and worker. */
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
        // Robbed: another context thought this one dead. The work goes on, fenced by its attempt ids; wait for it.
        isHeld = false;
        await under.work;
      }
      return under.work !== null;
    },
  };
}
