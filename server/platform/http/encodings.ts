/** Supported content encodings, best compression first. */
export const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/**
 * The first supported encoding that the client accepts, or null.
 * @param accepted the Accept-Encoding header; quality 0 excludes an encoding
 * @param isAvailable whether the body exists in an encoding
 */
export function chooseEncoding(
  accepted: string | string[] | undefined,
  isAvailable: (encoding: Encoding) => boolean = () => true,
): Encoding | null {
  const qualities = new Map(
    String(accepted ?? '')
      .toLowerCase()
      .split(',')
      .map((part): [string, number] => {
        const [name = '', ...settings] = part.split(';').map((each) => each.trim());
        const quality = settings.find((each) => each.startsWith('q='));
        return [name, quality === undefined ? 1 : Number(quality.slice(2))];
      }),
  );
  const accepts = (encoding: Encoding) => (qualities.get(encoding) ?? qualities.get('*') ?? 0) > 0;
  return ENCODINGS.find((encoding) => accepts(encoding) && isAvailable(encoding)) ?? null;
}
