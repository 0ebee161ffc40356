import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Returns the start time of a process as a string to compare, or undefined if the process no longer runs. An ID
 * alone proves nothing: systems reuse IDs, and a restarted container does so at once. A killed process remains a
 * zombie until its parent reaps it, which the first process of many containers never does.
 */
export function birthOf(pid: number): string | undefined {
  return process.platform === 'linux' ? birthFromProc(pid) : birthFromPs(pid)
}

/** Returns true if process `pid` runs and its command line contains `word`. */
export function isRunning(pid: number, word: string): boolean {
  if (birthOf(pid) === undefined) return false
  const command = process.platform === 'linux' ? readOrNothing(`/proc/${pid}/cmdline`) : ps(pid, 'command=')
  return command.includes(word)
}

/**
 * proc(5): the fields after the command's closing bracket start with field 3 (state). Field 22 is the start time.
 */
function birthFromProc(pid: number) {
  const stat = readOrNothing(`/proc/${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, startTime] = [fields[0], fields[19]]
  return !startTime || state === 'Z' || state === 'X' ? undefined : startTime
}

function birthFromPs(pid: number) {
  const line = ps(pid, 'stat=,lstart=').trim()
  return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '')
}

function ps(pid: number, columns: string) {
  return spawnSync('ps', ['-p', String(pid), '-o', columns], { encoding: 'utf8' }).stdout ?? ''
}

/** Returns an empty string if the process ended in the meantime. */
function readOrNothing(file: string) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
