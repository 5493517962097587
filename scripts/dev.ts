/** `npm run dev`: serves pages from Vite with hot reload and restarts the server on every change. One command stops both. */
import { spawn } from 'node:child_process';
import { createServer } from 'vite';

const pagePort = Number(process.env['PORT'] ?? 3000);
const apiPort = pagePort + 1;
process.env['DEV_API_ORIGIN'] = `http://127.0.0.1:${apiPort}`;

const api = spawn(process.execPath, ['--import', 'tsx', '--watch', '--watch-preserve-output', 'server/main.ts'], {
  stdio: 'inherit',
  env: { ...process.env, PORT: String(apiPort), SEED_DEMO: process.env['SEED_DEMO'] ?? '1' },
});
const pages = await createServer({ server: { port: pagePort, strictPort: true } });
await pages.listen();

let isStopping = false;
async function stop(code: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  api.kill('SIGTERM');
  await pages.close();
  process.exit(code);
}
api.once('exit', (code) => void stop(code ?? 1));
process.once('SIGINT', () => void stop(0));
process.once('SIGTERM', () => void stop(0));

pages.printUrls();
