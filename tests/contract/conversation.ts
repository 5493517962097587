import type { MediaType } from '#contract/media-types.ts';
import { createPrng } from '../sync/simulation/prng.ts';
import { pickedFile } from '../sync/simulation/person/picked-file.ts';
import { FakeServer } from '../sync/simulation/server/fake-server.ts';
import type { ServerAnswer, ServerRequest } from '../sync/simulation/server/wire.ts';
import type { Recorded } from '../sync/simulation/simulation.ts';

type Body = Record<string, unknown>;

interface Question {
  body?: Body;
  headers?: Record<string, string>;
}

/** Asks the fake by hand what lives seldom come to, and keeps question and answer. The one who asks is u1. */
export class Conversation {
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

  /** @param status what the contract wants @param line method and path @returns the fake's answer */
  ask(what: string, status: number, line: string, { body, headers = {} }: Question = {}): ServerAnswer {
    const sent: ServerRequest['body'] = body ? { kind: 'json', text: JSON.stringify(body) } : { kind: 'none' };
    const answer = this.#send(line, headers, sent);
    if (answer.status !== status) throw new Error(`${what} meets ${answer.status}, not ${status}`);
    return answer;
  }

  /** A whole upload. @returns its id */
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

function itemOf({ body }: ServerAnswer): Item {
  const { data, files } = body as { data?: Item; files?: Item[] };
  const item = data ?? files?.[0];
  if (item === undefined) throw new Error('No record came back');
  return item;
}

const onlyAt = ({ version }: Item) => ({ 'if-match': `"${version}"` });
const uuid = (n: number) => `10000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** Everything a portfolio may be asked, and every way it is refused, against the profiles 1 and 2 of u1 and 3 of u2. */
export async function askPortfolio(conversation: Conversation): Promise<void> {
  const reel = await askSubmissions(conversation);
  const edited = askEdits(conversation, reel);
  askSaving(conversation, reel);
  askDeletes(conversation, reel, edited);
  askLinks(conversation);
}

const FORM = { profile_id: '1', name: 'A reel' };
const LINK = 'https://youtu.be/dQw4w9WgXcQ?t=3';
const GONE = { media_type: 'video', client_id: uuid(1) };

/** @returns a video */
async function askSubmissions(conversation: Conversation): Promise<Item> {
  const submit = (what: string, status: number, body: Body) =>
    conversation.ask(what, status, 'POST /submit/media-form', { body: { ...FORM, ...body } });
  const film = await conversation.upload('video');
  const sent = { ...GONE, upload_ids: [film] };
  submit('a kind that is none', 422, { ...sent, media_type: 'hologram' });
  submit('a submission without a name', 422, { ...sent, name: ' ' });
  submit('a field that is too long', 422, { ...sent, category_type: 'x'.repeat(101) });
  submit('no file', 422, { media_type: 'video' });
  submit('a file and a link', 422, { ...sent, youtube_url: LINK });
  submit('a link that plays nothing', 422, { media_type: 'video', youtube_url: 'https://vimeo.com/1' });
  submit("somebody else's profile", 403, { ...sent, profile_id: '3' });
  submit('a profile that is none', 404, { ...sent, profile_id: '999999' });
  submit('an upload that is none', 422, { ...sent, upload_ids: [uuid(7)] });
  const reel = itemOf(submit('a submission', 201, { ...sent, category_type: 'Showreel', keywords: 'stage' }));
  submit('the same submission again', 200, sent);
  submit('an upload that is spent', 422, { ...sent, client_id: uuid(2) });
  submit('a link', 201, { media_type: 'video', youtube_url: LINK });
  submit('a photo', 201, { media_type: 'image', upload_ids: [await conversation.upload('image')] });
  submit('a recording', 201, { media_type: 'audio', upload_ids: [await conversation.upload('audio')] });
  submit('a document', 201, { media_type: 'document', upload_ids: [await conversation.upload('document')] });
  return reel;
}

/** @returns the video as it is then */
function askEdits(conversation: Conversation, reel: Item): Item {
  const edit = (what: string, status: number, body: Body, headers?: Record<string, string>) =>
    conversation.ask(what, status, `PUT /media/${reel.id}`, { body, headers });
  edit('an edit', 200, { name: 'Another', keywords: null }, onlyAt(reel));
  edit('an edit of an old version', 412, { name: 'Late' }, onlyAt(reel));
  edit('an edit that takes the name away', 422, { name: '' });
  edit('an edit that is too long', 422, { keywords: 'x'.repeat(501) });
  edit('an edit for another profile of mine', 422, { profile_id: '2', name: 'There' });
  edit("an edit for somebody else's profile", 403, { profile_id: '3', name: 'There' });
  edit('a place before the first', 422, { position: -1 });
  edit('a place', 200, { position: 3 });
  edit('hiding', 200, { is_hidden: true });
  const key = { 'idempotency-key': uuid(8) };
  edit('making it the first', 200, { is_primary: true }, key);
  edit('the same again', 200, { is_primary: true }, key);
  edit('another change under its key', 422, { is_primary: false }, key);
  const [newest] = conversation.ask('videos in their order', 200, 'GET /media/video?profile_id=1').body as [Item];
  conversation.ask('another first', 200, `PUT /media/${newest.id}`, { body: { is_primary: true } });
  return itemOf(edit('an edit after it', 200, { name: 'At last' }));
}

function askSaving(conversation: Conversation, { id }: Item): void {
  conversation.ask('saving', 200, `POST /media/${id}/save`);
  conversation.ask('saving again', 200, `POST /media/${id}/save`);
  conversation.ask('videos with a saved one', 200, 'GET /media/video?profile_id=1');
  conversation.ask('letting go', 200, `POST /media/${id}/unsave`);
  conversation.ask('letting go again', 200, `POST /media/${id}/unsave`);
  conversation.ask('saving once more', 200, `POST /media/${id}/save`);
  conversation.ask('saving what is none', 404, 'POST /media/999999/save');
}

function askDeletes(conversation: Conversation, { id, version }: Item, edited: Item): void {
  const ask = (what: string, status: number, line: string, question?: Question) =>
    conversation.ask(what, status, line, question);
  const key = { 'idempotency-key': uuid(9) };
  ask('a delete of an old version', 412, `DELETE /media/${id}`, { headers: onlyAt({ id, version }) });
  ask('a delete', 200, `DELETE /media/${id}`, { headers: { ...key, ...onlyAt(edited) } });
  ask('the same delete again', 200, `DELETE /media/${id}`, { headers: { ...key, ...onlyAt(edited) } });
  ask('a delete of what is gone', 404, `DELETE /media/${id}`);
  ask('an edit of what is gone', 404, `PUT /media/${id}`, { body: { name: 'Too late' } });
  ask('saving what is gone', 404, `POST /media/${id}/save`);
  ask('letting go of what is gone', 404, `POST /media/${id}/unsave`);
  ask('a submission whose medium is gone', 422, 'POST /submit/media-form', {
    body: { ...FORM, ...GONE, upload_ids: [uuid(7)] },
  });
  ask('videos without it', 200, 'GET /media/video?profile_id=1');
  ask('photos', 200, 'GET /media?profile_id=1');
}

/** A list that holds one record, filled in by those who know of it and those who do not. */
function askLinks(conversation: Conversation): void {
  const first = { 'if-none-match': '*' };
  const fill = (what: string, status: number, body: Body, headers?: Record<string, string>) =>
    conversation.ask(what, status, 'POST /social-links', { body: { profile_id: '1', ...body }, headers });
  const [mine, theirs] = ['https://example.org/mine', 'https://example.org/theirs'];
  fill('links', 201, { website_url: theirs }, first);
  fill('links that would replace one', 412, { website_url: mine, youtube_url: mine }, first);
  fill('links beside them', 200, { website_url: theirs, youtube_url: mine, threads_url: null }, first);
  fill('links of one who does not ask', 200, { website_url: mine });
  conversation.ask('the links', 200, 'GET /social-links/1');
}

/** What may be asked of a request and of a connection, and how it is refused, by u1 of somebody else. */
export function askPeople(conversation: Conversation): void {
  const { ask } = conversation;
  const tie = (what: string, status: number, line: string) => ask.call(conversation, what, status, line);
  const asking = () => itemOf(tie('a request', 201, 'POST /connections/request/u1n1')).id;
  const id = asking();
  tie('the same again', 200, 'POST /connections/request/u1n1');
  tie('accepting one’s own request', 403, `POST /connections/accept/${id}`);
  tie('declining one’s own request', 403, `POST /connections/decline/${id}`);
  tie('taking it back', 200, `DELETE /connections/${id}`);
  tie('taking it back again', 404, `DELETE /connections/${id}`);
  tie('declining what is none', 404, `POST /connections/decline/${id}`);
  tie('accepting what is none', 404, `POST /connections/accept/${id}`);
  asking();
}
