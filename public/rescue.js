// Loaded by theme.js when the app's code did not start, and by the app when a part of it could not be fetched. Fetches again
// what is damaged, in the worker's cache and in the browser's, and starts the page again; where that cannot help, says what
// to do. IndexedDB, which holds what the person has not sent yet, is never touched.
(function () {
  // The app looks for this mark: without it, something else was sent in place of this script.
  if ('rescue' in document.documentElement.dataset) return;
  document.documentElement.dataset.rescue = '';
  var RETRY_MS = 5000;
  var WORKER_PATIENCE_MS = 30000;
  var TRIES_KEY = 'rescues';
  var FORGET_TRIES_MS = 120000;
  var MAX_TRIES = 2;

  var WORDS = {
    offline: 'Callboard could not open. You are offline, and part of the app has to be downloaded again.',
    portal: 'Callboard could not open. This Wi-Fi wants you to sign in. Open any website, sign in there, and come back.',
    broken:
      'Callboard could not open. Update your browser, or try again later. Do not clear this site’s data: changes that are not sent yet would be lost.',
  };

  function say(words) {
    var opening = document.getElementById('opening');
    if (!opening) return;
    var text = document.createElement('p');
    text.setAttribute('role', 'alert');
    text.textContent = words + (words === WORDS.broken ? '' : ' Everything you saved here is safe.');
    var again = document.createElement('button');
    again.type = 'button';
    again.textContent = 'Try again';
    again.addEventListener('click', function () {
      location.reload();
    });
    opening.className = 'is-late';
    opening.replaceChildren(text, again);
  }

  /** How often this tab was rescued lately. Without storage to count in, often enough: a page must not reload for ever. */
  function readTries() {
    try {
      var known = JSON.parse(sessionStorage.getItem(TRIES_KEY)) || { count: 0, at: 0 };
      return Date.now() - known.at < FORGET_TRIES_MS ? known.count : 0;
    } catch {
      return MAX_TRIES;
    }
  }

  /** Counts a rescue. Returns false if that cannot be stored. */
  function countTry(tries) {
    try {
      sessionStorage.setItem(TRIES_KEY, JSON.stringify({ count: tries + 1, at: Date.now() }));
      return true;
    } catch {
      return false;
    }
  }

  /** Who answers: the app's server, a portal, or nobody. The query keeps worker and cache out of it. */
  async function findHost() {
    try {
      var answer = await fetch('/theme.js?' + Date.now(), { cache: 'no-store', redirect: 'manual' });
      var type = answer.headers.get('Content-Type') || '';
      return answer.status === 200 && type.includes('javascript') ? 'server' : 'portal';
    } catch {
      return 'offline';
    }
  }

  /** Has the worker compare every file it stores with its digest, and fetch anew what differs. */
  function repairWorker() {
    var worker = navigator.serviceWorker && navigator.serviceWorker.controller;
    if (!worker) return Promise.resolve();
    return new Promise(function (resolve) {
      var channel = new MessageChannel();
      channel.port1.onmessage = resolve;
      // A worker of an earlier version does not answer.
      setTimeout(resolve, WORKER_PATIENCE_MS);
      worker.postMessage({ type: 'REPAIR' }, [channel.port2]);
    });
  }

  /**
   * Asks the server about every script and style of the page, so that the browser's own cache lets go of a portal's answer.
   * Resolves to false if a page still comes in place of one of them.
   */
  async function refresh() {
    var elements = [...document.querySelectorAll('script[src], link[rel=stylesheet], link[rel=modulepreload]')];
    var addresses = elements
      .map(function (element) {
        return element.src || element.href;
      })
      .concat(
        performance.getEntriesByType('resource').map(function (entry) {
          return entry.name;
        }),
      )
      .filter(function (address) {
        return address.startsWith(location.origin) && /\.(js|css)$/.test(address);
      });
    var requests = [...new Set(addresses)].map(async function (address) {
      var answer = await fetch(address, { cache: 'no-cache' });
      return answer.ok && (answer.headers.get('Content-Type') || '').includes('html');
    });
    var results = await Promise.allSettled(requests);
    return !results.some(function (result) {
      return result.value === true;
    });
  }

  /** Gives up the worker and the files it stores: the next start fetches all of them. Pictures and changes stay. */
  async function forgetWorker() {
    var registrations = navigator.serviceWorker ? await navigator.serviceWorker.getRegistrations() : [];
    for (var registration of registrations) await registration.unregister();
    if (!window.caches) return;
    for (var name of await caches.keys()) if (name.includes('precache')) await caches.delete(name);
  }

  /** Starts the page again, unless the app cancels the event: it does so while the person types. */
  function restart() {
    if (dispatchEvent(new Event('rescue', { cancelable: true }))) location.reload();
    else setTimeout(restart, RETRY_MS);
  }

  async function run() {
    var host = await findHost();
    if (host !== 'server') {
      say(WORDS[host]);
      setTimeout(run, RETRY_MS);
      return;
    }
    // An app that has started is restarted once. One that has not is given a second try, without what the worker stored.
    var hasStarted = document.getElementById('opening') === null;
    var tries = readTries();
    if (tries >= (hasStarted ? 1 : MAX_TRIES)) {
      say(WORDS.broken);
      return;
    }
    await repairWorker();
    if (tries === 1) await forgetWorker();
    if (!(await refresh())) {
      say(WORDS.portal);
      setTimeout(run, RETRY_MS);
      return;
    }
    if (countTry(tries)) restart();
    else say(WORDS.broken);
  }
  run();
})();
