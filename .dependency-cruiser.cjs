/** Which folder may import which: the arrows of docs/map.md. Everything not named here is refused. */
const only = (from, to) => ({
  name: `${from} may only use ${to.join(', ') || 'nothing of ours'}`,
  severity: 'error',
  from: { path: `^${from}/` },
  to: { path: '^(contract|src|server)/', pathNot: [`^${from}/`, ...to.map((folder) => `^${folder}/`)] },
});
const below = {
  net: ['contract', 'src/lib'],
  db: ['contract', 'src/lib'],
  sync: ['contract', 'src/db', 'src/net', 'src/lib'],
  realtime: ['contract', 'src/lib'],
  session: ['contract', 'src/realtime', 'src/sync', 'src/db', 'src/net', 'src/ui', 'src/lib'],
};

module.exports = {
  forbidden: [
    { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'everything resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'features do not know each other',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/', pathNot: '^src/features/$1/' },
    },
    only('contract', []),
    only('src/lib', ['contract']),
    only('src/ui', ['src/lib']),
    only('src/net', below.net),
    only('src/db', below.db),
    only('src/sync', below.sync),
    only('src/realtime', below.realtime),
    only('src/session', below.session),
    only('src/features', ['contract', 'src/session', 'src/sync', 'src/db', 'src/net', 'src/ui', 'src/lib']),
    only('src/sw', ['contract', 'src/sync', 'src/db', 'src/net', 'src/lib']),
    only('server', ['contract']),
    {
      name: 'the worker carries neither axios nor Zod nor React',
      severity: 'error',
      from: { path: '^src/sw/' },
      to: { path: 'node_modules/(axios|zod|react|react-dom)/', reachable: true },
    },
    {
      name: 'the engine and the store know no React',
      severity: 'error',
      from: { path: '^src/(sync|db|net)/' },
      to: { path: 'node_modules/(react|react-dom|dexie-react-hooks)/', reachable: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.js'],
    },
  },
};
