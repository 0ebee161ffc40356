import { notFound } from 'next/navigation'
import { Refusal } from '#lib/kernel/refusal.ts'

/** What a verb found, or the page that says there is nothing: unknown, deleted, expired and another workspace's alike. */
export async function orNotFound<T>(found: Promise<T>): Promise<T> {
  try {
    return await found
  } catch (error) {
    if (error instanceof Refusal && (error.code === 'NOT_FOUND' || error.code === 'EXPIRED')) notFound()
    throw error
  }
}
