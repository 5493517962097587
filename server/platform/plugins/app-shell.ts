import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { chooseEncoding, type Encoding, ENCODINGS } from '#server/platform/http/encodings.ts';
import { notFound } from '#server/platform/http/errors.ts';

interface AppFile {
  type: string;
  etag: string;
  cacheControl: string;
  /** By content encoding; '' is the file as it is. */
  forms: Map<string, { file: string; size: number }>;
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};
const SUFFIXES: Record<Encoding, string> = { br: '.br', gzip: '.gz' };
/** The build puts a digest into these names; most chunks have no other. */
const HASHED = /^\/assets\/(.*-)?[\w-]{8,}\.\w+$/;

/** Every file of the built app by its address. Read once: what is not here does not exist. */
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
    const forms = new Map([['', { file, size: found.size }]]);
    for (const encoding of ENCODINGS) {
      const suffix = SUFFIXES[encoding];
      if (known.has(name + suffix))
        forms.set(encoding, { file: file + suffix, size: (await stat(file + suffix)).size });
    }
    files.set(address, {
      type,
      etag: createHash('sha256')
        .update(await readFile(file))
        .digest('base64url')
        .slice(0, 22),
      cacheControl: HASHED.test(address) ? 'public, max-age=31536000, immutable' : 'no-cache',
      forms,
    });
  }
  return files;
}

function sendFile(file: AppFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const encoding = chooseEncoding(request.headers['accept-encoding'], (name) => file.forms.has(name)) ?? '';
  const form = file.forms.get(encoding) as { file: string; size: number };
  const etag = `"${file.etag}${encoding && `-${encoding}`}"`;
  void reply.headers({ etag, vary: 'Accept-Encoding', 'cache-control': file.cacheControl });
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
  void reply.headers({ 'content-type': file.type, 'content-length': form.size });
  if (encoding !== '') void reply.header('content-encoding', encoding);
  return request.method === 'HEAD' ? reply.send() : reply.send(createReadStream(form.file));
}

/** Addresses with their own answer to a browser that visits them. */
const NEVER_PAGES = /^\/(storage\/|healthz$|openapi\.json$)/;

/** A browser that goes somewhere, rather than the app that calls. Page addresses have no dot in their last part. */
function isPageVisit(request: FastifyRequest, address: string): boolean {
  return (
    (request.method === 'GET' || request.method === 'HEAD') &&
    request.headers['x-requested-with'] === undefined &&
    (request.headers.accept ?? '').includes('text/html') &&
    !NEVER_PAGES.test(address) &&
    !/\.[^/]*$/.test(address)
  );
}

const PAGE_VARY = 'Accept, X-Requested-With, Authorization, Accept-Encoding';
/** What the shell says of itself: stands once, in the head, in whatever layout the build gave it. */
const SHELL_WORDS = /<title>[^<]*<\/title>\s*(<meta\s+name="description"[^>]*>)?/;

/** The shell with words of its own in the head. Small, and different for each page, so it goes out as it is. */
function sendPage(shell: string, head: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const page = Buffer.from(shell.replace(SHELL_WORDS, () => head));
  const etag = `"${createHash('sha256').update(page).digest('base64url').slice(0, 22)}"`;
  void reply.headers({ etag, vary: PAGE_VARY, 'cache-control': 'no-cache' });
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
  void reply.headers({ 'content-type': TYPES['.html'], 'content-length': page.length });
  return request.method === 'HEAD' ? reply.send() : reply.send(page);
}

/** What a page says of itself in place of the shell's title and description; null: the shell as it is. */
export type HeadOf = (request: FastifyRequest, address: string) => Promise<string | null>;

/**
 * Serves the built app: its files by name, and its shell to every page visit, also where page and call share a path.
 * @param folder the build; where it is missing only the API answers
 */
export async function serveApp(app: FastifyInstance, folder: string, headOf: HeadOf): Promise<void> {
  const files = await readApp(folder);
  const shell = files.get('/index.html');
  const shellText = shell ? await readFile(path.join(folder, 'index.html'), 'utf8') : '';

  app.addHook('onRequest', async (request, reply) => {
    const address = request.url.split('?', 1)[0] ?? '/';
    if (shell === undefined || !isPageVisit(request, address)) return;
    // The app opens whatever the database does.
    const head = await headOf(request, address).catch((error: unknown) => {
      request.log.warn({ err: error }, 'a page goes out without words of its own');
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
