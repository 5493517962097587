const SYSTEMS = [
  [/iPhone|iPod/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/CrOS/, 'Chromebook'],
  [/Linux/, 'Linux'],
] as const;
// Later names hide behind earlier ones: Edge calls itself Chrome, Chrome calls itself Safari.
const BROWSERS = [
  [/Edg(A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;

const nameIn = (agent: string, names: readonly (readonly [RegExp, string])[]) =>
  names.find(([sign]) => sign.test(agent))?.[1];

/** 'Chrome on Android': how the list of signed-in devices calls this one. */
export function deviceName(userAgent: string | undefined): string {
  const agent = userAgent ?? '';
  const browser = nameIn(agent, BROWSERS);
  const system = nameIn(agent, SYSTEMS);
  return [browser, system].filter(Boolean).join(' on ') || 'Unknown device';
}
