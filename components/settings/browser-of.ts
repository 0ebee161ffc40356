/**
 * The names in `User-Agent` headers. The first match is used, because most browsers also name others further
 * down the list.
 */
const browsers: [token: RegExp, name: string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/.+Safari\//, 'Safari']
]
const systems: [token: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux']
]

/** Returns the browser and system in a `User-Agent` header: "Firefox on Linux". */
export function browserName(userAgent: string): string {
  const find = (names: typeof browsers) => names.find(([token]) => token.test(userAgent))?.[1]
  const [browser = 'Unknown browser', system] = [find(browsers), find(systems)]
  return system === undefined ? browser : `${browser} on ${system}`
}
