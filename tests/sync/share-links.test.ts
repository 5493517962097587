import { describe, expect, it } from 'vitest';
import { dropToken, keepToken, listLinks } from '#db/casting-links.ts';
import type { FieldValues } from '#db/rows.ts';
import { isWorking, linkStateText } from '#features/casting/links/link-text.ts';
import { NO_TAPES, readLinkChanges, readNewLink } from '#features/casting/links/link-values.ts';
import { act } from '#sync/queue/acts.ts';
import { create, update } from '#sync/queue/outbox.ts';
import { bodyOf, useSendingDevice } from './sending-device.ts';

const device = useSendingDevice();
const { drain, rows } = device;
const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const VALUES = { name: 'Anand Rege', tape_ids: '', expires_at: '7', code: '', watermark: 'Anand Rege' };

const put = (type: string, parent: string | null, body: FieldValues & { id: string; version: number }) =>
  device.db.records.put({ type, id: body.id, parent, body, version: body.version });

/** Makes a link as its form does. */
async function make(values: Partial<typeof VALUES> = {}) {
  await put('role', '1', { id: '2', version: 1, project_id: '1', name: 'Naseem' });
  const read = await readNewLink({ ...VALUES, ...values }, NOW);
  if ('errors' in read) throw new Error(JSON.stringify(read.errors));
  const { token, hash, fields } = read.fields;
  await keepToken(device.db, hash, token);
  const { id } = await create(device.ports, 'link', '2', fields);
  return { id, token, hash, fields };
}
const revoke = (id: string) => act(device.ports, { type: 'link', id, act: 'revoke', title: 'Anand Rege' });
const readLink = async () => (await listLinks(device.db, '2'))[0]!;
const lines = () => device.sent.map(({ method, path }) => `${method} ${path}`);

/** What the server makes of a link. */
const toRecord = (fields: object, more: object = {}) => ({
  ...fields,
  id: '5',
  role_id: '2',
  version: 1,
  has_code: false,
  opened: 0,
  openings: [],
  closed_until: null,
  revoked_at: null,
  revoked_by: null,
  ...more,
});

describe('a link for some tapes', () => {
  it('never becomes one for all tapes because the last was unticked', async () => {
    const values = { ...VALUES, tape_ids: NO_TAPES };
    const missing = { errors: { tape_ids: ['Choose at least one tape'] } };
    expect([await readNewLink(values, NOW), readLinkChanges(values, NOW)]).toEqual([missing, missing]);
  });
});

describe('a link that was made without signal', () => {
  it('has its address at once, and says that it does not work yet', async () => {
    const { id, token } = await make();
    const link = await readLink();
    expect(link).toMatchObject({ name: id.slice(2), token, hasCode: false, serverId: null });
    expect(isWorking(link, NOW)).toBe(false);
    expect(linkStateText(link, NOW)).toMatch(/^Works once it has been sent, until /);
  });

  it('is sent under the name of its address, without its token or its code', async () => {
    const { id, token, hash } = await make({ code: 'ghost light' });
    device.answer = (request) => ({
      status: 201,
      body: { data: toRecord(bodyOf(request), { client_id: id.slice(2), has_code: true }) },
    });
    await drain();
    expect(lines()).toEqual(['POST /casting/links']);
    const [sent] = device.sent;
    expect(bodyOf(sent!)).toMatchObject({ role_id: '2', client_id: id.slice(2), token_hash: hash, tape_ids: null });
    expect(JSON.stringify(sent)).not.toMatch(new RegExp(`${token}|ghost light`));
    expect(await readLink()).toMatchObject({ serverId: '5', name: id.slice(2), token, hasCode: true });
  });

  it('is never sent if it is revoked before', async () => {
    const { id } = await make();
    expect(await revoke(id)).toEqual({ op: null });
    expect(await rows()).toEqual([]);
    expect(await listLinks(device.db, '2')).toEqual([]);
  });

  it('is sent and then revoked if it may have arrived', async () => {
    const { id, fields } = await make();
    await device.db.outbox.toCollection().modify({ sentOnce: true });
    expect((await revoke(id)).op).not.toBeNull();
    device.answer = ({ method }) => {
      const revoked_at = method === 'DELETE' ? '2026-11-20T11:00:00.000Z' : null;
      return { status: 200, body: { data: toRecord(fields, { client_id: id.slice(2), revoked_at }) } };
    };
    await drain();
    expect(lines()).toEqual(['POST /casting/links', 'DELETE /casting/links/5']);
    expect((await readLink()).body.revoked_at).toBe('2026-11-20T11:00:00.000Z');
  });
});

describe('a link that works', () => {
  const putLink = (more: object = {}) => {
    const fields = { name: 'Anand Rege', token_hash: 'a'.repeat(64), tape_ids: null, watermark: 'Anand Rege' };
    const expires_at = new Date(NOW + DAY_MS).toISOString();
    return put('link', '2', toRecord({ ...fields, expires_at }, { client_id: 'the-name', ...more }));
  };

  it('says until it is sent that revoking it has not taken effect', async () => {
    await putLink();
    await revoke('5');
    const link = await readLink();
    expect(linkStateText(link, NOW)).toBe('To be revoked. It works until this has been sent');
    device.answer = () => ({
      status: 200,
      body: { data: { ...link.body, revoked_at: new Date(NOW).toISOString(), revoked_by: 'owner' } },
    });
    await drain();
    expect(lines()).toEqual(['DELETE /casting/links/5']);
    expect(linkStateText(await readLink(), NOW)).toMatch(/^Revoked today/);
  });

  it('keeps what was not changed', async () => {
    await putLink();
    const read = readLinkChanges({ ...VALUES, name: 'Farah Khan', expires_at: '' }, NOW);
    if ('errors' in read) throw new Error('refused');
    expect(read.fields).toEqual({ name: 'Farah Khan', tape_ids: null });
    await update(device.ports, 'link', '5', read.fields);
    const link = await readLink();
    expect(link.body).toMatchObject({ name: 'Farah Khan', expires_at: new Date(NOW + DAY_MS).toISOString() });
  });

  it('shows its address once, and on the device that made it alone', async () => {
    await putLink();
    expect((await readLink()).token).toBeNull();
    const { hash } = await make();
    await dropToken(device.db, hash);
    expect((await listLinks(device.db, '2')).map(({ token }) => token)).toEqual([null, null]);
  });

  it.each([
    ['it has expired', {}, NOW + 2 * DAY_MS, /^Expired /, false],
    ['somebody guessed codes', { closed_until: new Date(NOW + HOUR_MS).toISOString() }, NOW, /^Closed for /, true],
    [
      'somebody guessed too many codes',
      { revoked_at: new Date(NOW).toISOString(), revoked_by: 'wrong codes' },
      NOW,
      /^Ended after too many wrong codes /,
      false,
    ],
    ['nothing happened', {}, NOW, /^Works until /, true],
  ])('says so after %s', async (_what, more, now, text, works) => {
    await putLink(more);
    const link = await readLink();
    expect(linkStateText(link, now)).toMatch(text);
    expect(isWorking(link, now)).toBe(works);
  });
});

describe('the form of a link', () => {
  it('names the fields that are missing or too long', async () => {
    const errors = async (values: Partial<typeof VALUES>) => {
      const read = await readNewLink({ ...VALUES, ...values }, NOW);
      return 'errors' in read ? Object.keys(read.errors) : [];
    };
    expect(await errors({ name: ' ', watermark: '' })).toEqual(['name', 'watermark']);
    expect(await errors({ code: 'x'.repeat(41) })).toEqual(['code']);
    expect(await errors({ tape_ids: '7,8' })).toEqual([]);
  });

  it('makes another token each time', async () => {
    const made = [await make(), await make()];
    expect(new Set(made.map(({ token }) => token)).size).toBe(2);
    for (const { token } of made) expect(token).toMatch(/^[\da-f]{32}$/);
  });
});
