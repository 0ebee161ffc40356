import { openReaders, type Readers } from '#lib/compose/readers.ts'

/**
 * One for each worker process, because starting their threads takes longer than most tests. They end with the
 * process.
 */
const key = Symbol.for('waystation.tests.readers')
const globals = globalThis as { [key]?: Readers }

/** Returns the readers that all servers and runtimes of a worker process share. */
export const sharedReaders = (): Readers => (globals[key] ??= openReaders())
