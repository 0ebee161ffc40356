import { dispatcherOf } from '#lib/http/dispatch.ts'
import { operations } from '#lib/http/operations/all.ts'
import { endpoints } from './endpoints.ts'

/** Finds the handler of each request of this server. */
export const { answerFor, dispatch, handlerOf } = dispatcherOf(endpoints)

// Each operation of the contract has an endpoint.
for (const operation of operations) handlerOf(operation)
