import { hasMessage } from '../server/own-answer.ts';
import { bodyOf } from '#db/media-body.ts';
import type { Values } from './operation.ts';

/** An object with an id, as the mirror keeps records of this type; null for anything else. */
export function parseRecord(value: unknown, type: string): Values | null {
  if (typeof value !== 'object' || value === null) return null;
  const record = value as Values;
  return typeof record.id === 'string' || typeof record.id === 'number' ? bodyOf(type, record) : null;
}

/** The record in an answer's `data`, or the answer itself where it is the record. */
export const parseData = (body: Values, type: string): Values | null =>
  parseRecord(body.data, type) ?? parseRecord(body, type);

/** An answer that only confirms. A page of a Wi-Fi hotspot has neither field. */
export const parseConfirmation = (body: Values): Values | null =>
  body.status === 'success' || hasMessage(body) ? body : null;
