/** More than any model takes or writes in one step. */
const most = 1_000_000_000

/** A count of tokens as a provider reported it; 0 if it reported none, or nothing that can be one. */
export const reportedTokens = (count: number | undefined): number =>
  count !== undefined && Number.isInteger(count) && count > 0 && count <= most ? count : 0
