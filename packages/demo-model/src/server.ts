/** What this package uses of the server. The one file that reaches out of the package. */

export { countTokens } from '../../../lib/kernel/count-tokens.ts'
export { type Piece, readSummaryPrompt } from '../../../lib/kernel/ports/summary-request.ts'
export { toReadableStream as readable } from '../../../lib/models/to-readable-stream.ts'
