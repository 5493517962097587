import { build } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { projectRoot } from '#server/platform/paths.ts';
import { listen } from '../e2e/support/listen.ts';
import { makeEmptyProfile, PERSON, profileBody } from './records.ts';
import { getHostName, type Fixture } from './fixture.ts';
import { FIXTURES } from './fixtures/index.ts';

const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** Responses that every fixture's server has. */
const DEFAULT_RESPONSES: Fixture['answers'] = {
  'GET /user': PERSON,
  'GET /sync': { records: [], cursor: 'all', has_more: false },
  'GET /config': {
    pusher: null,
    limits: { max_upload_mb: 10, max_storage_mb: 2000, media: {} },
    features: { idempotency_keys: true, versions: true, client_ids: true, uploads: true, sync: true },
  },
  'GET /profiles/all': [profileBody()],
  'GET /settings': { read_receipts: true },
  'GET /blocks': [],
  'GET /sessions': [],
  'GET /connections/suggested': [],
  'GET /filters/industry': [{ id: '1', name: 'Theatre', icon_img: '/icons/icon.svg', count: 12 }],
};

export interface States {
  url: string;
  /** URL at which a fixture starts. @param options theme: 'callboard' or 'blackout'; letters: font size in percent */
  getUrl(fixture: Fixture, options?: { theme?: string; letters?: number }): string;
  close(): Promise<void>;
}

const bundle = async (file: string): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [path.join(projectRoot, 'tests/states', file)],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
  });
  return outputFiles[0]!.text;
};

const isNoFile = (error: unknown) => ['ENOENT', 'EISDIR'].includes((error as { code?: string }).code ?? '');

async function readProjectFile(folder: string, name: string): Promise<Buffer | null> {
  const file = path.join(projectRoot, folder, path.normalize(`/${name}`));
  return readFile(file).catch((error: unknown) => {
    if (isNoFile(error)) return null;
    throw error;
  });
}

const send = (answer: ServerResponse, status: number, type: string, body: string | Buffer) =>
  answer.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
const sendJson = (answer: ServerResponse, status: number, body: unknown) =>
  send(answer, status, 'application/json', JSON.stringify(body));

/** Serves all fixtures on one port. The app must be built first. */
export async function serveStates(port = 0): Promise<States> {
  const [setup, interact, gallery] = await Promise.all(['setup.ts', 'interact.ts', 'gallery.ts'].map(bundle));
  const page = await readFile(path.join(projectRoot, 'dist/app/index.html'), 'utf8');
  const fixtures = new Map(FIXTURES.map((fixture) => [getHostName(fixture), fixture]));
  if (fixtures.size < FIXTURES.length) throw new Error('Two fixtures have the same name');

  const respondToCall = (fixture: Fixture, request: IncomingMessage, answer: ServerResponse) => {
    if (fixture.server === 'gone') return answer.destroy();
    if (fixture.server === 'silent') return undefined;
    const call = `${request.method} ${new URL(request.url!, 'http://fixture').pathname}`;
    const first = fixture.isNewDevice && { 'GET /profiles/all': [makeEmptyProfile()] };
    const own: Record<string, unknown> = { ...DEFAULT_RESPONSES, ...first, ...fixture.answers };
    return call in own ? sendJson(answer, 200, own[call]) : sendJson(answer, 404, { message: 'Not found' });
  };

  const respond = async (fixture: Fixture, request: IncomingMessage, answer: ServerResponse) => {
    const { pathname } = new URL(request.url!, 'http://fixture');
    const globals = `const FIXTURE = ${JSON.stringify(fixture)}, PERSON = ${JSON.stringify(PERSON)};`;
    if (pathname === '/states/begin') {
      return send(answer, 200, TYPES['.html']!, '<!doctype html><body><script src="/states/begin.js"></script>');
    }
    if (pathname === '/states/begin.js') return send(answer, 200, TYPES['.js']!, globals + setup);
    if (pathname === '/states/act.js') return send(answer, 200, TYPES['.js']!, globals + interact);
    if (request.headers['x-requested-with'] !== undefined) return respondToCall(fixture, request, answer);
    const type = TYPES[path.extname(pathname)];
    if (type === undefined) {
      return send(answer, 200, TYPES['.html']!, page.replace('<head>', '<head><script src="/states/act.js"></script>'));
    }
    // No service worker: each origin's worker would fetch the whole app again.
    const found =
      pathname === '/sw.js'
        ? null
        : pathname.startsWith('/storage/')
          ? await readProjectFile('server/demo', pathname.slice('/storage'.length))
          : await readProjectFile('dist/app', pathname);
    return found ? send(answer, 200, type, found) : sendJson(answer, 404, { message: 'Not found' });
  };

  const server = createServer((request, answer) => {
    const fixture = fixtures.get(request.headers.host?.split('.localhost')[0] ?? '');
    const done = fixture
      ? respond(fixture, request, answer)
      : Promise.resolve(
          request.url === '/gallery.js'
            ? send(
                answer,
                200,
                TYPES['.js']!,
                `const FIXTURES = ${JSON.stringify(toGalleryEntries(FIXTURES))};${gallery}`,
              )
            : send(answer, 200, TYPES['.html']!, GALLERY),
        );
    done.catch((error: unknown) => {
      console.error(error);
      answer.destroy();
    });
  });
  if (port > 0) server.listen(port, '127.0.0.1');
  const own = port > 0 ? port : await listen(server);
  return {
    url: `http://localhost:${own}/`,
    getUrl: (fixture, { theme, letters } = {}) => {
      const options = new URLSearchParams({ ...(theme && { theme }), ...(letters && { letters: String(letters) }) });
      return `http://${getHostName(fixture)}.localhost:${own}/states/begin?${options}`;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const toGalleryEntries = (fixtures: readonly Fixture[]) =>
  fixtures.map((fixture) => ({ group: fixture.group, state: fixture.state, host: getHostName(fixture) }));

const GALLERY = `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width" />
  <title>States</title>
  <style>
    body { font: 15px/1.4 system-ui; margin: 0; background: #8a8f8c; }
    header { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 16px; padding: 12px 20px; background: #fff; }
    section { padding: 0 20px 20px; }
    .fixtures { display: flex; flex-wrap: wrap; gap: 20px; }
    figure { margin: 0; }
    figcaption { padding: 4px 0; }
    figcaption a { color: inherit; }
    .frame { overflow: hidden; background: #fff; }
    iframe { border: 0; transform-origin: 0 0; }
  </style>
  <header></header>
  <main></main>
  <script src="/gallery.js"></script>
</html>`;
