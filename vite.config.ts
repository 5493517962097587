import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';

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
 * Small pieces that every start of somebody signed in needs: for the first paint, and right after it. By itself the bundler
 * makes a file of each that one more lazy page shares: thirty requests, and three kilobytes of nothing but seams.
 */
const PIECES = {
  small:
    /\/src\/(ui\/(Avatar|Card|Chips|LocalImage|ProgressBar|RemoteImage|ShowAllButton|StatePill|Toggle)|lib\/(amounts|dates|text|state-timing|stored-media|shared-files)|db\/(sets|lookups|queries|fold|views)|session\/use-(online|query)|features\/(account\/type-name|media\/MediaShelf|profile\/(AboutText|CreditList|LanguageList|NamedLanguages|ProfileSkeleton|SectionList|ShowAll|SkillList|custom-cards|share\/ShareButton)))\.tsx?$|\/contract\/media-tabs\.ts$|\/icons\/(arrow-left|chevron-down|clapperboard|external-link|eye-off|file-text|hand|image-plus|mic|monitor|share-2|smartphone|tablet|trash)\.mjs$/,
  soon: /\/src\/(db\/(people|describe|messages|network|media-body)|sync\/[a-z-]+|lib\/base64|session\/(trouble|lookups|live|page-engine|keep-awake|wipe)|app\/layout\/(UserMenu|Unread)|features\/(sync-status\/(queue-words|SyncPill|SyncAnnouncer)|account\/use-sign-out))\.tsx?$|\/contract\/(media-types|lookup-calls|chat-calls|people-calls)\.ts$|\/icons\/(bookmark|log-out|settings|sliders-horizontal)\.mjs$/,
};

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
        globPatterns: ['**/*.{js,css,html,svg,png,woff2,webmanifest}'],
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
          groups: Object.entries(PIECES).map(([name, test]) => ({ name, test })),
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
