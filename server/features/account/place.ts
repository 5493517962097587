import type { FastifyRequest } from 'fastify';

const REGION_NAMES = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const MAX_HEADER_LENGTH = 200;

/** The time zone that the app sends at sign-in; older apps send it in the body. Null if it is not one. */
export function readTimeZone({ headers, body }: Pick<FastifyRequest, 'headers' | 'body'>): string | null {
  const inBody = (body as { time_zone?: unknown } | null | undefined)?.time_zone;
  const name = headers['x-time-zone'] ?? inBody;
  if (typeof name !== 'string' || name.length > MAX_HEADER_LENGTH) return null;
  return toCanonical(name) === null ? null : name;
}

/** 'Asia/Kolkata' → 'Asia/Calcutta', as the runtime's tables call it. Null if there is no such zone. */
function toCanonical(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

let regionByZone: Map<string, string> | null = null;

/** Which country a time zone belongs to, from the tables of the runtime. Built once, at the first sign-in. */
function getRegionByZone(): Map<string, string> {
  if (regionByZone !== null) return regionByZone;
  regionByZone = new Map();
  for (const region of LETTERS.flatMap((first) => LETTERS.map((second) => first + second))) {
    if (REGION_NAMES.of(region) === undefined) continue;
    const locale = new Intl.Locale(`und-${region}`) as Intl.Locale & {
      /** Where the runtime has no `getTimeZones` yet. */
      timeZones?: string[];
      getTimeZones?(): string[] | undefined;
    };
    const zones = locale.getTimeZones?.() ?? locale.timeZones ?? [];
    for (const zone of zones) if (!regionByZone.has(zone)) regionByZone.set(zone, region);
  }
  return regionByZone;
}

/** The country of the first language that the browser asks for, if the language says one. English is spoken everywhere. */
function findRegionOfLanguage(header: string): string | undefined {
  const [first = ''] = header.slice(0, MAX_HEADER_LENGTH).split(/[,;]/, 1);
  try {
    const locale = new Intl.Locale(first.trim());
    return locale.region ?? (locale.language === 'en' ? undefined : locale.maximize().region);
  } catch {
    return undefined;
  }
}

/**
 * Where a device probably is, as the name of a country, by its time zone or else its first language. No service is asked, and the IP
 * address plays no part. Null if neither says.
 */
export function findPlace(request: Pick<FastifyRequest, 'headers' | 'body'>): string | null {
  const zone = toCanonical(readTimeZone(request) ?? 'UTC');
  const region =
    (zone === null ? undefined : getRegionByZone().get(zone)) ??
    findRegionOfLanguage(request.headers['accept-language'] ?? '');
  return (region && REGION_NAMES.of(region)) ?? null;
}
