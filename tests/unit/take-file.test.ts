import { beforeEach, expect, it, vi } from 'vitest';
import type { AccountDb } from '#db/database.ts';
import type { Take } from '#db/rows.ts';
import { inspectFile } from '#shared/picked-files/inspect-file.ts';
import { finishTake } from '#shared/takes/finish-take.ts';
import { makeTakeFile } from '#shared/takes/take-file.ts';
import { readRecording } from '#shared/takes/take-storage.ts';

vi.mock('#shared/picked-files/inspect-file.ts', () => ({ inspectFile: vi.fn() }));
vi.mock('#shared/takes/finish-take.ts', async (load) => ({ ...(await load<object>()), finishTake: vi.fn() }));
vi.mock('#shared/takes/take-storage.ts', () => ({ readRecording: vi.fn() }));

const FINISHED = new Blob(['finished']);
const RECORDING = new Blob(['all of the recording']);
const RANGE = { from: 4, to: 9 };
const jpeg = (text: string) => new TextEncoder().encode(text).buffer;
const [STORED, SENT, STRIP] = ['of the recording', 'of the file', 'strip'].map(jpeg) as [
  ArrayBuffer,
  ArrayBuffer,
  ArrayBuffer,
];

/** The metadata of the file of a take whose stored picture is of the whole recording. */
async function getMetadata(range: Take['range'], { isOriginal = false, hasStrip = false } = {}) {
  const take: Take = {
    id: 'take',
    state: 'sealed',
    storage: 'slices',
    name: 'Take 1',
    mime: 'video/mp4',
    startedAt: 0,
    bytes: 20,
    duration: 12,
    size: { width: 1280, height: 720 },
    stars: 0,
    range,
    end: 'person',
  };
  const posters = { get: () => Promise.resolve({ take: 'take', jpeg: STORED }) };
  const db = { takes: { get: () => Promise.resolve(take) }, posters } as unknown as AccountDb;
  const made = await makeTakeFile(db, 'take', {
    signal: new AbortController().signal,
    onProgress: () => undefined,
    maxBytes: 1000,
    isOriginal,
    hasStrip,
  });
  return made.ok ? made.metadata : null;
}

beforeEach(() => {
  vi.mocked(finishTake).mockResolvedValue({ ok: true, file: FINISHED });
  vi.mocked(readRecording).mockResolvedValue(RECORDING);
  vi.mocked(inspectFile).mockReset();
  vi.mocked(inspectFile).mockImplementation((_kind, _file, hasStrip) =>
    Promise.resolve({ thumb: SENT, ...(hasStrip && { strip: STRIP }) }),
  );
});

it.each([true, false])('shows of a trimmed take only what is sent (with a strip: %s)', async (hasStrip) => {
  const metadata = await getMetadata(RANGE, { hasStrip });
  expect(metadata?.thumb).toBe(SENT);
  expect(metadata?.strip).toBe(hasStrip ? STRIP : undefined);
  expect(metadata?.duration).toBe(5);
  expect(vi.mocked(inspectFile).mock.calls).toEqual([['video', FINISHED, hasStrip]]);
});

it('shows no picture rather than one of what was trimmed away', async () => {
  vi.mocked(inspectFile).mockResolvedValue({});
  expect(await getMetadata(RANGE, { hasStrip: true })).not.toHaveProperty('thumb');
});

it('shows the stored picture of a take that is sent whole', async () => {
  expect((await getMetadata(null))?.thumb).toBe(STORED);
  expect((await getMetadata(RANGE, { isOriginal: true }))?.thumb).toBe(STORED);
  expect(inspectFile).not.toHaveBeenCalled();
  vi.mocked(inspectFile).mockResolvedValue({});
  expect((await getMetadata(null, { hasStrip: true }))?.thumb).toBe(STORED);
});
