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
