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
    hasFailed = true;
    if (isLoaded) rescue();
  }
  addEventListener('error', onError, true);
  addEventListener('load', function () {
    isLoaded = true;
    rescue();
  });
})();
