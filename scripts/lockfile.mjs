// Keeps package-lock.json installable everywhere: `npm run lockfile` after a change of dependencies, `--check` in the check.
//
// npm leaves an optional package out of the lock when the registry in use does not have it, and then `npm ci` fails
// ("Missing: … from lock file") or installs without the binary of another platform. Each missing one is added from what
// its parent asks for. Such entries and all others name no registry, so the lock works behind any mirror.
// Plain JavaScript: it must run before anything is installed.
import { readFileSync, writeFileSync } from 'node:fs';

const path = 'package-lock.json';
const lock = JSON.parse(readFileSync(path, 'utf8'));
const isCheck = process.argv.includes('--check');
const problems = [];

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

/** What a binary package's name says about where it runs: oxide-linux-arm64-musl, rollup-win32-x64-msvc, binding-wasm32-wasi. */
function platformOf(name) {
  const words = name.split('/').pop().split('-');
  const os = systems.find((system) => words.includes(system));
  const cpu = processors.find((processor) => words.includes(processor));
  if (!cpu || (!os && cpu !== 'wasm32'))
    throw new Error(`${name}: its name does not say where it runs; add it by hand`);
  const libc = words.some((word) => word.startsWith('musl')) ? 'musl' : words.includes('gnu') ? 'glibc' : null;
  return {
    cpu: [cpu],
    ...(os === 'linux' && libc ? { libc: [libc] } : {}),
    ...(os ? { os: [os] } : {}),
  };
}

/** Node's way of finding a package: in the parent's own node_modules, then in each folder above. */
function find(parent, name) {
  for (let folder = parent; ;) {
    const found = lock.packages[`${folder}${folder && '/'}node_modules/${name}`];
    if (found || folder === '') return found;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')));
  }
}

for (const [parent, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const found = find(parent, name);
    if (found && (found.version === version || !/^\d/.test(version))) continue;
    if (!/^\d/.test(version)) throw new Error(`${name}@${version} (of ${parent}) is no exact version; add it by hand`);
    problems.push(`lacks ${name}@${version}`);
    lock.packages[`${found ? `${parent}/` : ''}node_modules/${name}`] = {
      version,
      ...platformOf(name),
      ...(entry.dev ? { dev: true } : {}),
      optional: true,
    };
  }
  if (entry.resolved) {
    problems.push(`names where ${parent} came from`);
    delete entry.resolved;
  }
}

if (isCheck) {
  for (const problem of problems) console.error(`package-lock.json ${problem}`);
  if (problems.length > 0) console.error('Run `npm run lockfile` and commit the result.');
  process.exit(problems.length > 0 ? 1 : 0);
}
const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
lock.packages = Object.fromEntries(sorted);
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(
  problems.length > 0 ? `Mended ${problems.length} entries of package-lock.json` : 'package-lock.json was complete',
);
