/** What this package uses of the server. The one file that reaches out of the package. */
export { type Piece, readSummaryPrompt } from '../../../lib/kernel/summary-request.ts'
export { countTokens } from '../../../lib/models/count-tokens.ts'
export { readable } from '../../../lib/models/readable.ts'
