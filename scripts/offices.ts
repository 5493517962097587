/**
 * `npm run offices`: prints the verified casting offices, and the people whose names look like theirs.
 * `npm run offices -- --verify EMAIL --name "NAME" [--domain HOST]`: verifies the account of an office.
 * `npm run offices -- --revoke NUMBER`: takes it back.
 * Uses the database of DATABASE_URL or DATA_DIR, whether the server is running or not.
 */
import { parseArgs } from 'node:util';
import { findUserByEmail } from '#server/features/account/store.ts';
import {
  listLookalikes,
  listOffices,
  revokeOffice,
  verifyOffice,
  type OfficeRow,
} from '#server/platform/access/offices.ts';
import { ConfigError } from '#server/platform/config.ts';
import { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { HttpError } from '#server/platform/http/errors.ts';
import { runTool } from './tool.ts';

const { values } = parseArgs({
  options: {
    verify: { type: 'string' },
    name: { type: 'string' },
    domain: { type: 'string' },
    revoke: { type: 'string' },
  },
});

const toDay = (time: Date) => time.toISOString().slice(0, 10);
const toLine = ({ id, name, domain, userId, verifiedAt, revokedAt }: OfficeRow) =>
  [
    `#${id}  ${name}`,
    domain,
    userId === null ? 'the account was deleted' : `person ${userId}`,
    `verified ${toDay(verifiedAt)}`,
    revokedAt && `revoked ${toDay(revokedAt)}`,
  ]
    .filter(Boolean)
    .join(', ');

async function verify(db: Db, email: string): Promise<string> {
  const name = values.name?.trim();
  if (!name) throw new ConfigError('Give the name of the office: npm run offices -- --verify EMAIL --name "NAME"');
  const user = await findUserByEmail(db, email.trim().toLowerCase());
  if (user === null) throw new ConfigError(`There is no account with the address ${email}`);
  const now = new Date();
  const added = await db.transaction(async (tx) => {
    const changes = new ChangeLog();
    const office = { userId: user.id, name, domain: values.domain ?? null, verifiedBy: null };
    const verified = await verifyOffice(tx, changes, office, now);
    await changes.flush(tx, now);
    return verified;
  });
  return `Verified ${toLine(added)}`;
}

async function revoke(db: Db, number: string): Promise<string> {
  if (!/^[1-9]\d{0,14}$/.test(number))
    throw new ConfigError('Give the number of an office: npm run offices -- --revoke 1');
  const now = new Date();
  const isRevoked = await db.transaction(async (tx) => {
    const changes = new ChangeLog();
    const done = await revokeOffice(tx, changes, Number(number), now);
    await changes.flush(tx, now);
    return done;
  });
  if (!isRevoked) throw new ConfigError(`There is no verified office #${number}`);
  return `Revoked #${number}`;
}

async function list(db: Db): Promise<string> {
  const found = await listOffices(db);
  if (found.length === 0) return 'No verified offices.';
  const alike = await listLookalikes(db);
  const lines = alike.map(({ userId, name, office }) => `person ${userId}  ${name}  looks like ${office}`);
  return [...found.map(toLine), ...(lines.length === 0 ? [] : ['', 'Look-alikes:', ...lines])].join('\n');
}

await runTool(async (db) => {
  try {
    if (values.verify !== undefined) return await verify(db, values.verify);
    return values.revoke === undefined ? await list(db) : await revoke(db, values.revoke);
  } catch (error) {
    // A rule that also holds at the desk.
    throw error instanceof HttpError ? new ConfigError(error.message) : error;
  }
});
