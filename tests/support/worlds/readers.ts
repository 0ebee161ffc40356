import { openReaders, type Readers } from '#lib/compose/readers.ts'

/** One for each worker process: to begin their threads takes longer than most tests. They end with the process. */
const key = Symbol.for('waystation.tests.readers')
const place = globalThis as { [key]?: Readers }

/** The readers that all worlds and houses of a worker process share. */
export const sharedReaders = (): Readers => (place[key] ??= openReaders())
