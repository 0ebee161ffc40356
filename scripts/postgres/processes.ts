import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * When process `pid` was born, as a word to compare, or undefined when it runs no more. A process ID alone proves
 * nothing: it is given out again (in a restarted container at once), and a killed process stays as a zombie for as
 * long as nobody reaps it, which the first process of many containers never does.
 */
export function birthOf(pid: number): string | undefined {
  return process.platform === 'linux' ? birthFromProc(pid) : birthFromPs(pid)
}

/** Whether `pid` lives and `word` is in its command line. */
export function isRunning(pid: number, word: string): boolean {
  if (birthOf(pid) === undefined) return false
  const command = process.platform === 'linux' ? readOrNothing(`/proc/${pid}/cmdline`) : ps(pid, 'command=')
  return command.includes(word)
}

/** proc(5): the fields after the command's closing bracket are 3 (state) and so on; 22 is the start time. */
function birthFromProc(pid: number) {
  const stat = readOrNothing(`/proc/${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, born] = [fields[0], fields[19]]
  return !born || state === 'Z' || state === 'X' ? undefined : born
}

function birthFromPs(pid: number) {
  const line = ps(pid, 'stat=,lstart=').trim()
  return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '')
}

function ps(pid: number, columns: string) {
  return spawnSync('ps', ['-p', String(pid), '-o', columns], { encoding: 'utf8' }).stdout ?? ''
}

/** A process may end between two looks: then there is nothing to read. */
function readOrNothing(file: string) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
