/** The helpers of the server that this package uses. Apart from tests, only this file imports from the server. */

export { countTokens } from '../../../lib/kernel/count-tokens.ts'
export { type Piece, readSummaryPrompt } from '../../../lib/kernel/ports/summary-request.ts'
export { toReadableStream as readable } from '../../../lib/models/to-readable-stream.ts'
