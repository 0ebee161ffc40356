import { AsyncLocalStorage } from 'node:async_hooks'

const running = new AsyncLocalStorage<string>()

/** Runs code of an operator's tool. Errors that it throws later, for example in a timer, then belong to the tool. */
export const inTool = <T>(name: string, work: () => T): T => running.run(name, work)

/** Returns the tool, or its file, that the current code belongs to. In `uncaughtException`: that of the error. */
export const runningTool = (): string | undefined => running.getStore()
