import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  toCodeText,
  WATCH_SESSION_HEADER,
  type OpenedLink,
  type ShareLink,
  type WatchedLink,
} from '#contract/records/links.ts';
import { DAY_MS } from './tapes.ts';
import type { Person, TestServer } from './test-server.ts';

const toHash = (text: string) => createHash('sha256').update(text).digest('hex');

/** A link with what only its address says. */
export interface MadeLink extends ShareLink {
  token: string;
}

interface LinkOptions {
  code?: string;
  tapeIds?: string[] | null;
  days?: number;
  name?: string;
  watermark?: string;
}

/** Requests of the owner and of the holders of share links. */
export function linkCalls(testServer: TestServer) {
  /** The body that makes a link, and its token. */
  function toLink(
    roleId: string,
    { code, tapeIds = null, days = 7, name = 'Anand Rege', watermark = name }: LinkOptions = {},
  ) {
    const token = randomBytes(16).toString('hex');
    const body = {
      role_id: roleId,
      client_id: randomUUID(),
      name,
      tape_ids: tapeIds,
      expires_at: new Date(testServer.clock.now().getTime() + days * DAY_MS).toISOString(),
      token_hash: toHash(token),
      code_hash: code === undefined ? null : toHash(toCodeText(token, code)),
      watermark,
    };
    return { token, body };
  }

  async function makeLink(owner: Person, roleId: string, options: LinkOptions = {}): Promise<MadeLink> {
    const { token, body } = toLink(roleId, options);
    const answer = await testServer.call<{ data: ShareLink }>('POST /casting/links', { token: owner.token, body });
    if (answer.status !== 201) throw new Error(`The link was not made: ${answer.status} ${answer.text}`);
    return { ...answer.body.data, token };
  }

  const open = ({ client_id, token }: Pick<MadeLink, 'client_id' | 'token'>, code?: string) =>
    testServer.call<OpenedLink>(`POST /watch/${client_id}/open`, {
      body: { token, ...(code !== undefined && { code }) },
    });

  const withSession = (session: string) => ({ headers: { [WATCH_SESSION_HEADER]: session } });
  const read = ({ client_id }: Pick<MadeLink, 'client_id'>, session: string) =>
    testServer.call<WatchedLink>(`GET /watch/${client_id}`, withSession(session));
  const check = ({ client_id }: Pick<MadeLink, 'client_id'>, session: string) =>
    testServer.call(`GET /watch/${client_id}/session`, withSession(session));
  const tellViewed = ({ client_id }: Pick<MadeLink, 'client_id'>, session: string, takeId: string, seconds: number) =>
    testServer.call(`POST /watch/${client_id}/viewed`, { ...withSession(session), body: { take_id: takeId, seconds } });

  const fetchBytes = (url: string, range?: string) =>
    testServer.call(`GET ${url}`, { headers: { accept: '*/*', ...(range && { range }) } });

  const revoke = (owner: Person, id: string) =>
    testServer.call<{ data: ShareLink }>(`DELETE /casting/links/${id}`, { token: owner.token });
  const change = (owner: Person, id: string, body: object) =>
    testServer.call<{ data: ShareLink; message: string; errors?: Record<string, string[]> }>(
      `PUT /casting/links/${id}`,
      {
        token: owner.token,
        body,
      },
    );

  return { toLink, makeLink, open, read, check, tellViewed, fetchBytes, revoke, change };
}
