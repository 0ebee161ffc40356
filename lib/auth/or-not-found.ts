import { ApiError } from '@waystation/base/api-error.ts'
import { notFound } from 'next/navigation'

/**
 * Awaits a verb's result, and shows the not-found page if it throws `NOT_FOUND` or `EXPIRED`. The page does not reveal
 * whether a record never existed, was deleted or belongs to another workspace.
 */
export async function orNotFound<T>(result: Promise<T>): Promise<T> {
  try {
    return await result
  } catch (error) {
    if (error instanceof ApiError && (error.code === 'NOT_FOUND' || error.code === 'EXPIRED')) notFound()
    throw error
  }
}
