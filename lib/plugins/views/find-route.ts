import type { PluginRoute } from '@waystation/plugin-host/contract.ts'
import { pathTree, segmentsOf } from '#lib/kernel/path-tree.ts'

/**
 * Returns whether a plugin declared a route for a request (003-13). In a declared path, `{name}` matches one
 * segment and a final `*` matches the rest. `segments` are decoded.
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
 * Splits a request path into decoded segments. Returns undefined if decoding fails or could change the path:
 * `..`, an encoded slash or a control character.
 */
export function decodedSegments(path: string): string[] | undefined {
  try {
    const segments = segmentsOf(path).map(segment => decodeURIComponent(segment))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters must be found
    return segments.some(segment => /^\.{1,2}$|[/\\\u0000-\u001f\u007f]/.test(segment)) ? undefined : segments
  } catch {
    return undefined
  }
}
