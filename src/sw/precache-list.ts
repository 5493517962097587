import { DIGEST_LENGTH } from './digest-length.ts';

/** A file of the build: its URL, and the first characters of its SHA-256 in base64. */
export interface ShellFile {
  url: string;
  revision: string;
}

/**
 * Begins the name of a file that is stored when it is first used, and from then on with every version of the app. Then come the name of what
 * it belongs to and a dash: 'later-cv-worker-….js'. All files of the same name are stored together.
 */
export const LATER = 'later-';

/**
 * Almost every file of the build is a script whose name is a hash of this length, the shortest that the bundler can write. 42 bits tell
 * the versions of one file apart, and every character more is in the worker once for each script, and in each script that imports it.
 */
export const HASH_LENGTH = 7;
const SCRIPT = new RegExp(`^assets/([\\w-]{${HASH_LENGTH}})\\.js$`);

/**
 * Writes the list of the build as one text: first the hash and digest of each script without anything in between, then
 * the URL and digest of each other file after a blank. As JSON, the names of the members would cost a kilobyte even when
 * compressed. Called by `vite.config.ts`.
 */
export function packList(files: readonly ShellFile[]): string {
  const hashOf = ({ url }: ShellFile) => SCRIPT.exec(url)?.[1];
  const scripts = files.flatMap((file) => (hashOf(file) === undefined ? [] : [hashOf(file)! + file.revision]));
  const others = files.flatMap((file) => (hashOf(file) === undefined ? [` ${file.url}${file.revision}`] : []));
  return scripts.join('') + others.join('');
}

/** Reads what `packList` wrote. */
export function unpackList(list: string): ShellFile[] {
  const [scripts = '', ...others] = list.split(' ');
  const parts = scripts.match(new RegExp(`.{${HASH_LENGTH + DIGEST_LENGTH}}`, 'g')) ?? [];
  return [...parts.map((part) => `assets/${part.slice(0, HASH_LENGTH)}.js${part.slice(HASH_LENGTH)}`), ...others].map(
    (entry) => ({ url: entry.slice(0, -DIGEST_LENGTH), revision: entry.slice(-DIGEST_LENGTH) }),
  );
}
