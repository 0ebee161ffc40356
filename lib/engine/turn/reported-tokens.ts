/** Upper limit of a plausible count, more than any model reads or writes in one step. */
const maxTokens = 1_000_000_000

/** Returns a provider's token count; 0 if it is missing or not a plausible count. */
export const reportedTokens = (count: number | undefined): number =>
  count !== undefined && Number.isInteger(count) && count > 0 && count <= maxTokens ? count : 0
