import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  symlinkSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from './root.mjs'

/**
 * Copies the checkout, including uncommitted changes, to a temporary folder. Its packages are hard links. Returns
 * the folder.
 */
export function copyCheckout() {
  const copy = mkdtempSync(join(tmpdir(), 'waystation-copy-'))
  // Sandboxed programs read the copy as another user.
  chmodSync(copy, 0o755)
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate']
  const deleted = new Set(git('ls-files', '-z', '--deleted'))
  for (const file of git(...list).filter(file => !deleted.has(file))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(root, file), join(copy, file), { verbatimSymlinks: true })
  }
  for (const folder of ['.', ...readdirSync(join(root, 'packages')).map(name => join('packages', name))])
    if (existsSync(join(root, folder, 'node_modules')))
      link(join(root, folder, 'node_modules'), join(copy, folder, 'node_modules'))
  return copy
}

/** Runs git in the checkout and returns the parts of its output between NUL bytes. @param {string[]} args */
export const git = (...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 })
    .split('\0')
    .filter(Boolean)

/**
 * Links each file of a folder. Skips caches, because a run in the copy would change them.
 *
 * @param {string} from
 * @param {string} to
 */
function link(from, to) {
  mkdirSync(to)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) entry.name.startsWith('.vite') || entry.name === '.cache' || link(source, target)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else
      try {
        linkSync(source, target)
      } catch (error) {
        // The temporary folder is on another file system.
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EXDEV') throw error
        cpSync(source, target)
      }
  }
}
