import { hasMessage } from '../server/own-answer.ts';
import { bodyOf } from '#db/media-body.ts';
import type { Values } from './operation.ts';

/** Parses an object with an id into the mirror's form of this type; null for anything else. */
export function parseRecord(value: unknown, type: string): Values | null {
  if (typeof value !== 'object' || value === null) return null;
  const record = value as Values;
  return typeof record.id === 'string' || typeof record.id === 'number' ? bodyOf(type, record) : null;
}

/** Parses the record in a response's `data`, or the response itself if it is the record. */
export const parseData = (body: Values, type: string): Values | null =>
  parseRecord(body.data, type) ?? parseRecord(body, type);

/** Parses a response that only confirms. A page of a captive portal has neither field. */
export const parseConfirmation = (body: Values): Values | null =>
  body.status === 'success' || hasMessage(body) ? body : null;
