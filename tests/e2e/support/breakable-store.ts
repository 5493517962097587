/**
 * Init script: after the event `test:break-store`, every IndexedDB connection of the page is closed and none can be opened.
 * WebKit does this to an app that was in the background for long.
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
