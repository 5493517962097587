import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { defineConfig, type Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { cvFonts } from './scripts/bundle/cv-fonts.ts';
import { withoutBrotli } from './scripts/bundle/cv-library.ts';
import { iconsByFile } from './scripts/bundle/icons.ts';
import { byMoment, isFetchedFirst } from './scripts/bundle/moments.ts';
import { withoutTexts } from './scripts/bundle/operations.ts';
import { withoutExamples, withoutForms } from './scripts/bundle/sections.ts';
import { minifyTwice } from './scripts/bundle/smaller.ts';
import { withoutQueryCache } from './scripts/bundle/query-cache.ts';
import { guides } from './scripts/guides.ts';
import { DIGEST_LENGTH } from './src/sw/digest-length.ts';
import { LATER, packList } from './src/sw/precache-list.ts';

/** The address of the server during `npm run dev`, while pages come from Vite. */
const apiOrigin = process.env['DEV_API_ORIGIN'] ?? 'http://127.0.0.1:3001';

/** Paths that are never pages. Pictures and links from another tab have no X-Requested-With header. */
const serverOnly = /^\/(storage|uploads|api|broadcasting|app\/|healthz|livez|readyz|openapi\.json|config$)/;

/** Pages and calls share paths such as /search and /media. The header distinguishes them, as on the server. */
function keepPage(request: IncomingMessage): string | undefined {
  const isCall = request.headers['x-requested-with'] !== undefined || serverOnly.test(request.url ?? '');
  return isCall ? undefined : request.url;
}

const NO_FETCH = '\0axios-without-fetch';

/** Removes axios' fetch adapter, which saves five kilobytes. The app uses XMLHttpRequest because it reports upload progress. */
const withoutFetchAdapter: Plugin = {
  name: 'without-fetch-adapter',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === './fetch.js' && importer?.includes('/axios/lib/adapters/') ? NO_FETCH : undefined,
  load: (id) => (id === NO_FETCH ? 'export const getFetch = () => null;' : undefined),
};

/**
 * Adds the digest of each file to the worker's precache list and packs the list into one text, which the worker finds in
 * place of the URL of a single file. The worker stores and serves nothing else. See src/sw/shell.ts.
 */
async function packWithDigests<T extends { url: string; revision: string | null; size: number }>(files: T[]) {
  const digestOf = async (url: string) =>
    createHash('sha256')
      .update(await readFile(`dist/app/${url}`))
      .digest('base64')
      .slice(0, DIGEST_LENGTH);
  const listed = await Promise.all(files.map(async ({ url }) => ({ url, revision: await digestOf(url) })));
  const size = files.reduce((sum, file) => sum + file.size, 0);
  return { manifest: [{ url: packList(listed), revision: null, size }] };
}

/** Workers that are stored when they are first used; see src/sw/precache-list.ts. */
const LATER_WORKERS = ['cv-worker', 'take-finisher'];

const moments = byMoment();

export default defineConfig({
  plugins: [
    guides,
    cvFonts,
    moments.plugin,
    iconsByFile,
    withoutExamples,
    withoutFetchAdapter,
    withoutQueryCache,
    react(),
    tailwindcss(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src/sw',
      filename: 'sw.ts',
      manifest: false,
      injectRegister: false,
      injectManifest: {
        buildPlugins: { vite: [withoutExamples, withoutForms, withoutTexts, withoutQueryCache, minifyTwice] },
        globPatterns: ['**/*.{js,css,html,svg,png,woff2,ttf,webmanifest}', 'guides/*.webp'],
        // The fallback for a page that fails to start must come from the server. Signing up, which needs the worker, does too.
        globIgnores: ['**/screenshots/**', 'rescue.js', 'assets/challenge-worker-*.js'],
        manifestTransforms: [packWithDigests],
      },
    }),
  ],
  worker: {
    format: 'es',
    plugins: () => [withoutBrotli],
    rolldownOptions: {
      output: {
        entryFileNames: ({ name }) => `assets/${LATER_WORKERS.includes(name) ? LATER : ''}[name]-[hash:8].js`,
        // What the worker that finishes takes loads.
        chunkFileNames: ({ moduleIds }) =>
          `assets/${moduleIds.some((id) => id.includes('/mediabunny')) ? `${LATER}take` : '[name]'}-[hash:8].js`,
      },
    },
  },
  resolve: {
    alias: [
      // The entry of the package is its UMD build. The prebuilt modern one is smaller. The alias avoids a second copy.
      { find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.min.mjs' },
      // The entry of this package is transpiled to ES5, which is nearly twice as large.
      { find: /^workbox-window$/, replacement: 'workbox-window/build/workbox-window.prod.mjs' },
      // The router brings a copy of this hook for old versions of React.
      { find: /^use-sync-external-store\/shim\/index\.js$/, replacement: 'react' },
    ],
  },
  build: {
    outDir: 'dist/app',
    emptyOutDir: true,
    // There is one style sheet, which the page links. Otherwise every file that loads another one would list it.
    cssCodeSplit: false,
    // The content security policy allows no data: URLs.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            // What loads soon after the start loads as a whole, so files of their own would only add requests and bytes.
            { name: moments.soonOnly, debugName: 'soon', minShareCount: 1 },
            // Used on few pages, and larger than what else they share.
            { name: 'passkeys', test: /@simplewebauthn\/|fresh-sign-in\/passkeys\.ts$/, minShareCount: 1 },
            // Fetched at the start by those who switched notifications on.
            { name: 'push', test: /push\/subscription\.ts$/, minShareCount: 1 },
            // Everything about sealed files, whose word list is large.
            { name: 'sealed', test: /@scure\/|sync\/sealed\/|Seal(ed)?Sheet\.tsx$/, minShareCount: 1 },
            // What casting and auditions are made of, with the rules and holidays. Few starts of the app need it.
            { name: 'casting', test: /\/contract\/(casting|rules)\/|\/contract\/scam-words/, minShareCount: 2 },
            { name: moments.nameOf, debugName: 'by moment', minShareCount: 2 },
          ],
        },
        chunkFileNames: moments.fileOf,
      },
    },
    modulePreload: {
      // Every supported browser has it.
      polyfill: false,
      // Preload lists would add a kilobyte to the first load, for pages that the worker has cached by then.
      resolveDependencies: (file, needed, { hostType }) => (hostType === 'html' || isFetchedFirst(file) ? needed : []),
    },
  },
  server: {
    proxy: { '^/app/': { target: apiOrigin, ws: true }, '^/': { target: apiOrigin, ws: false, bypass: keepPage } },
  },
});
