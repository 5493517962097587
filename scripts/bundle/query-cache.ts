import type { Plugin } from 'vite';

/** Leaves out Dexie's cache of query results, which `src/db/database.ts` switches off. It is two of the kilobytes that every page needs first. */
export const withoutQueryCache: Plugin = {
  name: 'without-query-cache',
  enforce: 'pre',
  transform: {
    filter: { id: /\/dexie\.min\.mjs/ },
    handler(code) {
      const layer = /([\w$]+)=\{stack:"dbcore",level:0,name:"Cache"/.exec(code)?.[1];
      const added = `this.use(${layer}),`;
      if (layer === undefined || !code.includes(added))
        throw new Error('Dexie adds its cache in another way than before');
      return code.replace(added, () => '');
    },
  },
};
