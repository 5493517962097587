// Runs before the first paint so that a chosen theme never flashes the other one. A file of its own: no inline scripts.
(function () {
  try {
    var theme = localStorage.getItem('theme');
    if (theme !== 'callboard' && theme !== 'blackout') return;
    document.documentElement.dataset.theme = theme;
    var colour = theme === 'blackout' ? '#0c1411' : '#f6f4ec';
    document.querySelectorAll('meta[name="theme-color"]').forEach(function (meta) {
      meta.setAttribute('content', colour);
    });
  } catch {
    // Storage is closed to us: the system's theme stays.
  }
})();
// Request the files of the first page now, not when the entry runs.
(function () {
  var files = document.querySelector('meta[name="first-files"]');
  if (!files) return;
  var page = /^\/profile\/[^/]+\/[^/]+\/?$/.test(location.pathname) ? ['visitor', 'profile'] : ['visitor'];
  try {
    if (localStorage.getItem('token') !== null) page = ['member'];
  } catch {
    // Storage is not available, so nobody is signed in.
  }
  page.forEach(function (part) {
    (files.dataset[part] || '').split(' ').forEach(function (file) {
      if (!file) return;
      var link = document.createElement('link');
      link.rel = 'modulepreload';
      link.href = '/' + file;
      document.head.append(link);
    });
  });
})();
// Code or styles that do not load, or code that is none: a captive portal answered in their place. Help comes from the
// server alone, so its address is new each time.
(function () {
  var isLoaded = false;
  var isAsked = false;
  var hasFailed = false;
  function rescue() {
    if (isAsked || !hasFailed) return;
    isAsked = true;
    var script = document.createElement('script');
    script.src = '/rescue.js?' + Date.now();
    document.head.append(script);
  }
  function onError(event) {
    // Once the app has started its own pages say what is wrong.
    if (isLoaded && !document.getElementById('opening')) return;
    if (event.target instanceof HTMLImageElement) return;
    // What was only preloaded fails again where it is imported, and the app says so there.
    if (event.target instanceof HTMLLinkElement && event.target.rel === 'modulepreload') return;
    hasFailed = true;
    if (isLoaded) rescue();
  }
  addEventListener('error', onError, true);
  addEventListener('load', function () {
    isLoaded = true;
    rescue();
  });
})();
