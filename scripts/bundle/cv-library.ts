/** Leaves out of the CV's code what it never uses. */
import type { Plugin } from 'vite';

const NO_BROTLI = '\0fontkit-without-brotli';

/** fontkit unpacks WOFF2 fonts with a decoder that is a quarter of the CV’s code. The fonts of the CV are not packed. */
export const withoutBrotli: Plugin = {
  name: 'fontkit-without-brotli',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === 'brotli/decompress.js' && importer?.includes('/fontkit/') ? NO_BROTLI : undefined,
  load: (id) =>
    id === NO_BROTLI ? 'export default () => { throw new Error("WOFF2 fonts are not supported"); };' : undefined,
};
