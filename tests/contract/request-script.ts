import type { MediaType } from '#contract/media-types.ts';
import { createPrng } from '../sync/simulation/prng.ts';
import { pickedFile } from '../sync/simulation/person/picked-file.ts';
import { FakeServer } from '../sync/simulation/server/fake-server.ts';
import type { ServerAnswer, ServerRequest } from '../sync/simulation/server/wire.ts';
import type { Recorded } from '../sync/simulation/simulation.ts';

type Body = Record<string, unknown>;

interface RequestParts {
  body?: Body;
  headers?: Record<string, string>;
}

/** Sends the fake server requests that simulation runs rarely make, as u1, and records each exchange. */
export class RequestScript {
  readonly exchanges: Recorded[] = [];
  readonly #fake = new FakeServer(() => 0, { isBasic: false });
  readonly #token: string;
  #files = 0;

  constructor() {
    this.#fake.addUser('u1', 2);
    this.#fake.addUser('u2', 1);
    this.#fake.addUser('u1n1', 0);
    this.#token = this.#fake.signIn('u1');
  }

  /** Sends a request and checks its status. @param line method and path @returns the response of the fake server */
  check(what: string, status: number, line: string, { body, headers = {} }: RequestParts = {}): ServerAnswer {
    const sent: ServerRequest['body'] = body ? { kind: 'json', text: JSON.stringify(body) } : { kind: 'none' };
    const answer = this.#send(line, headers, sent);
    if (answer.status !== status) throw new Error(`${what} was answered ${answer.status} instead of ${status}`);
    return answer;
  }

  /** Uploads a whole file. @returns its id */
  async upload(kind: MediaType): Promise<string> {
    this.#files += 1;
    const { file } = pickedFile(createPrng(this.#files), this.#files, kind);
    const id = `00000000-0000-4000-8000-${String(this.#files).padStart(12, '0')}`;
    const tus = { 'tus-resumable': '1.0.0' };
    const announced = { 'upload-length': String(file.size), 'upload-metadata': `id ${btoa(id)}` };
    this.#send('POST /uploads', { ...tus, ...announced }, { kind: 'none' });
    const bytes = Buffer.from(await file.slice(0, file.size).arrayBuffer());
    this.#send(`PATCH /uploads/${id}`, { ...tus, 'upload-offset': '0' }, { kind: 'bytes', bytes });
    return id;
  }

  #send(line: string, headers: Record<string, string>, body: ServerRequest['body']): ServerAnswer {
    const [method = '', path = ''] = line.split(' ');
    const request: ServerRequest = { method, path, headers, token: this.#token, body };
    const answer = this.#fake.handle(request, 'device0');
    this.exchanges.push({ userId: 'u1', request, answer });
    return answer;
  }
}

interface Item {
  id: string;
  version: number;
}

function getItem({ body }: ServerAnswer): Item {
  const { data, files } = body as { data?: Item; files?: Item[] };
  const item = data ?? files?.[0];
  if (item === undefined) throw new Error('The response contains no record');
  return item;
}

const ifVersion = ({ version }: Item) => ({ 'if-match': `"${version}"` });
const uuid = (n: number) => `10000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** Sends every portfolio request, valid and invalid, as u1 with profiles 1 and 2. Profile 3 belongs to u2. */
export async function sendPortfolioRequests(script: RequestScript): Promise<void> {
  const reel = await sendSubmissions(script);
  const edited = sendEdits(script, reel);
  sendSaving(script, reel);
  sendDeletes(script, reel, edited);
  sendLinks(script);
}

const FORM = { profile_id: '1', name: 'A reel' };
const LINK = 'https://youtu.be/dQw4w9WgXcQ?t=3';
const DELETED_LATER = { media_type: 'video', client_id: uuid(1) };

/** Returns a video. */
async function sendSubmissions(script: RequestScript): Promise<Item> {
  const submit = (what: string, status: number, body: Body) =>
    script.check(what, status, 'POST /submit/media-form', { body: { ...FORM, ...body } });
  const film = await script.upload('video');
  const sent = { ...DELETED_LATER, upload_ids: [film] };
  submit('an unknown kind', 422, { ...sent, media_type: 'hologram' });
  submit('a submission without a name', 422, { ...sent, name: ' ' });
  submit('a field that is too long', 422, { ...sent, category_type: 'x'.repeat(101) });
  submit('no file', 422, { media_type: 'video' });
  submit('a file and a link', 422, { ...sent, youtube_url: LINK });
  submit('a link that plays nothing', 422, { media_type: 'video', youtube_url: 'https://vimeo.com/1' });
  submit("somebody else's profile", 403, { ...sent, profile_id: '3' });
  submit('a profile that is none', 404, { ...sent, profile_id: '999999' });
  submit('an upload that is none', 422, { ...sent, upload_ids: [uuid(7)] });
  const reel = getItem(submit('a submission', 201, { ...sent, category_type: 'Showreel', keywords: 'stage' }));
  submit('the same submission again', 200, sent);
  submit('an upload that is spent', 422, { ...sent, client_id: uuid(2) });
  submit('a link', 201, { media_type: 'video', youtube_url: LINK });
  submit('a photo', 201, { media_type: 'image', upload_ids: [await script.upload('image')] });
  submit('a recording', 201, { media_type: 'audio', upload_ids: [await script.upload('audio')] });
  submit('a document', 201, { media_type: 'document', upload_ids: [await script.upload('document')] });
  return reel;
}

/** @returns the video as it is then */
function sendEdits(script: RequestScript, reel: Item): Item {
  const edit = (what: string, status: number, body: Body, headers?: Record<string, string>) =>
    script.check(what, status, `PUT /media/${reel.id}`, { body, headers });
  edit('an edit', 200, { name: 'Another', keywords: null }, ifVersion(reel));
  edit('an edit of an old version', 412, { name: 'Late' }, ifVersion(reel));
  edit('an edit that clears the name', 422, { name: '' });
  edit('an edit that is too long', 422, { keywords: 'x'.repeat(501) });
  edit('an edit for another profile of mine', 422, { profile_id: '2', name: 'There' });
  edit("an edit for somebody else's profile", 403, { profile_id: '3', name: 'There' });
  edit('a negative position', 422, { position: -1 });
  edit('a position', 200, { position: 3 });
  edit('hiding', 200, { is_hidden: true });
  const key = { 'idempotency-key': uuid(8) };
  edit('making it the first', 200, { is_primary: true }, key);
  edit('the same again', 200, { is_primary: true }, key);
  edit('another change under its key', 422, { is_primary: false }, key);
  const [newest] = script.check('videos in their order', 200, 'GET /media/video?profile_id=1').body as [Item];
  script.check('another first', 200, `PUT /media/${newest.id}`, { body: { is_primary: true } });
  return getItem(edit('an edit after it', 200, { name: 'At last' }));
}

function sendSaving(script: RequestScript, { id }: Item): void {
  script.check('saving', 200, `POST /media/${id}/save`);
  script.check('saving again', 200, `POST /media/${id}/save`);
  script.check('videos with a saved one', 200, 'GET /media/video?profile_id=1');
  script.check('unsaving', 200, `POST /media/${id}/unsave`);
  script.check('unsaving again', 200, `POST /media/${id}/unsave`);
  script.check('saving once more', 200, `POST /media/${id}/save`);
  script.check('saving an unknown item', 404, 'POST /media/999999/save');
}

function sendDeletes(script: RequestScript, { id, version }: Item, edited: Item): void {
  const check = (what: string, status: number, line: string, parts?: RequestParts) =>
    script.check(what, status, line, parts);
  const key = { 'idempotency-key': uuid(9) };
  check('a delete of an old version', 412, `DELETE /media/${id}`, { headers: ifVersion({ id, version }) });
  check('a delete', 200, `DELETE /media/${id}`, { headers: { ...key, ...ifVersion(edited) } });
  check('the same delete again', 200, `DELETE /media/${id}`, { headers: { ...key, ...ifVersion(edited) } });
  check('a delete of a deleted item', 404, `DELETE /media/${id}`);
  check('an edit of a deleted item', 404, `PUT /media/${id}`, { body: { name: 'Too late' } });
  check('saving a deleted item', 404, `POST /media/${id}/save`);
  check('unsaving a deleted item', 404, `POST /media/${id}/unsave`);
  check('a repeated submission of a deleted item', 422, 'POST /submit/media-form', {
    body: { ...FORM, ...DELETED_LATER, upload_ids: [uuid(7)] },
  });
  check('videos without it', 200, 'GET /media/video?profile_id=1');
  check('photos', 200, 'GET /media?profile_id=1');
}

/** A list of at most one record, created conditionally and unconditionally. */
function sendLinks(script: RequestScript): void {
  const first = { 'if-none-match': '*' };
  const fill = (what: string, status: number, body: Body, headers?: Record<string, string>) =>
    script.check(what, status, 'POST /social-links', { body: { profile_id: '1', ...body }, headers });
  const [mine, theirs] = ['https://example.org/mine', 'https://example.org/theirs'];
  fill('links', 201, { website_url: theirs }, first);
  fill('links that would replace one', 412, { website_url: mine, youtube_url: mine }, first);
  fill(
    'links that add to the existing ones',
    200,
    { website_url: theirs, youtube_url: mine, threads_url: null },
    first,
  );
  fill('an unconditional create', 200, { website_url: mine });
  script.check('the links', 200, 'GET /social-links/1');
}

/** Sends connection requests of u1 to another person, valid and invalid. */
export function sendPeopleRequests(script: RequestScript): void {
  const { check } = script;
  const send = (what: string, status: number, line: string) => check.call(script, what, status, line);
  const request = () => getItem(send('a request', 201, 'POST /connections/request/u1n1')).id;
  const id = request();
  send('the same again', 200, 'POST /connections/request/u1n1');
  send('accepting one’s own request', 403, `POST /connections/accept/${id}`);
  send('declining one’s own request', 403, `POST /connections/decline/${id}`);
  send('a withdrawal', 200, `DELETE /connections/${id}`);
  send('the same withdrawal again', 404, `DELETE /connections/${id}`);
  send('declining an unknown request', 404, `POST /connections/decline/${id}`);
  send('accepting an unknown request', 404, `POST /connections/accept/${id}`);
  request();
}
