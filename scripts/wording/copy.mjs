import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '#scripts/setup/root.mjs'

const SOURCE = /^(?:lib|components|app|packages\/[^/]+\/src|scripts\/serve)\/.*\.tsx?$|^server\.ts$/

/**
 * Copies every file that git knows or would add to a new temporary folder, and links the installed packages. Returns the
 * folder, and the files whose sentences people read.
 */
export function copyCheckout() {
  const copy = mkdtempSync(join(tmpdir(), 'waystation-wording-'))
  // Sandboxed programs read it as another user.
  chmodSync(copy, 0o755)
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8'
  })
  const files = listed.split('\0').filter(file => file !== '' && existsSync(join(root, file)))
  for (const file of files) cpSync(join(root, file), join(copy, file))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'dir')
  const sources = files.filter(
    file => SOURCE.test(file) && !/\.test\.tsx?$|\.d\.ts$|\/generated\//.test(file)
  )
  return { copy, sources }
}
