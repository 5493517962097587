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
  'open-store': ['contract', 'src/sync', 'src/db', 'src/net', 'src/ui', 'src/lib'],
  session: ['contract', 'src/open-store', 'src/realtime', 'src/sync', 'src/db', 'src/net', 'src/ui', 'src/lib'],
  shared: ['contract', 'src/open-store', 'src/session', 'src/sync', 'src/db', 'src/net', 'src/ui', 'src/lib'],
};

/** Features of the server, in order: each may use those before it. A lower feature informs a higher one with events. */
const FEATURES = [
  'lookups',
  'mail',
  'push',
  'notifications',
  'profile',
  'uploads',
  'media',
  'sections',
  'pages',
  'chat',
  'casting',
  'auditions',
  'watch',
  'availability',
  'people',
  'account',
  'desk',
  'live',
  'service',
];
/** Read models of the server, in order. They may read from every feature, and no feature may use them. */
const READ_MODELS = ['search', 'suggestions', 'insights', 'sync'];
const inOrder = (folder, names) => [
  ...names.map((name, at) => ({
    name: `${folder}/${name} may only use ${names.slice(0, at).join(', ') || 'none of its neighbors'}`,
    severity: 'error',
    from: { path: `^${folder}/${name}/` },
    to: { path: `^${folder}/`, pathNot: `^${folder}/(${names.slice(0, at + 1).join('|')})/` },
  })),
  {
    name: `every folder of ${folder} has its place in the order`,
    severity: 'error',
    from: {},
    to: { path: `^${folder}/`, pathNot: `^${folder}/(${names.join('|')})/` },
  },
];

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
    // It gets what the audience may read, and cannot reach the rest.
    {
      name: 'the code that draws a CV knows only what it is given',
      severity: 'error',
      from: { path: '^src/features/cv/(pdf/|cv-worker\\.ts$)' },
      to: { path: '^(contract|src)/', pathNot: '^src/features/cv/(pdf/|cv-worker\\.ts$)' },
    },
    {
      name: 'only src/ui/router.tsx knows the router library',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/ui/router\\.tsx$' },
      to: { path: 'node_modules/wouter/' },
    },
    {
      name: 'only tools back up and restore',
      severity: 'error',
      from: { path: '^(src|server)/', pathNot: '^server/backup/' },
      to: { path: '^server/backup/' },
    },
    only('contract', []),
    only('src/lib', ['contract']),
    only('src/ui', ['src/lib']),
    only('src/net', below.net),
    only('src/db', below.db),
    only('src/sync', below.sync),
    only('src/realtime', below.realtime),
    only('src/open-store', below['open-store']),
    only('src/session', below.session),
    only('src/shared', below.shared),
    only('src/features', ['src/shared', ...below.shared]),
    only('src/sw', ['contract', 'src/sync', 'src/db', 'src/net', 'src/lib']),
    only('src/workers', ['contract', 'src/lib']),
    only('server', ['contract']),
    ...inOrder('server/features', FEATURES),
    ...inOrder('server/read-models', READ_MODELS),
    only('server/platform', ['contract']),
    only('server/features', ['contract', 'server/platform']),
    only('server/read-models', ['contract', 'server/platform', 'server/features']),
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
