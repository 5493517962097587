/**
 * `npm run offices`: prints the verified casting offices, and the people whose names look like theirs.
 * `npm run offices -- --verify EMAIL --name "NAME" [--domain HOST]`: verifies the account of an office.
 * `npm run offices -- --revoke NUMBER`: takes it back.
 * Uses the database of DATABASE_URL or DATA_DIR, whether the server is running or not.
 */
import { parseArgs } from 'node:util';
import { findUserByEmail } from '#server/features/account/store.ts';
import { revokeByCommand, verifyByCommand } from '#server/features/desk/offices.ts';
import { listLookalikes, listOffices, type OfficeRow } from '#server/platform/access/offices.ts';
import { ConfigError } from '#server/platform/config.ts';
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
  const added = await verifyByCommand(db, { userId: user.id, name, domain: values.domain ?? null }, new Date());
  return `Verified ${toLine(added)}`;
}

async function revoke(db: Db, number: string): Promise<string> {
  if (!/^[1-9]\d{0,14}$/.test(number))
    throw new ConfigError('Give the number of an office: npm run offices -- --revoke 1');
  const isRevoked = await revokeByCommand(db, Number(number), new Date());
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
