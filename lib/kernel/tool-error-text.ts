import { InvalidToolInputError, TypeValidationError } from 'ai'

/** Returns the message of an error. For arguments that failed the validation, this is what the validation reported. */
export function toolErrorText(error: unknown): string {
  if (
    InvalidToolInputError.isInstance(error) &&
    TypeValidationError.isInstance(error.cause) &&
    error.cause.cause instanceof Error
  )
    return `The arguments are not valid: ${error.cause.cause.message}`
  return error instanceof Error ? error.message : String(error)
}
