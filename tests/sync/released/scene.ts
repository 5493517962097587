import type { Transport } from '#sync/ports.ts';
import { FakeChat } from '../simulation/server/chat-routes.ts';
import { FakeServer } from '../simulation/server/fake-server.ts';
import { sha256 } from '../simulation/server/fake-store.ts';
import { addConnection, addNotification } from '../simulation/server/people-routes.ts';
import type { ServerRequest } from '../simulation/server/wire.ts';
import { encodeRequest, toWireAnswer } from '../simulation/network.ts';

/** The user whose device is recorded. */
export const USER = 'u1';
/** The conversation with u2. */
export const CHAT = 'c900';
export const DEVICE = 'phone';
/** The time at which the device records its changes, ms since the epoch. */
export const RECORDED_AT = Date.UTC(2026, 10, 20);

const YOUTUBE = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ';

/** Ids of the records that `createScene` creates, in the order in which the server assigns them. */
export const IDS = {
  profile: '1',
  theirProfile: '3',
  savedProfile: '4',
  requestOfU2: '8',
  requestOfU3: '9',
  connectionToU4: '10',
  experience: '11',
  skill: '12',
  otherSkill: '13',
  video: '14',
  otherVideo: '15',
  theirVideo: '16',
  notification: '17',
  castingProject: '19',
  roleToAnswer: '20',
  roleToCast: '21',
  requestToAnswer: '22',
  requestToCast: '23',
  audition: '26',
  tapeToMark: '27',
  candidateToMove: '28',
  candidateToRemove: '29',
  linkToRename: '30',
  linkToRevoke: '31',
  memberToChange: '32',
  invitation: '33',
};

/** What the server knows besides profiles and chat. Earlier builds knew less. */
export interface SceneParts {
  /** Projects and requests. */
  hasCasting: boolean;
  /** Tapes, links, shortlists, colleagues, and days in the calendar. */
  hasTapes: boolean;
}

/** What was asked, by anybody. The clock of the server stands at the beginning of the simulated time. */
const TERMS = { instructions: 'Scene 14', deadline_at: '2026-03-08T12:00:00.000Z' };
const FILM = { type: 'film', time_zone: 'Asia/Kolkata', rule_pack: 'plain-courtesy' };

const LINK = {
  expires_at: '2026-03-08T12:00:00.000Z',
  token_hash: 'ab'.repeat(32),
  watermark: 'Anand Rege',
};
const TAKE = { name: 'Take 1', label: null, duration: 30, width: 1920, height: 1080, size: 4000 };

/** Creates a server with the records that the recorded changes refer to. It is the same in every run. */
export function createScene({ hasCasting, hasTapes }: SceneParts): { server: FakeServer; token: string } {
  const server = new FakeServer(() => 0, { isBasic: false });
  const { store } = server;
  server.addUser(USER, 2);
  for (const other of ['u2', 'u3', 'u4', 'u5', 'u6']) server.addUser(other, 1);
  for (const from of ['u2', 'u3']) addConnection(store, USER, { from, to: USER, message: null }, 'web');
  const connected = addConnection(store, USER, { from: USER, to: 'u4', message: null }, 'web');
  store.change(connected, { status: 'accepted' }, 'web');
  const token = server.signIn(USER);
  const theirToken = server.signIn('u2');
  const chat = new FakeChat(CHAT, [USER, 'u2']);
  store.chats.set(CHAT, chat);
  for (const user of [USER, 'u2']) store.recordChange(user, 'conversation', CHAT, null);
  const ask = (of: string, path: string, value: object, method = 'POST') => {
    const headers = { accept: 'application/json' };
    const json = { kind: 'json' as const, text: JSON.stringify(value) };
    const { status, body } = server.handle({ method, path, headers, token: of, body: json }, 'web');
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  };
  const profile_id = IDS.profile;
  ask(token, '/profile/experience', {
    profile_id,
    experience_type: 'Theatre',
    experience_title: 'Chowk No. 7',
    details: 'Sulbha',
    start_month: 2,
    start_year: 2024,
    end_month: 5,
    end_year: 2024,
  });
  ask(token, '/skills', { profile_id, name: 'Kathak', level: 3 });
  ask(token, '/skills', { profile_id, name: 'Juggling', level: 1 });
  for (const name of ['Showreel', 'Interview'])
    ask(token, '/submit/media-form', { profile_id, media_type: 'video', youtube_url: YOUTUBE, name });
  const theirs = { profile_id: IDS.theirProfile, media_type: 'video', youtube_url: YOUTUBE, name: 'Reel' };
  ask(theirToken, '/submit/media-form', theirs);
  ask(token, `/profile/${IDS.savedProfile}/save`, {});
  addNotification(store, USER);
  ask(theirToken, '/chat/send', { conversation_id: CHAT, receiver_id: USER, message: 'Are you free on Friday?' });
  if (!hasCasting) return { server, token };
  ask(token, '/casting/projects', { ...FILM, title: 'The Salt Road' });
  for (const name of ['Naseem', 'Rukhsana']) ask(token, '/casting/roles', { project_id: IDS.castingProject, name });
  for (const role_id of [IDS.roleToAnswer, IDS.roleToCast])
    ask(token, '/casting/requests', { ...TERMS, role_id, profile_id: IDS.theirProfile });
  ask(theirToken, '/casting/projects', { ...FILM, title: 'The Ferry' });
  ask(theirToken, '/casting/roles', { project_id: '24', name: 'The ferryman' });
  ask(theirToken, '/casting/requests', { ...TERMS, role_id: '25', profile_id: IDS.profile });
  if (!hasTapes) return { server, token };
  const role_id = IDS.roleToAnswer;
  const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
  ask(theirToken, '/auditions/tapes', {
    request_id: IDS.requestToAnswer,
    takes: [{ ...TAKE, upload_id: uuid(1) }],
    finished_device: '2026-03-01T00:00:00.000Z',
  });
  for (const [n, profile_id] of [IDS.theirProfile, IDS.savedProfile].entries())
    ask(token, '/casting/candidates', { role_id, profile_id, column: 'ideas', position: 'UV'[n] });
  for (const n of [2, 3]) ask(token, '/casting/links', { ...LINK, role_id, client_id: uuid(n), name: `Link ${n}` });
  ask(token, '/casting/members', { project_id: IDS.castingProject, user_id: 'u4', role: 'viewer' });
  ask(theirToken, '/casting/members', { project_id: '24', user_id: USER, role: 'editor' });
  const day = { date: '2026-03-05', state: 'free', note: null, expires_at: null };
  ask(token, '/availability', { days: [day] }, 'PUT');
  return { server, token };
}

/** A network between the device and the server that a recording can break. */
export interface Connection {
  transport: Transport;
  /** The writes that the server has handled, in order. */
  writes: ServerRequest[];
  /** lost: the server handles requests and no response arrives. silent: no request gets an answer. */
  mode: 'working' | 'lost' | 'silent';
}

export function connect({ server, token }: ReturnType<typeof createScene>): Connection {
  const connection: Connection = {
    mode: 'working',
    writes: [],
    transport: {
      send: (given) => {
        const request = encodeRequest(given, token);
        const answer = server.handle(request, DEVICE);
        if (request.method !== 'GET') connection.writes.push(request);
        if (connection.mode === 'silent') return new Promise(() => undefined);
        if (connection.mode === 'lost') return Promise.resolve({ status: 0, reason: 'network' });
        return Promise.resolve(toWireAnswer(answer));
      },
    },
  };
  return connection;
}

/**
 * The server's records as sorted lines, without the ids that depend on the order in which changes arrive.
 * @param hasTapes whether to describe what people did, and the calendar
 */
export function describeRecords({ store }: FakeServer, { hasTapes }: Pick<SceneParts, 'hasTapes'>): string[] {
  const rows = [...store.rows.values()].map(({ type, body, version, clientId }) => {
    const own = Object.entries(body).filter(([field]) => !/_at$|photo$|path$/.test(field));
    return `${type} ${clientId ?? ''} v${version} ${JSON.stringify(Object.fromEntries(own.sort()))}`;
  });
  const messages = [...store.chats.values()].flatMap((chat) =>
    chat.messages.map(
      ({ seq, client_id, message, media, reply_to }) =>
        `message ${seq} ${JSON.stringify({ client_id, message, media, reply_to })}`,
    ),
  );
  const toggles = [...store.chats.values()].flatMap(({ members }) =>
    [...members].map(([person, state]) => `conversation ${person} ${JSON.stringify(state)}`),
  );
  const files = store.files.map(({ sha256, as }) => `file ${as} ${sha256}`);
  const attached = hasTapes ? store.attached.map(({ bytes }) => `attached ${sha256(bytes)}`) : [];
  const acts = hasTapes ? store.acts.map(({ act, type, userId }) => `act ${act} ${type} ${userId}`) : [];
  const days = hasTapes ? [...store.daysOf(USER).values()].map((day) => `day ${JSON.stringify(day)}`) : [];
  return [...rows, ...messages, ...toggles, ...files, ...attached, ...acts, ...days].sort();
}
