import type { AccountDb } from '#db/database.ts';
import type { CameraChoice } from './camera.ts';

export const SHOTS = ['close', 'medium', 'full'] as const;
export type Shot = (typeof SHOTS)[number];

export const SPEEDS = { min: 1, max: 9 } as const;
export const SIZES = { min: 1, max: 5 } as const;

/** What a person has set in the booth. Stays on this device, and is removed at sign-out. */
export interface BoothSettings extends CameraChoice {
  shot: Shot;
  hasCountIn: boolean;
  hasSlate: boolean;
  /** What the slate card reminds of: project, part. */
  slateText: string;
  /** The lines of the prompter; empty for none. */
  script: string;
  speed: number;
  size: number;
  /** Wider letters and lines, which many people with dyslexia read more easily. */
  isWide: boolean;
  /** For a prompter glass in front of the lens. */
  isMirrored: boolean;
}

export const DEFAULT_SETTINGS: BoothSettings = {
  cameraId: null,
  microphoneId: null,
  facing: 'user',
  shot: 'medium',
  hasCountIn: true,
  hasSlate: false,
  slateText: '',
  script: '',
  speed: 4,
  size: 3,
  isWide: false,
  isMirrored: false,
};

export const SCRIPT_MAX = 20_000;
export const SLATE_MAX = 200;

const text = (value: unknown, max: number) => (typeof value === 'string' ? value.slice(0, max) : '');
const flag = (value: unknown, otherwise: boolean) => (typeof value === 'boolean' ? value : otherwise);
const id = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
const step = (value: unknown, { min, max }: { min: number; max: number }, otherwise: number) =>
  typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max ? value : otherwise;

/** Reads stored settings. What another version of the app stored differently gets its default. */
export function parseSettings(stored: Readonly<Record<string, unknown>>): BoothSettings {
  const other = DEFAULT_SETTINGS;
  return {
    cameraId: id(stored['cameraId']),
    microphoneId: id(stored['microphoneId']),
    facing: stored['facing'] === 'environment' ? 'environment' : 'user',
    shot: SHOTS.find((shot) => shot === stored['shot']) ?? other.shot,
    hasCountIn: flag(stored['hasCountIn'], other.hasCountIn),
    hasSlate: flag(stored['hasSlate'], other.hasSlate),
    slateText: text(stored['slateText'], SLATE_MAX),
    script: text(stored['script'], SCRIPT_MAX),
    speed: step(stored['speed'], SPEEDS, other.speed),
    size: step(stored['size'], SIZES, other.size),
    isWide: flag(stored['isWide'], other.isWide),
    isMirrored: flag(stored['isMirrored'], other.isMirrored),
  };
}

/** What an audition asks for takes the place of these while its takes are being recorded. */
export type BriefSettings = Pick<BoothSettings, 'shot' | 'hasSlate' | 'slateText' | 'script'>;

const readRow = async ({ meta }: AccountDb, k: 'booth' | `booth:${string}`): Promise<Record<string, unknown>> => {
  const row = await meta.get(k);
  return row && 'settings' in row ? row.settings : {};
};

/**
 * Reads the settings of the booth.
 * @param brief the audition that takes are recorded for, and what it asks for
 */
export async function readSettings(
  db: AccountDb,
  brief: { auditionId: string; settings: BriefSettings } | null = null,
): Promise<BoothSettings> {
  const own = await readRow(db, 'booth');
  if (brief === null) return parseSettings(own);
  // What the person changed for this audition counts more than what was asked.
  return parseSettings({ ...own, ...brief.settings, ...(await readRow(db, `booth:${brief.auditionId}`)) });
}

/** Whether a setting belongs to the audition that takes are recorded for. */
const isOfBrief = (key: string) => ['shot', 'hasSlate', 'slateText', 'script'].includes(key);

/**
 * Changes some settings. In one transaction, so that two quick changes both count.
 * @param auditionId what an audition may ask for is stored for this one alone
 */
export async function changeSettings(
  db: AccountDb,
  change: Partial<BoothSettings>,
  auditionId: string | null = null,
): Promise<void> {
  const put = async (k: 'booth' | `booth:${string}`, part: Record<string, unknown>) => {
    if (Object.keys(part).length > 0) await db.meta.put({ k, settings: { ...(await readRow(db, k)), ...part } });
  };
  const entries = Object.entries(change);
  await db.transaction('rw', db.meta, async () => {
    if (auditionId === null) return put('booth', change);
    await put(`booth:${auditionId}`, Object.fromEntries(entries.filter(([key]) => isOfBrief(key))));
    await put('booth', Object.fromEntries(entries.filter(([key]) => !isOfBrief(key))));
  });
}
