/** Which folder may import which, types among it: the arrows of docs/for-developers/map.md. Everything not named here is refused. */
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
  shared: ['contract', 'src/session', 'src/sync', 'src/db', 'src/net', 'src/ui', 'src/lib'],
};

/** Features of the server, each of which may use those before it. What others must do for one of these, they learn by events. */
const FEATURES = [
  'lookups',
  'notifications',
  'profile',
  'search',
  'uploads',
  'media',
  'sections',
  'pages',
  'chat',
  'people',
  'account',
  'live',
  'insights',
  'sync',
  'service',
];
const orderOfFeatures = FEATURES.map((name, at) => ({
  name: `server/features/${name} may only use ${FEATURES.slice(0, at).join(', ') || 'no other feature'}`,
  severity: 'error',
  from: { path: `^server/features/${name}/` },
  to: { path: '^server/features/', pathNot: `^server/features/(${FEATURES.slice(0, at + 1).join('|')})/` },
}));

module.exports = {
  forbidden: [
    { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
    // What a plugin of the build makes resolves nowhere else.
    { name: 'everything resolves', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^virtual:' } },
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
    only('src/shared', below.shared),
    only('src/features', ['src/shared', ...below.shared]),
    only('src/sw', ['contract', 'src/sync', 'src/db', 'src/net', 'src/lib']),
    only('server', ['contract']),
    ...orderOfFeatures,
    {
      name: 'every feature of the server has its place in the order',
      severity: 'error',
      from: {},
      to: { path: '^server/features/', pathNot: `^server/features/(${FEATURES.join('|')})/` },
    },
    {
      name: 'what all features stand on knows none of them',
      severity: 'error',
      from: { path: '^server/(access|db|http|live|plugins|storage)/' },
      to: { path: '^server/features/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.js'],
    },
  },
};
