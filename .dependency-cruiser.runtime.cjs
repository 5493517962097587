/** What may be loaded with what: types are gone by then. */
module.exports = {
  forbidden: [
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
      to: { path: 'node_modules/(react|react-dom)/', reachable: true },
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
