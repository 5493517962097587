type Values = Record<string, unknown>;

/**
 * Converts a record from the wire to the mirror's form. The entries of a media item's `metadata` become fields, where
 * forms, edits and merges look for them. Every other record stays as the server sent it.
 */
export function bodyOf(type: string, body: Values): Values {
  if (type !== 'media' || !Array.isArray(body.metadata)) return body;
  const told = (body.metadata as { key: string; value: unknown }[]).map(({ key, value }): [string, unknown] => [
    key,
    value,
  ]);
  // A field of the record itself takes precedence over a metadata entry of the same name.
  return { ...Object.fromEntries(told), ...body };
}
