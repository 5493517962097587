/** Runs `work` while no other tab runs work of this name. Browsers have locks only on secure pages. */
export function exclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
  const locks = navigator.locks as LockManager | undefined;
  return locks ? (locks.request(name, work) as Promise<T>) : work();
}
