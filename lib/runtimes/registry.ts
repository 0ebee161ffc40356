import { runTurn } from '#lib/turn/run-turn.ts'
import type { Runtime } from './runtime.ts'

/** A new kind of agent is a new runtime and a line here. */
export const runtimes: Record<'chat', Runtime> = { chat: runTurn }
