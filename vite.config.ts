import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { byMoment, isFetchedFirst } from './scripts/bundle/moments.ts';
import { withoutExamples, withoutForms } from './scripts/bundle/sections.ts';
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

const NO_FETCH = '\0axios-without-fetch';

/** Files go by XMLHttpRequest, which tells the progress of what is sent: axios' other way stays at home, five kilobytes. */
const withoutFetchAdapter: Plugin = {
  name: 'without-fetch-adapter',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === './fetch.js' && importer?.includes('/axios/lib/adapters/') ? NO_FETCH : undefined,
  load: (id) => (id === NO_FETCH ? 'export const getFetch = () => null;' : undefined),
};

/** Puts the digest of each file into the worker's list: it stores and serves nothing else. See src/sw/shell.ts. */
async function addDigests<T extends { url: string; revision: string | null }>(files: T[]) {
  const digestOf = async (url: string) =>
    createHash('sha256')
      .update(await readFile(`dist/app/${url}`))
      .digest('base64')
      .slice(0, 14);
  return { manifest: await Promise.all(files.map(async (file) => ({ ...file, revision: await digestOf(file.url) }))) };
}

const moments = byMoment();

export default defineConfig({
  plugins: [
    guides,
    moments.plugin,
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
        buildPlugins: { vite: [withoutExamples, withoutForms] },
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
            { name: moments.nameOf, debugName: 'by moment', minShareCount: 2 },
          ],
        },
        chunkFileNames: moments.fileOf,
      },
    },
    modulePreload: {
      // Every browser the app runs in has it.
      polyfill: false,
      // Lists of what each lazy page needs would be a kilobyte in the first load, for pages the worker has kept by then.
      resolveDependencies: (file, needed, { hostType }) => (hostType === 'html' || isFetchedFirst(file) ? needed : []),
    },
  },
  server: {
    proxy: { '^/app/': { target: apiOrigin, ws: true }, '^/': { target: apiOrigin, ws: false, bypass: keepPage } },
  },
});
