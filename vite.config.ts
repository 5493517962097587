import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { guides } from './scripts/guides.ts';

/** Where `npm run dev` runs the server while the pages come from Vite. */
const apiOrigin = process.env['DEV_API_ORIGIN'] ?? 'http://127.0.0.1:3001';

/** Paths that are never a page, whoever asks: a picture or a link from another tab has no X-Requested-With. */
const serverOnly = /^\/(storage|uploads|api|broadcasting|app\/|healthz|openapi\.json|config$)/;

/** Pages and calls share paths (/search, /media); the header tells them apart, as on the server. */
function keepPage(request: IncomingMessage): string | undefined {
  const isCall = request.headers['x-requested-with'] !== undefined || serverOnly.test(request.url ?? '');
  return isCall ? undefined : request.url;
}

/** A section's example is for tests and demo people: a kilobyte that no phone has to fetch. */
const withoutExamples: Plugin = {
  name: 'without-examples',
  enforce: 'pre',
  transform: {
    filter: { id: /\/contract\/sections\/\w+\.ts$/ },
    handler: (code) => code.replace(/^ {2}example: \{.*?\},?\n(?=\}\))/ms, ''),
  },
};

const NO_FETCH = '\0axios-without-fetch';

/** Files go by XMLHttpRequest, which tells the progress of what is sent: axios' other way stays at home, five kilobytes. */
const withoutFetchAdapter: Plugin = {
  name: 'without-fetch-adapter',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === './fetch.js' && importer?.includes('/axios/lib/adapters/') ? NO_FETCH : undefined,
  load: (id) => (id === NO_FETCH ? 'export const getFetch = () => null;' : undefined),
};

/** Members of a section that only screens ask for, each from the edge of the definition to its end. */
const FORM_ONLY = /^ {2}(?:formTitles|dateRank|rules|emptyText|savedText): (?:.*?,\n(?= {2}\w|\}\)))/gms;
/** What a form asks; of a section that is no part of its profile the worker only carries what was answered. */
const FIELDS = /^ {2}fields: \{.*?\},\n(?= {2}\w)/ms;

/** The worker shows no form: what it says and asks stays out of what the worker carries. */
const withoutFormWords: Plugin = {
  name: 'without-form-words',
  enforce: 'pre',
  transform: {
    filter: { id: /\/contract\/sections\/\w+\.ts$/ },
    handler: (code) =>
      (code.includes("cardinality: 'one'") ? code : code.replace(FIELDS, '  fields: {},\n'))
        .replace(FORM_ONLY, '')
        .replace(/\b(missing|placeholder): '(?:[^'\\]|\\.)*'/g, "$1: ''")
        // The label of a field is the first thing said of it.
        .replace(
          /\b(text|longText|suggested|email|phone|number|flag|ids|link|month|year|choice)\(\s*'[^']*'/g,
          "$1(''",
        ),
  },
};

/**
 * What a start fetches by itself, in the order in which it does. Pages and sheets that are opened later are in none of these
 * lists. A file that is missing here makes the start fetch what such pages share: the test of what a phone has to fetch fails.
 */
const STARTS = {
  always: ['app/main.tsx'],
  visitor: ['app/PublicRoutes.tsx', 'app/layout/SignedOutLayout.tsx', 'app/update.ts'],
  signedIn: ['app/SignedInRoutes.tsx', 'session/account.ts', 'session/first-look.ts'],
  soon: [
    'app/layout/Unread.tsx',
    'app/layout/UserMenu.tsx',
    'features/sync-status/SyncAnnouncer.tsx',
    'features/sync-status/SyncPill.tsx',
    'features/profile/CompletenessCard.tsx',
    'features/profile/ProfileSwitcher.tsx',
    'net/page-exchange.ts',
    'realtime/live.ts',
    'session/canary.ts',
    'session/live.ts',
    'session/page-engine.ts',
    'session/store-watch.ts',
    'session/wipe.ts',
  ],
};

/**
 * Puts modules that several files share together by the moment they are needed. By itself the bundler makes a file for each
 * set of pages that share something: a hundred requests for a few hundred bytes each, and the worker's installation, which
 * fetches, compares and stores every file, took six times as long as opening the app.
 */
function nameByMoment(): Rolldown.CodeSplittingNameFunction {
  let needs: ((start: keyof typeof STARTS, id: string) => boolean) | undefined;
  return (id, context) => {
    needs ??= readStarts(context);
    if (needs('always', id)) return 'start';
    if (needs('signedIn', id)) return needs('visitor', id) ? 'page' : 'signed-in';
    if (needs('soon', id)) return needs('visitor', id) ? 'page-soon' : 'soon';
    return needs('visitor', id) ? null : 'later';
  };
}

/** Tells whether a start needs a module, by what its files import and what these import. */
function readStarts(context: Rolldown.ChunkingContext) {
  const reach = (files: string[]) => {
    const reached = new Set(files.map((file) => path.resolve('src', file)));
    for (const id of reached) {
      const module = context.getModuleInfo(id);
      if (!module) throw new Error(`${id} is named in STARTS and is no part of the app`);
      module.importedIds.forEach((imported) => reached.add(imported));
    }
    return reached;
  };
  const reached = Object.fromEntries(Object.entries(STARTS).map(([start, files]) => [start, reach(files)]));
  return (start: keyof typeof STARTS, id: string) => reached[start]?.has(id) ?? false;
}

/** Chunks whose own needs are fetched beside them, not after. */
const NAMED = /^(SignedInRoutes|PublicRoutes|account)$/;

/** Puts the digest of each file into the worker's list: it stores and serves nothing else. See src/sw/shell.ts. */
async function addDigests<T extends { url: string; revision: string | null }>(files: T[]) {
  const digestOf = async (url: string) =>
    createHash('sha256')
      .update(await readFile(`dist/app/${url}`))
      .digest('base64')
      .slice(0, 14);
  return { manifest: await Promise.all(files.map(async (file) => ({ ...file, revision: await digestOf(file.url) }))) };
}

export default defineConfig({
  plugins: [
    guides,
    withoutExamples,
    withoutFetchAdapter,
    react(),
    tailwindcss(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src/sw',
      filename: 'sw.ts',
      manifest: false,
      injectRegister: false,
      injectManifest: {
        buildPlugins: { vite: [withoutExamples, withoutFormWords] },
        globPatterns: ['**/*.{js,css,html,svg,png,woff2,webmanifest}', 'guides/*.webp'],
        // What rescues a page that does not start must come from the server.
        globIgnores: ['**/screenshots/**', 'rescue.js'],
        manifestTransforms: [addDigests],
      },
    }),
  ],
  resolve: {
    // The package's entry is its UMD build; the modern one, packed by its makers, is smaller. The alias keeps it one copy.
    alias: [
      { find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.min.mjs' },
      // Its exports name the development build alone, with a kilobyte of warnings to whoever writes routes.
      { find: /^react-router$/, replacement: path.resolve('node_modules/react-router/dist/production/index.mjs') },
    ],
  },
  build: {
    outDir: 'dist/app',
    emptyOutDir: true,
    // The content policy allows no data: addresses.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            // The package's index imports every icon, so that what a start imports says nothing of the icons it shows.
            {
              name: 'icons',
              test: /\/lucide-react\/dist\/esm\/icons\//,
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: 2000,
            },
            { name: nameByMoment(), debugName: 'by moment', minShareCount: 2 },
          ],
        },
        // Names would be a kilobyte of the worker's list and of what each page says it needs; those told apart below keep theirs.
        chunkFileNames: ({ name }) => (NAMED.test(name) ? 'assets/[name]-[hash:8].js' : 'assets/[hash:8].js'),
      },
    },
    modulePreload: {
      // Every browser the app runs in has it.
      polyfill: false,
      // Lists of what each lazy page needs would be a kilobyte in the first load, for pages the worker has kept by then.
      resolveDependencies: (file, needed, { hostType }) =>
        hostType === 'html' || NAMED.test(file.replace(/^.*\//, '').replace(/-[\w-]{8}\.js$/, '')) ? needed : [],
    },
  },
  server: {
    proxy: { '^/app/': { target: apiOrigin, ws: true }, '^/': { target: apiOrigin, ws: false, bypass: keepPage } },
  },
});
