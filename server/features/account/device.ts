const SYSTEMS = [
  [/iPhone|iPod/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/CrOS/, 'Chromebook'],
  [/Linux/, 'Linux'],
] as const;
// The order matters: Edge also calls itself Chrome, and Chrome also calls itself Safari.
const BROWSERS = [
  [/Edg(A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;

const findName = (agent: string, names: readonly (readonly [RegExp, string])[]) =>
  names.find(([sign]) => sign.test(agent))?.[1];

/** Returns a name for the list of signed-in devices, such as 'Chrome on Android'. */
export function toDeviceName(userAgent: string | undefined): string {
  const agent = userAgent ?? '';
  const browser = findName(agent, BROWSERS);
  const system = findName(agent, SYSTEMS);
  return [browser, system].filter(Boolean).join(' on ') || 'Unknown device';
}
