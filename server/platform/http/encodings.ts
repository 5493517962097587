/** What bodies are sent in beside their plain form, the smallest first. */
export const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/**
 * The first of our encodings that the caller takes.
 * @param accepted the Accept-Encoding header; one with quality 0 is refused
 * @param isThere whether it can be sent so
 */
export function chooseEncoding(
  accepted: string | string[] | undefined,
  isThere: (encoding: Encoding) => boolean = () => true,
): Encoding | null {
  const taken = new Map(
    String(accepted ?? '')
      .toLowerCase()
      .split(',')
      .map((part): [string, number] => {
        const [name = '', ...settings] = part.split(';').map((each) => each.trim());
        const quality = settings.find((each) => each.startsWith('q='));
        return [name, quality === undefined ? 1 : Number(quality.slice(2))];
      }),
  );
  const takes = (encoding: Encoding) => (taken.get(encoding) ?? taken.get('*') ?? 0) > 0;
  return ENCODINGS.find((encoding) => takes(encoding) && isThere(encoding)) ?? null;
}
