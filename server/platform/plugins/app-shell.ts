import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { chooseEncoding, type Encoding, ENCODINGS } from '#server/platform/http/encodings.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { describeFailure } from '#server/platform/jobs/failure.ts';

interface AppFile {
  type: string;
  etag: string;
  cacheControl: string;
  /** The file by content encoding; '' is the uncompressed one. */
  variants: Map<string, { file: string; size: number }>;
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain; charset=utf-8',
};
const SUFFIXES: Record<Encoding, string> = { br: '.br', gzip: '.gz' };
/** File names with a content hash from the build; most chunks have no other name. */
const HASHED = /^\/assets\/(.*-)?[\w-]{8,}\.\w+$/;

/** Reads every file of the built app once, by URL path. Files added later are not served. */
async function readApp(folder: string): Promise<Map<string, AppFile>> {
  const files = new Map<string, AppFile>();
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const known = new Set(names);
  for (const name of names) {
    const type = TYPES[path.extname(name)];
    const file = path.join(folder, name);
    const found = await stat(file);
    if (type === undefined || !found.isFile()) continue;
    const address = `/${name.split(path.sep).join('/')}`;
    const variants = new Map([['', { file, size: found.size }]]);
    for (const encoding of ENCODINGS) {
      const suffix = SUFFIXES[encoding];
      if (known.has(name + suffix))
        variants.set(encoding, { file: file + suffix, size: (await stat(file + suffix)).size });
    }
    files.set(address, {
      type,
      etag: createHash('sha256')
        .update(await readFile(file))
        .digest('base64url')
        .slice(0, 22),
      cacheControl: HASHED.test(address) ? 'public, max-age=31536000, immutable' : 'no-cache',
      variants,
    });
  }
  return files;
}

function sendFile(file: AppFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const encoding = chooseEncoding(request.headers['accept-encoding'], (name) => file.variants.has(name)) ?? '';
  const variant = file.variants.get(encoding) as { file: string; size: number };
  const etag = `"${file.etag}${encoding && `-${encoding}`}"`;
  void reply.headers({ etag, vary: 'Accept-Encoding', 'cache-control': file.cacheControl });
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
  void reply.headers({ 'content-type': file.type, 'content-length': variant.size });
  if (encoding !== '') void reply.header('content-encoding', encoding);
  return request.method === 'HEAD' ? reply.send() : reply.send(createReadStream(variant.file));
}

/** Paths that respond to a browser's navigation themselves. */
const NEVER_PAGES = /^\/(storage\/|(healthz|livez|readyz)$|openapi\.json$)/;

/** Whether this is a browser navigation, not an API call of the app. Page paths have no dot in their last segment. */
function isNavigation(request: FastifyRequest, address: string): boolean {
  return (
    (request.method === 'GET' || request.method === 'HEAD') &&
    request.headers['x-requested-with'] === undefined &&
    (request.headers.accept ?? '').includes('text/html') &&
    !NEVER_PAGES.test(address) &&
    !/\.[^/]*$/.test(address)
  );
}

const PAGE_VARY = 'Accept, X-Requested-With, Authorization, Accept-Encoding';
/** Title and description in the head of the shell, whatever whitespace the build put between them. */
const SHELL_TITLE = /<title>[^<]*<\/title>\s*(<meta\s+name="description"[^>]*>)?/;

/** Sends the shell with a page's own title and description. Small and different for each page, so it is not compressed. */
function sendPage(shell: string, head: PageHead, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const page = Buffer.from(shell.replace(SHELL_TITLE, () => head.html));
  const etag = `"${createHash('sha256').update(page).digest('base64url').slice(0, 22)}"`;
  void reply.headers({ etag, vary: PAGE_VARY, 'cache-control': 'no-cache', ...head.headers });
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
  void reply.headers({ 'content-type': TYPES['.html'], 'content-length': page.length });
  return request.method === 'HEAD' ? reply.send() : reply.send(page);
}

/** What a page has of its own. */
export interface PageHead {
  /** Its title and description. */
  html: string;
  headers: Record<string, string>;
}
/** Returns null for a page with the title and description of the shell. */
export type RenderHead = (request: FastifyRequest, address: string) => Promise<PageHead | null>;

/**
 * Serves the built app: its files by path, and its shell for every navigation, even where a page and an API route share a path.
 * @param folder the build; without it, only the API is served
 */
export async function serveApp(app: FastifyInstance, folder: string, renderHead: RenderHead): Promise<void> {
  const files = await readApp(folder);
  const shell = files.get('/index.html');
  const shellText = shell ? await readFile(path.join(folder, 'index.html'), 'utf8') : '';

  app.addHook('onRequest', async (request, reply) => {
    const address = request.url.split('?', 1)[0] ?? '/';
    if (shell === undefined || !isNavigation(request, address)) return;
    // The app must open even when the database is unavailable.
    const head = await renderHead(request, address).catch((error: unknown) => {
      request.log.warn(describeFailure(error), 'a page is sent without its own title and description');
      return null;
    });
    if (head !== null) return sendPage(shellText, head, request, reply);
    sendFile(shell, request, reply);
    return reply.header('vary', PAGE_VARY);
  });

  app.setNotFoundHandler((request, reply) => {
    const address = request.url.split('?', 1)[0] ?? '/';
    const wanted = address === '/' ? '/index.html' : address;
    const file = request.method === 'GET' || request.method === 'HEAD' ? files.get(wanted) : undefined;
    if (file === undefined) throw notFound('page');
    return sendFile(file, request, reply);
  });
}
