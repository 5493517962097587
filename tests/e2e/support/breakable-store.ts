/**
 * Runs in a page before its own code: from the event `test:break-store` on, every connection is dead and none opens in this
 * page again. WebKit does so to an app that was long in the background.
 */
export function installBreakableStore(): void {
  const connections = new Set<IDBDatabase>();
  let isBroken = false;
  const { open } = IDBFactory.prototype;
  IDBFactory.prototype.open = function (...given: Parameters<IDBFactory['open']>) {
    if (!isBroken) {
      const opening = open.apply(this, given);
      opening.addEventListener('success', () => connections.add(opening.result));
      return opening;
    }
    const error = new DOMException('Connection to Indexed Database server lost', 'UnknownError');
    const opening = Object.assign(new EventTarget(), { error, onerror: null }) as unknown as IDBOpenDBRequest;
    opening.addEventListener('error', (event) => opening.onerror?.(event));
    setTimeout(() => opening.dispatchEvent(new Event('error', { cancelable: true })));
    return opening;
  };
  addEventListener('test:break-store', () => {
    isBroken = true;
    for (const connection of connections) connection.close();
  });
}
