import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { Turns } from '#server/http/turns.ts';

/** The OWASP setting of argon2id: 19 MiB, two passes. Each run takes a core, so only so many run at once. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const turns = new Turns(Math.max(1, availableParallelism() - 1), 100);

export const hashPassword = (password: string) => turns.run(() => hash(password, OPTIONS));

let decoy: Promise<string> | null = null;
/** Takes the same time whether the account exists or not. @param stored the account's hash, or null where there is none */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password');
  const against = stored ?? (await decoy);
  const fits = await turns.run(() => verify(against, password));
  return fits && stored !== null;
}

/** Passwords everybody tries first; those under the least length are refused anyway. Compared without case and spaces. */
const WELL_KNOWN = new Set(
  `password12 password123 password1234 password12345 password123456 passwordpassword mypassword password01 password11
  passw0rd123 p@ssw0rd123 p@ssword123 qwertyuiop qwerty1234 qwerty12345 qwerty123456 qwertyuiop123 1q2w3e4r5t
  1q2w3e4r5t6y 1qaz2wsx3edc qazwsxedcrfv q1w2e3r4t5 q1w2e3r4t5y6 zaq12wsxcde3 asdfghjkl1 asdfghjkl123 asdf1234567
  zxcvbnm123 zxcvbnm1234 iloveyou12 iloveyou123 iloveyou1234 iloveyouforever welcome123 welcome1234 welcome12345
  letmein123 letmein1234 changeme123 changeme1234 administrator admin12345 admin123456 adminadmin administrator1
  superman123 batman1234 football123 football12 baseball123 basketball cricket123 princess123 princess12 sunshine123
  sunshine12 dragon1234 monkey12345 shadow1234 master1234 michael123 jessica123 charlie123 pokemon123 starwars123
  computer123 internet123 hello12345 helloworld helloworld123 whatever123 trustno1trustno1 default123 secret1234
  test123456 testtest123 testing123 guest12345 user123456 login12345 abcd123456 abc1234567 abc123456789 a1b2c3d4e5
  aa12345678 india12345 india123456 bollywood1 bollywood123 hollywood123 callboard1 callboard12 callboard123
  correcthorsebatterystaple mypassword123 11111111111 0123456789 9876543210 12344321 1029384756 147258369 741852963
  qweasdzxc123 qwe1234567 123qweasdzxc 123456789a 1234567890a 12345678910 123456789q 1234567890q`
    .split(/\s+/)
    .filter((entry) => entry !== ''),
);
const RUNS = [
  '01234567890123456789',
  '98765432109876543210',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
];

/** Whether a guesser tries it among the first: lists, one short piece over and over, runs of keys, or the person's own words. */
export function isWellKnown(password: string, own: string[]): boolean {
  const plain = password.toLowerCase().replace(/\s+/g, '');
  if (WELL_KNOWN.has(plain) || /^(.{1,4})\1+.{0,3}$/su.test(plain)) return true;
  if (RUNS.some((run) => run.includes(plain))) return true;
  const words = own.map((word) => word.toLowerCase().replace(/\s+/g, '')).filter((word) => word.length >= 4);
  return words.some((word) => plain === word || plain.replace(/[\d\W_]+$/u, '') === word);
}
