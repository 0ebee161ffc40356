import { pathTree, segmentsOf } from '#lib/kernel/path-tree.ts'
import type { PluginRoute } from '#lib/kernel/ports/plugin-host.ts'

/**
 * Whether a plugin declared a request (003-13): the path as it stands, with `{name}` for any one segment, and a `*` at the end for
 * all that follows. `path` is decoded, segment by segment.
 */
export function isDeclared(
  routes: readonly PluginRoute[],
  method: string,
  segments: readonly string[]
): boolean {
  const paths = routes.filter(route => route.method === method).map(({ path }) => [path, true] as const)
  return pathTree(paths)(segments) !== undefined
}

/**
 * The segments of a path as it was sent, decoded; undefined where one of them would be another path once it is decoded: `..`, an
 * encoded slash, a control character, or nothing that can be decoded.
 */
export function decodedSegments(path: string): string[] | undefined {
  try {
    const segments = segmentsOf(path).map(segment => decodeURIComponent(segment))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
    return segments.some(segment => /^\.{1,2}$|[/\\\u0000-\u001f\u007f]/.test(segment)) ? undefined : segments
  } catch {
    return undefined
  }
}
