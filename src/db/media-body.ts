type Values = Record<string, unknown>;

/**
 * A record as this device keeps it. What the wire tells of a medium in `metadata` stands among its fields, where forms,
 * edits and merges look for it; every other record stays as the server sent it.
 */
export function bodyOf(type: string, body: Values): Values {
  if (type !== 'media' || !Array.isArray(body.metadata)) return body;
  const told = (body.metadata as { key: string; value: unknown }[]).map(({ key, value }): [string, unknown] => [
    key,
    value,
  ]);
  // A key of the record itself means that, whatever stands in the metadata.
  return { ...Object.fromEntries(told), ...body };
}
